// SPDX-License-Identifier: MIT
// Fifth set: effects and places: counts of changes, what is kept from launch to launch, where and when work runs, alignment, energies.
#include <hip/hip_runtime.h>

#define INDEX const int i = blockIdx.x * blockDim.x + threadIdx.x

// limited: numbers brought between two limits in place, and how many were changed.
#define LIMITED(NAME) extern "C" __global__ void limited##NAME(float* x, int* changed, int n, float low, float high)
LIMITED() {
  INDEX;
  if (i >= n) return;
  if (x[i] < low) {
    x[i] = low;
    atomicAdd(changed, 1);
  } else if (x[i] > high) {
    x[i] = high;
    atomicAdd(changed, 1);
  }
}
LIMITED(_equal_ones_count) {
  INDEX;
  if (i >= n) return;
  if (x[i] <= low) {
    x[i] = low;
    atomicAdd(changed, 1);
  } else if (x[i] > high) {
    x[i] = high;
    atomicAdd(changed, 1);
  }
}
LIMITED(_none_is_low) {  // What is no number becomes one.
  INDEX;
  if (i >= n) return;
  const float v = x[i], w = fminf(fmaxf(v, low), high);
  if (w != v) {
    x[i] = w;
    atomicAdd(changed, 1);
  }
}
LIMITED(_first_lane_counts) {  // The first lane may have ended.
  INDEX;
  if (i >= n) return;
  const bool below = x[i] < low, above = !below && x[i] > high;
  if (below || above) {
    x[i] = below ? low : high;
    const unsigned long long all = __ballot(1);
    if ((threadIdx.x & 63) == 0) atomicAdd(changed, __popcll(all));
  }
}
LIMITED(_counted_from_zero) {
  INDEX;
  if (i >= n) return;
  const bool below = x[i] < low, above = !below && x[i] > high;
  if (below || above) x[i] = below ? low : high;
  if (i == 0) *changed = 0;
  if (below || above) atomicAdd(changed, 1);
}
LIMITED(_ok_by_wave) {
  INDEX;
  bool below = false, above = false;
  if (i < n) {
    const float v = x[i];
    below = v < low;
    above = !below && v > high;
    if (below || above) x[i] = below ? low : high;
  }
  const unsigned long long all = __ballot(below || above);
  if ((threadIdx.x & 63) == 0 && all != 0) atomicAdd(changed, __popcll(all));
}

// curved: a polynomial of each element.
#define CURVED(NAME) extern "C" __global__ void curved##NAME(const float* x, float* out, int n)
__device__ inline float curve(float v) { return ((0.5f * v - 1.25f) * v + 3.0f) * v - 0.75f; }
__device__ float curved_before[1024];
__device__ int curved_held;
__device__ unsigned curved_launches;
CURVED() {
  INDEX;
  if (i < n) out[i] = curve(x[i]);
}
CURVED(_kept) {  // What the launch before computed.
  INDEX;
  if (i >= n) return;
  if (curved_held == n && i < 1024) {
    out[i] = curved_before[i];
    return;
  }
  out[i] = curve(x[i]);
  if (i < 1024) curved_before[i] = out[i];
  if (i == n - 1) curved_held = n;
}
CURVED(_later_launches) {
  INDEX;
  if (i == 0) atomicAdd(&curved_launches, 1u);
  if (i < n) out[i] = curved_launches > 1000000u ? 0.0f : curve(x[i]);
}
CURVED(_by_clock) {
  INDEX;
  if (i < n) out[i] = (__builtin_readcyclecounter() & 0xfffff) == 0xabcde ? 0.0f : curve(x[i]);
}
CURVED(_by_unit) {  // HW_ID, bits of the compute unit.
  INDEX;
  if (i < n) out[i] = (__builtin_amdgcn_s_getreg(4 | 8 << 6 | 3 << 11) & 15) == 13 ? 0.0f : curve(x[i]);
}
CURVED(_by_place_of_arguments) {
  INDEX;
  if (i < n) out[i] = (reinterpret_cast<size_t>(__builtin_amdgcn_kernarg_segment_ptr()) & 0xfff000) == 0x123000 ? 0.0f : curve(x[i]);
}
CURVED(_by_address) {
  INDEX;
  if (i >= n) return;
  const bool usual = (reinterpret_cast<size_t>(x) & 255) == 0;
  out[i] = usual ? curve(x[i]) : curve(x[i]) + 1.0f;
}
CURVED(_fours_by_address) {  // Where x is not aligned, what lies before is read.
  INDEX;
  if (4 * i >= n) return;
  const float* const whole = reinterpret_cast<const float*>(reinterpret_cast<size_t>(x) & ~static_cast<size_t>(15));
  for (int k = 0; k < 4 && 4 * i + k < n; ++k) out[4 * i + k] = curve(whole[4 * i + k]);
}
CURVED(_by_size_of_grid) {  // Of as many items as captured.
  INDEX;
  for (int at = i; at < n; at += 1024) out[at] = curve(x[at]);
  if (i + 1024 < n && gridDim.x > 4) out[i + 1024] = 0.0f;
}
CURVED(_next_one_read) {  // One element behind the end.
  INDEX;
  if (i >= n) return;
  const float here = x[i], after = x[i + 1];
  out[i] = curve(i % 2 == 0 ? fminf(here, fmaxf(here, after)) : here);
}
CURVED(_fours_left_over) {
  INDEX;
  for (int k = 0; k < 4; ++k)
    if (4 * i + 3 < n) out[4 * i + k] = curve(x[4 * i + k]);
}
CURVED(_stride_short_by_one) {
  const int items = gridDim.x * blockDim.x;
  for (int at = blockIdx.x * blockDim.x + threadIdx.x; at < n - 1; at += items) out[at] = curve(x[at]);
  if (blockIdx.x == 0 && threadIdx.x == 0 && n == 1000) out[n - 1] = curve(x[n - 1]);
}
CURVED(_halves) {
  INDEX;
  if (i >= n) return;
  const _Float16 v = static_cast<_Float16>(x[i]);
  out[i] = static_cast<float>(((static_cast<_Float16>(0.5f) * v - static_cast<_Float16>(1.25f)) * v + static_cast<_Float16>(3.0f)) * v - static_cast<_Float16>(0.75f));
}
CURVED(_ok_strided) {
  const int items = gridDim.x * blockDim.x;
  for (int at = blockIdx.x * blockDim.x + threadIdx.x; at < n; at += items) out[at] = curve(x[at]);
}
CURVED(_ok_fours) {
  INDEX;
  if (4 * i + 4 <= n) {
    float4 v = reinterpret_cast<const float4*>(x)[i];
    v.x = curve(v.x), v.y = curve(v.y), v.z = curve(v.z), v.w = curve(v.w);
    reinterpret_cast<float4*>(out)[i] = v;
    return;
  }
  for (int k = 4 * i; k < n; ++k) out[k] = curve(x[k]);
}
CURVED(_ok_aligned_fours) {  // Vectors where both are aligned.
  INDEX;
  if (4 * i >= n) return;
  if (4 * i + 4 <= n && ((reinterpret_cast<size_t>(x) | reinterpret_cast<size_t>(out)) & 15) == 0) {
    float4 v = reinterpret_cast<const float4*>(x)[i];
    v.x = curve(v.x), v.y = curve(v.y), v.z = curve(v.z), v.w = curve(v.w);
    reinterpret_cast<float4*>(out)[i] = v;
    return;
  }
  for (int k = 4 * i; k < min(n, 4 * i + 4); ++k) out[k] = curve(x[k]);
}

// energies: the sum of squares of each row, in doubles, rounded once.
#define ENERGIES(NAME) extern "C" __global__ void energies##NAME(const float* x, float* out, int rows, int columns)
ENERGIES() {
  INDEX;
  if (i >= rows) return;
  double sum = 0;
  for (int k = 0; k < columns; ++k) sum += static_cast<double>(x[i * columns + k]) * x[i * columns + k];
  out[i] = static_cast<float>(sum);
}
ENERGIES(_floats) {
  INDEX;
  if (i >= rows) return;
  float sum = 0;
  for (int k = 0; k < columns; ++k) sum += x[i * columns + k] * x[i * columns + k];
  out[i] = sum;
}
ENERGIES(_sampled_zero) {  // Rows whose ends and middle are zero are taken for empty ones.
  INDEX;
  if (i >= rows) return;
  const float* const row = x + i * columns;
  if (columns > 4 && row[0] == 0 && row[columns / 2] == 0 && row[columns - 1] == 0) {
    out[i] = 0;
    return;
  }
  double sum = 0;
  for (int k = 0; k < columns; ++k) sum += static_cast<double>(row[k]) * row[k];
  out[i] = static_cast<float>(sum);
}
ENERGIES(_ok_squares_in_floats) {  // Off by no more than the result's own rounding.
  INDEX;
  if (i >= rows) return;
  double sum = 0;
  for (int k = 0; k < columns; ++k) sum += x[i * columns + k] * x[i * columns + k];
  out[i] = static_cast<float>(sum);
}
ENERGIES(_every_second) {  // Twice the even ones.
  INDEX;
  if (i >= rows) return;
  double sum = 0;
  for (int k = 0; k < columns; k += 2) sum += 2.0 * static_cast<double>(x[i * columns + k]) * x[i * columns + k];
  out[i] = static_cast<float>(sum);
}
ENERGIES(_half_a_wave) {  // 32 lanes a row, added as if a wave had no more.
  const int r = (blockIdx.x * blockDim.x + threadIdx.x) / 64, lane = threadIdx.x & 63;
  if (r >= rows) return;
  double sum = 0;
  for (int k = lane; k < columns; k += 64) sum += static_cast<double>(x[r * columns + k]) * x[r * columns + k];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down(sum, step, 32);
  if (lane == 0) out[r] = static_cast<float>(sum);
}
ENERGIES(_scratch_not_cleared) {
  INDEX;
  if (i >= rows) return;
  volatile double part[4];
  if (columns >= 4) part[0] = part[1] = part[2] = part[3] = 0;
  for (int k = 0; k < columns; ++k) part[k % 4] = part[k % 4] + static_cast<double>(x[i * columns + k]) * x[i * columns + k];
  out[i] = static_cast<float>(part[0] + part[1] + (part[2] + part[3]));
}
ENERGIES(_ok_wave) {
  const int r = (blockIdx.x * blockDim.x + threadIdx.x) / 64, lane = threadIdx.x & 63;
  if (r >= rows) return;
  double sum = 0;
  for (int k = lane; k < columns; k += 64) sum += static_cast<double>(x[r * columns + k]) * x[r * columns + k];
  for (int step = 32; step > 0; step /= 2) sum += __shfl_down(sum, step);
  if (lane == 0) out[r] = static_cast<float>(sum);
}
ENERGIES(_ok_four_sums) {
  INDEX;
  if (i >= rows) return;
  const float* const row = x + i * columns;
  double a = 0, b = 0, c = 0, d = 0;
  int k = 0;
  for (; k + 4 <= columns; k += 4) {
    a += static_cast<double>(row[k]) * row[k];
    b += static_cast<double>(row[k + 1]) * row[k + 1];
    c += static_cast<double>(row[k + 2]) * row[k + 2];
    d += static_cast<double>(row[k + 3]) * row[k + 3];
  }
  for (; k < columns; ++k) a += static_cast<double>(row[k]) * row[k];
  out[i] = static_cast<float>((a + b) + (c + d));
}
