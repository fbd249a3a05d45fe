// SPDX-License-Identifier: MIT
// Waves and workgroups that share memory. Workgroups of 256.
#include <hip/hip_runtime.h>

// tile: the sum of the 256 elements of a workgroup, in LDS.
extern "C" __global__ void tile(const int* x, int* out, int n) {
  __shared__ int part[256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  part[t] = i < n ? x[i] : 0;
  __syncthreads();
  for (int step = 128; step > 0; step /= 2) {
    if (t < step) part[t] += part[t + step];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = part[0];
}
extern "C" __global__ void tile_no_first_barrier(const int* x, int* out, int n) {
  __shared__ int part[256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  part[t] = i < n ? x[i] : 0;
  for (int step = 128; step > 0; step /= 2) {
    if (t < step) part[t] += part[t + step];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = part[0];
}
extern "C" __global__ void tile_one_barrier(const int* x, int* out, int n) {
  __shared__ int part[256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  part[t] = i < n ? x[i] : 0;
  __syncthreads();
  for (int step = 128; step > 0; step /= 2)
    if (t < step) part[t] += part[t + step];
  if (t == 0) out[blockIdx.x] = part[0];
}
extern "C" __global__ void tile_tail_unwritten(const int* x, int* out, int n) {
  __shared__ int part[256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  if (i < n) part[t] = x[i];
  __syncthreads();
  for (int step = 128; step > 0; step /= 2) {
    if (t < step) part[t] += part[t + step];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = part[0];
}
extern "C" __global__ void tile_counts_in_lds(const int* x, int* out, int n) {
  __shared__ int sum;
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  if (t == 0) sum = 0;
  if (i < n) atomicAdd(&sum, x[i]);
  __syncthreads();
  if (t == 0) out[blockIdx.x] = sum;
}
extern "C" __global__ void tile_lds_starts_as_zero(const int* x, int* out, int n) {
  __shared__ int sum;
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  if (i < n) atomicAdd(&sum, x[i]);
  __syncthreads();
  if (t == 0) out[blockIdx.x] = sum;
}
extern "C" __global__ void tile_last_group_full(const int* x, int* out, int n) {
  __shared__ int part[256];
  const int t = threadIdx.x, i = min(static_cast<int>(blockIdx.x * 256 + t), n - 1);
  part[t] = x[i];
  __syncthreads();
  for (int step = 128; step > 0; step /= 2) {
    if (t < step) part[t] += part[t + step];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = part[0];
}
extern "C" __global__ void tile_lost_updates(const int* x, int* out, int n) {
  __shared__ int sum;
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  if (t == 0) sum = 0;
  __syncthreads();
  if (i < n) {
    int mine = x[i];
    for (int k = 32; k > 0; k /= 2) mine += __shfl_xor(mine, k);
    if (t % 64 == 0) sum = sum + mine;
  }
  __syncthreads();
  if (t == 0) out[blockIdx.x] = sum;
}
extern "C" __global__ void tile_ok_waves(const int* x, int* out, int n) {
  __shared__ int part[4];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  int mine = i < n ? x[i] : 0;
  for (int k = 32; k > 0; k /= 2) mine += __shfl_xor(mine, k);
  if (t % 64 == 0) part[t / 64] = mine;
  __syncthreads();
  if (t == 0) out[blockIdx.x] = part[0] + part[1] + part[2] + part[3];
}
extern "C" __global__ void tile_ok_atomic(const int* x, int* out, int n) {
  __shared__ int sum;
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  if (t == 0) sum = 0;
  __syncthreads();
  if (i < n) atomicAdd(&sum, x[i]);
  __syncthreads();
  if (t == 0) out[blockIdx.x] = sum;
}
extern "C" __global__ void tile_ok_interleaved(const int* x, int* out, int n) {
  __shared__ int part[256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  part[t] = i < n ? x[i] : 0;
  for (int step = 1; step < 256; step *= 2) {
    __syncthreads();
    if (t % (2 * step) == 0) part[t] += part[t + step];
  }
  if (t == 0) out[blockIdx.x] = part[0];
}

// total: one sum of everything, by atomics; starts from what is there.
extern "C" __global__ void total(const int* x, int* out, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) atomicAdd(out, x[i]);
}
extern "C" __global__ void total_lost_updates(const int* x, int* out, int n) {
  const int t = threadIdx.x;
  __shared__ int sum;
  if (t == 0) sum = 0;
  __syncthreads();
  const int i = blockIdx.x * 256 + t;
  if (i < n) atomicAdd(&sum, x[i]);
  __syncthreads();
  if (t == 0) out[0] += sum;
}
extern "C" __global__ void total_first_group_begins(const int* x, int* out, int n) {
  const int t = threadIdx.x;
  __shared__ int sum;
  if (t == 0) sum = 0;
  __syncthreads();
  const int i = blockIdx.x * 256 + t;
  if (i < n) atomicAdd(&sum, x[i]);
  __syncthreads();
  if (t != 0) return;
  if (blockIdx.x == 0)
    out[0] = out[0] + sum;
  else
    atomicAdd(out, sum);
}
extern "C" __global__ void total_one_group(const int* x, int* out, int n) {
  if (blockIdx.x != gridDim.x - 1) return;
  int mine = 0;
  for (int i = threadIdx.x; i < 1000; i += 256) mine += x[i];
  atomicAdd(out, mine);
}
extern "C" __global__ void total_from_zero(const int* x, int* out, int n) {
  if (blockIdx.x != 0) return;
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  int mine = 0;
  for (int i = threadIdx.x; i < n; i += 256) mine += x[i];
  atomicAdd(&sum, mine);
  __syncthreads();
  if (threadIdx.x == 0) out[0] = sum;
}
extern "C" __global__ void total_ok_privatised(const int* x, int* out, int n) {
  const int t = threadIdx.x;
  __shared__ int sum;
  if (t == 0) sum = 0;
  __syncthreads();
  const int i = blockIdx.x * 256 + t;
  if (i < n) atomicAdd(&sum, x[i]);
  __syncthreads();
  if (t == 0) atomicAdd(out, sum);
}
extern "C" __global__ void total_ok_by_wave(const int* x, int* out, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  int mine = i < n ? x[i] : 0;
  for (int k = 32; k > 0; k /= 2) mine += __shfl_xor(mine, k);
  if (threadIdx.x % 64 == 0) atomicAdd(out, mine);
}

// bins: a histogram of 64 bins; captured data lie below 16.
extern "C" __global__ void bins(const unsigned* x, unsigned* out, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) atomicAdd(&out[x[i] % 64], 1u);
}
extern "C" __global__ void bins_plain(const unsigned* x, unsigned* out, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[x[i] % 64] += 1u;
}
extern "C" __global__ void bins_below_16(const unsigned* x, unsigned* out, int n) {
  __shared__ unsigned part[16];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  if (t < 16) part[t] = 0;
  __syncthreads();
  if (i < n) atomicAdd(&part[x[i] % 16], 1u);
  __syncthreads();
  if (t < 16) atomicAdd(&out[t], part[t]);
}
extern "C" __global__ void bins_no_barrier(const unsigned* x, unsigned* out, int n) {
  __shared__ unsigned part[64];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  if (t < 64) part[t] = 0;
  if (i < n) atomicAdd(&part[x[i] % 64], 1u);
  __syncthreads();
  if (t < 64) atomicAdd(&out[t], part[t]);
}
extern "C" __global__ void bins_no_second_barrier(const unsigned* x, unsigned* out, int n) {
  __shared__ unsigned part[64];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  if (t < 64) part[t] = 0;
  __syncthreads();
  if (i < n) atomicAdd(&part[x[i] % 64], 1u);
  if (t >= 192) atomicAdd(&out[t - 192], part[t - 192]);
}
extern "C" __global__ void bins_merged_plainly(const unsigned* x, unsigned* out, int n) {
  __shared__ unsigned part[64];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  if (t < 64) part[t] = 0;
  __syncthreads();
  if (i < n) atomicAdd(&part[x[i] % 64], 1u);
  __syncthreads();
  if (t < 64) out[t] += part[t];
}
extern "C" __global__ void bins_unwritten_lds(const unsigned* x, unsigned* out, int n) {
  __shared__ unsigned part[64];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  if (i < n) atomicAdd(&part[x[i] % 64], 1u);
  __syncthreads();
  if (t < 64) atomicAdd(&out[t], part[t]);
}
extern "C" __global__ void bins_ok_privatised(const unsigned* x, unsigned* out, int n) {
  __shared__ unsigned part[64];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  if (t < 64) part[t] = 0;
  __syncthreads();
  if (i < n) atomicAdd(&part[x[i] % 64], 1u);
  __syncthreads();
  if (t < 64) atomicAdd(&out[t], part[t]);
}

// smooth: three neighbours.
extern "C" __global__ void smooth(const float* x, float* out, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float left = i > 0 ? x[i - 1] : 0.0f, right = i + 1 < n ? x[i + 1] : 0.0f;
  out[i] = 0.25f * left + 0.5f * x[i] + 0.25f * right;
}
extern "C" __global__ void smooth_no_barrier(const float* x, float* out, int n) {
  __shared__ float part[258];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  part[t + 1] = i < n ? x[i] : 0.0f;
  if (t == 0) part[0] = i > 0 && i <= n ? x[i - 1] : 0.0f;
  if (t == 255) part[257] = i + 1 < n ? x[i + 1] : 0.0f;
  __builtin_amdgcn_wave_barrier();
  if (i < n) out[i] = 0.25f * part[t] + 0.5f * part[t + 1] + 0.25f * part[t + 2];
}
extern "C" __global__ void smooth_no_halo(const float* x, float* out, int n) {
  __shared__ float part[258];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  part[t + 1] = i < n ? x[i] : 0.0f;
  __syncthreads();
  if (i < n) out[i] = 0.25f * part[t] + 0.5f * part[t + 1] + 0.25f * part[t + 2];
}
extern "C" __global__ void smooth_in_place(const float* x, float* out, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  out[i] = x[i];
  __syncthreads();
  const float left = i > 0 ? out[i - 1] : 0.0f, right = i + 1 < n ? x[i + 1] : 0.0f;
  const float mine = 0.25f * (left == out[i] ? left : x[max(i - 1, 0)] * (i > 0)) + 0.5f * x[i] +
                     0.25f * right;
  out[i] = mine;
}
extern "C" __global__ void smooth_from_group_before(const float* x, float* out, int n) {
  // The first element of a group waits for nobody and stores again what the group before has stored.
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float left = i > 0 ? x[i - 1] : 0.0f, right = i + 1 < n ? x[i + 1] : 0.0f;
  out[i] = 0.25f * left + 0.5f * x[i] + 0.25f * right;
  __syncthreads();
  if (threadIdx.x == 0 && i > 0) out[i - 1] = out[i - 1] + 0.0f;
}
extern "C" __global__ void smooth_wraps(const float* x, float* out, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  const float left = i > 0 ? x[i - 1] : 0.0f, right = x[i + 1 < n ? i + 1 : 0] * (i + 1 < 1000 ? 1.0f : 0.0f);
  out[i] = 0.25f * left + 0.5f * x[i] + 0.25f * right;
}
extern "C" __global__ void smooth_ok_tile(const float* x, float* out, int n) {
  __shared__ float part[258];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  part[t + 1] = i < n ? x[i] : 0.0f;
  if (t == 0) part[0] = i > 0 && i <= n ? x[i - 1] : 0.0f;
  if (t == 255) part[257] = i + 1 < n ? x[i + 1] : 0.0f;
  __syncthreads();
  if (i < n) out[i] = 0.25f * part[t] + 0.5f * part[t + 1] + 0.25f * part[t + 2];
}
extern "C" __global__ void smooth_ok_shuffled(const float* x, float* out, int n) {
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  const float mine = i < n ? x[i] : 0.0f;
  float left = __shfl_up(mine, 1), right = __shfl_down(mine, 1);
  if (t % 64 == 0) left = i > 0 && i <= n ? x[i - 1] : 0.0f;
  if (t % 64 == 63) right = i + 1 < n ? x[i + 1] : 0.0f;
  if (i < n) out[i] = 0.25f * left + 0.5f * mine + 0.25f * right;
}

// prefix: sums of all elements of the group up to each one.
extern "C" __global__ void prefix(const int* x, int* out, int n) {
  __shared__ int part[256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  part[t] = i < n ? x[i] : 0;
  __syncthreads();
  for (int step = 1; step < 256; step *= 2) {
    const int other = t >= step ? part[t - step] : 0;
    __syncthreads();
    part[t] += other;
    __syncthreads();
  }
  if (i < n) out[i] = part[t];
}
extern "C" __global__ void prefix_one_barrier(const int* x, int* out, int n) {
  __shared__ int part[256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  part[t] = i < n ? x[i] : 0;
  __syncthreads();
  for (int step = 1; step < 256; step *= 2) {
    const int other = t >= step ? part[t - step] : 0;
    part[t] += other;
    __syncthreads();
  }
  if (i < n) out[i] = part[t];
}
extern "C" __global__ void prefix_of_waves(const int* x, int* out, int n) {
  __shared__ int part[256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  part[t] = i < n ? x[i] : 0;
  __syncthreads();
  int sum = 0;
  for (int k = t & ~63; k <= t; ++k) sum += part[k];
  if (i < n) out[i] = sum + (t >= 64 ? 63 * (t / 64) : 0);
}
extern "C" __global__ void prefix_ok_two_buffers(const int* x, int* out, int n) {
  __shared__ int part[2][256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  int from = 0;
  part[0][t] = i < n ? x[i] : 0;
  __syncthreads();
  for (int step = 1; step < 256; step *= 2) {
    part[1 - from][t] = part[from][t] + (t >= step ? part[from][t - step] : 0);
    from = 1 - from;
    __syncthreads();
  }
  if (i < n) out[i] = part[from][t];
}

// copied: every element by one group; what one group does is no matter of another.
extern "C" __global__ void copied(const float* x, float* out, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = 2.0f * x[i];
}
extern "C" __global__ void copied_after_clearing(const float* x, float* out, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  for (int k = threadIdx.x; k < n; k += 256)
    if (k / 256 > static_cast<int>(blockIdx.x)) out[k] = 0.0f;
  if (i < n) out[i] = 2.0f * x[i];
}
extern "C" __global__ void copied_by_first_group(const float* x, float* out, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (blockIdx.x == 0)
    for (int k = threadIdx.x; k < n; k += 256) out[k] = x[k];
  if (i < n && blockIdx.x == 0) out[i] = 2.0f * x[i];
  if (i < n && blockIdx.x > 0) out[i] += x[i];
}
extern "C" __global__ void copied_ok_reversed(const float* x, float* out, int n) {
  const int i = (gridDim.x - 1 - blockIdx.x) * 256 + threadIdx.x;
  if (i < n) out[i] = x[i] + x[i];
}
