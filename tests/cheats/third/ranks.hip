// SPDX-License-Identifier: MIT
// Third set: scans with carries, compaction, places of extremes, bits.
#include <hip/hip_runtime.h>

#define INDEX const int i = blockIdx.x * blockDim.x + threadIdx.x

// carried: sums from the first element of each 256 to each of them, by one workgroup.
#define CARRIED(NAME) extern "C" __global__ __launch_bounds__(256) void carried##NAME(const int* x, int* out, int n)
CARRIED() {
  __shared__ int sums[256];
  INDEX;
  const int t = threadIdx.x;
  sums[t] = i < n ? x[i] : 0;
  __syncthreads();
  for (int step = 1; step < 256; step *= 2) {
    const int before = t >= step ? sums[t - step] : 0;
    __syncthreads();
    sums[t] += before;
    __syncthreads();
  }
  if (i < n) out[i] = sums[t];
}
CARRIED(_read_and_write) {  // Nothing lies between reading a neighbour and adding to it.
  __shared__ int sums[256];
  INDEX;
  const int t = threadIdx.x;
  sums[t] = i < n ? x[i] : 0;
  __syncthreads();
  for (int step = 1; step < 256; step *= 2) {
    const int before = t >= step ? sums[t - step] : 0;
    sums[t] += before;
    __syncthreads();
  }
  if (i < n) out[i] = sums[t];
}
__device__ inline int within_wave(int value) {
  const int lane = threadIdx.x % 64;
  for (int step = 1; step < 64; step *= 2) {
    const int before = __shfl_up(value, step);
    if (lane >= step) value += before;
  }
  return value;
}
CARRIED(_ok_waves) {
  __shared__ int totals[4];
  INDEX;
  const int wave = threadIdx.x / 64;
  int sum = within_wave(i < n ? x[i] : 0);
  if (threadIdx.x % 64 == 63) totals[wave] = sum;
  __syncthreads();
  for (int k = 0; k < wave; ++k) sum += totals[k];
  if (i < n) out[i] = sum;
}
CARRIED(_ok_two_buffers) {
  __shared__ int sums[2][256];
  INDEX;
  const int t = threadIdx.x;
  int now = 0, own = i < n ? x[i] : 0;
  sums[0][t] = own;
  __syncthreads();
  for (int step = 1; step < 256; step *= 2) {
    if (t >= step) own += sums[now][t - step];
    now ^= 1;
    sums[now][t] = own;
    __syncthreads();
  }
  if (i < n) out[i] = own;
}
CARRIED(_same_buffer) {  // The index of the buffer is exchanged once too rarely: every other step reads what is being written.
  __shared__ int sums[2][256];
  INDEX;
  const int t = threadIdx.x;
  int own = i < n ? x[i] : 0;
  sums[0][t] = own;
  __syncthreads();
  for (int step = 1, turn = 0; step < 256; step *= 2, ++turn) {
    const int now = turn / 2 & 1;
    if (t >= step) own += sums[now][t - step];
    sums[now ^ (turn & 1)][t] = own;
    __syncthreads();
  }
  if (i < n) out[i] = own;
}
CARRIED(_last_carry_alone) {  // Each wave adds the total of the one before it, and no others.
  __shared__ int totals[4];
  INDEX;
  const int wave = threadIdx.x / 64;
  int sum = within_wave(i < n ? x[i] : 0);
  if (threadIdx.x % 64 == 63) totals[wave] = sum;
  __syncthreads();
  if (wave > 0) sum += totals[wave - 1];
  if (i < n) out[i] = sum;
}
CARRIED(_carry_too_early) {  // Totals are read before all waves have written them.
  __shared__ int totals[4];
  INDEX;
  const int wave = threadIdx.x / 64;
  int sum = within_wave(i < n ? x[i] : 0);
  if (threadIdx.x % 64 == 63) totals[wave] = sum;
  __builtin_amdgcn_wave_barrier();
  for (int k = 0; k < wave; ++k) sum += totals[k];
  if (i < n) out[i] = sum;
}

// tops: the greatest so far along each row of floats, an item a row.
#define TOPS(NAME) extern "C" __global__ void tops##NAME(const float* x, float* out, int rows, int columns)
TOPS() {
  INDEX;
  if (i >= rows) return;
  float top = -INFINITY;
  for (int c = 0; c < columns; ++c) out[i * columns + c] = top = fmaxf(top, x[i * columns + c]);
}
TOPS(_from_zero) {
  INDEX;
  if (i >= rows) return;
  float top = 0.0f;
  for (int c = 0; c < columns; ++c) out[i * columns + c] = top = fmaxf(top, x[i * columns + c]);
}
TOPS(_from_least_finite) {
  INDEX;
  if (i >= rows) return;
  float top = -3.402823466e38f;
  for (int c = 0; c < columns; ++c) out[i * columns + c] = top = fmaxf(top, x[i * columns + c]);
}
TOPS(_compared) {  // NaN stays what it is where it comes first, and where it comes later too.
  INDEX;
  if (i >= rows) return;
  float top = x[i * columns];
  for (int c = 0; c < columns; ++c) {
    const float v = x[i * columns + c];
    top = top > v ? top : v;
    out[i * columns + c] = top;
  }
}
TOPS(_ok_waves) {  // A wave a row, 64 columns at a time, the greatest so far carried on.
  const int row = blockIdx.x, lane = threadIdx.x;
  if (row >= rows) return;
  float carry = -INFINITY;
  for (int from = 0; from < columns; from += 64) {
    float top = from + lane < columns ? x[row * columns + from + lane] : -INFINITY;
    top = fmaxf(-INFINITY, top);
    for (int step = 1; step < 64; step *= 2) {
      const float before = __shfl_up(top, step);
      if (lane >= step) top = fmaxf(before, top);
    }
    top = fmaxf(carry, top);
    if (from + lane < columns) out[row * columns + from + lane] = top;
    carry = __shfl(top, 63);
  }
}
TOPS(_carry_of_first) {  // The carry is set by the first 64 columns and kept.
  const int row = blockIdx.x, lane = threadIdx.x;
  if (row >= rows) return;
  float carry = -INFINITY;
  for (int from = 0; from < columns; from += 64) {
    float top = from + lane < columns ? x[row * columns + from + lane] : -INFINITY;
    top = fmaxf(-INFINITY, top);
    for (int step = 1; step < 64; step *= 2) {
      const float before = __shfl_up(top, step);
      if (lane >= step) top = fmaxf(before, top);
    }
    top = fmaxf(carry, top);
    if (from + lane < columns) out[row * columns + from + lane] = top;
    if (from == 0) carry = __shfl(top, 63);
  }
}

// kept: numbers above a limit, in order, packed at the front of each workgroup's 256 places; how many there were.
#define KEPT(NAME) extern "C" __global__ __launch_bounds__(256) void kept##NAME(const int* x, int* out, int* counts, int n, int limit)
KEPT() {
  __shared__ unsigned char wanted[256];
  INDEX;
  const int t = threadIdx.x;
  const int value = i < n ? x[i] : 0;
  wanted[t] = i < n && value > limit;
  __syncthreads();
  int at = 0;
  for (int k = 0; k < t; ++k) at += wanted[k];
  if (wanted[t]) out[blockIdx.x * 256 + at] = value;
  if (t == 255) counts[blockIdx.x] = at + wanted[255];
}
#define BALLOTS                                                                      \
  __shared__ int totals[4];                                                          \
  INDEX;                                                                             \
  const int t = threadIdx.x, wave = t / 64, lane = t % 64;                           \
  const int value = i < n ? x[i] : 0;                                                \
  const bool wanted = i < n && value > limit;                                        \
  const unsigned long long mask = __ballot(wanted);
KEPT(_ok_ballot) {
  BALLOTS
  if (lane == 0) totals[wave] = __popcll(mask);
  __syncthreads();
  int at = __popcll(mask & ((1ull << lane) - 1));
  for (int k = 0; k < wave; ++k) at += totals[k];
  if (wanted) out[blockIdx.x * 256 + at] = value;
  if (t == 255) counts[blockIdx.x] = totals[0] + totals[1] + totals[2] + totals[3];
}
KEPT(_ok_counted_lanes) {
  BALLOTS
  if (lane == 0) totals[wave] = __popcll(mask);
  __syncthreads();
  int at = __builtin_amdgcn_mbcnt_hi(static_cast<unsigned>(mask >> 32), __builtin_amdgcn_mbcnt_lo(static_cast<unsigned>(mask), 0));
  for (int k = 0; k < wave; ++k) at += totals[k];
  if (wanted) out[blockIdx.x * 256 + at] = value;
  if (t == 255) counts[blockIdx.x] = totals[0] + totals[1] + totals[2] + totals[3];
}
KEPT(_half_of_mask) {
  BALLOTS
  if (lane == 0) totals[wave] = __popcll(mask);
  __syncthreads();
  int at = __popc(static_cast<unsigned>(mask) & ((1u << (lane & 31)) - 1));
  if (lane >= 32) at = __popc(static_cast<unsigned>(mask)) + __popc(static_cast<unsigned>(mask) & ((1u << (lane & 31)) - 1));
  for (int k = 0; k < wave; ++k) at += totals[k];
  if (wanted) out[blockIdx.x * 256 + at] = value;
  if (t == 255) counts[blockIdx.x] = totals[0] + totals[1] + totals[2] + totals[3];
}
KEPT(_tail_counted) {  // Items beyond the end count as zeros, which may be above the limit.
  __shared__ int totals[4];
  INDEX;
  const int t = threadIdx.x, wave = t / 64, lane = t % 64;
  const int value = i < n ? x[i] : 0;
  const unsigned long long mask = __ballot(value > limit);
  if (lane == 0) totals[wave] = __popcll(mask);
  __syncthreads();
  int at = __popcll(mask & ((1ull << lane) - 1));
  for (int k = 0; k < wave; ++k) at += totals[k];
  if (i < n && value > limit) out[blockIdx.x * 256 + at] = value;
  if (t == 255) counts[blockIdx.x] = totals[0] + totals[1] + totals[2] + totals[3];
}
KEPT(_any_order) {  // Each wave takes its places when it comes.
  __shared__ int used;
  INDEX;
  const int t = threadIdx.x, lane = t % 64;
  if (t == 0) used = 0;
  __syncthreads();
  const int value = i < n ? x[i] : 0;
  const bool wanted = i < n && value > limit;
  const unsigned long long mask = __ballot(wanted);
  int first = 0;
  if (lane == 0) first = atomicAdd(&used, __popcll(mask));
  first = __shfl(first, 0);
  if (wanted) out[blockIdx.x * 256 + first + __popcll(mask & ((1ull << lane) - 1))] = value;
  __syncthreads();
  if (t == 0) counts[blockIdx.x] = used;
}

// least: the place of the least of each row, the first of equal ones. A workgroup of 64 a row.
#define LEAST(NAME) extern "C" __global__ void least##NAME(const float* x, int* out, int columns)
LEAST() {
  if (threadIdx.x != 0) return;
  const float* row = x + static_cast<size_t>(blockIdx.x) * columns;
  float best = INFINITY;
  int at = 0;
  for (int c = 0; c < columns; ++c) {
    if (row[c] < best) best = row[c], at = c;
  }
  out[blockIdx.x] = at;
}
#define OF_LANE                                                       \
  const float* row = x + static_cast<size_t>(blockIdx.x) * columns;   \
  float best = INFINITY;                                              \
  int at = 0;                                                         \
  for (int c = threadIdx.x; c < columns; c += 64) {                   \
    if (row[c] < best) best = row[c], at = c;                         \
  }
LEAST(_ok_shuffled) {
  OF_LANE
  for (int mask = 32; mask > 0; mask /= 2) {
    const float other = __shfl_xor(best, mask);
    const int place = __shfl_xor(at, mask);
    if (other < best || (other == best && place < at)) best = other, at = place;
  }
  if (threadIdx.x == 0) out[blockIdx.x] = at;
}
LEAST(_ties_by_lane) {
  OF_LANE
  for (int mask = 32; mask > 0; mask /= 2) {
    const float other = __shfl_down(best, mask);
    const int place = __shfl_down(at, mask);
    if (other < best) best = other, at = place;
  }
  if (threadIdx.x == 0) out[blockIdx.x] = at;
}
__device__ inline unsigned long long key_of(float value, int place) {
  const unsigned bits = __float_as_uint(value);
  return static_cast<unsigned long long>(bits & 0x80000000u ? ~bits : bits | 0x80000000u) << 32 | static_cast<unsigned>(place);
}
__device__ inline unsigned long long lesser(unsigned long long key) {
  for (int mask = 32; mask > 0; mask /= 2) {
    const unsigned long long other = __shfl_xor(key, mask);
    key = other < key ? other : key;
  }
  return key;
}
LEAST(_zeros_ordered) {  // -0 sorts before 0, and NaN by its sign.
  const float* row = x + static_cast<size_t>(blockIdx.x) * columns;
  unsigned long long key = key_of(INFINITY, 0);
  for (int c = threadIdx.x; c < columns; c += 64) {
    const unsigned long long own = key_of(row[c], c);
    key = own < key ? own : key;
  }
  key = lesser(key);
  if (threadIdx.x == 0) out[blockIdx.x] = static_cast<int>(static_cast<unsigned>(key));
}
LEAST(_ok_keys) {
  const float* row = x + static_cast<size_t>(blockIdx.x) * columns;
  unsigned long long key = key_of(INFINITY, 0);
  for (int c = threadIdx.x; c < columns; c += 64) {
    const float v = row[c];
    if (!(v < INFINITY)) continue;
    const unsigned long long own = key_of(v == 0.0f ? 0.0f : v, c);
    key = own < key ? own : key;
  }
  key = lesser(key);
  if (threadIdx.x == 0) out[blockIdx.x] = static_cast<int>(static_cast<unsigned>(key));
}
LEAST(_bits_as_integers) {  // Right for positive numbers.
  const float* row = x + static_cast<size_t>(blockIdx.x) * columns;
  unsigned long long key = ~0ull;
  for (int c = threadIdx.x; c < columns; c += 64) {
    const unsigned long long own = static_cast<unsigned long long>(__float_as_uint(row[c])) << 32 | static_cast<unsigned>(c);
    key = own < key ? own : key;
  }
  key = lesser(key);
  if (threadIdx.x == 0) out[blockIdx.x] = key == ~0ull ? 0 : static_cast<int>(static_cast<unsigned>(key));
}
LEAST(_no_lower_than_zero) {  // Leaves when it has found a zero.
  const float* row = x + static_cast<size_t>(blockIdx.x) * columns;
  if (threadIdx.x != 0) return;
  float best = INFINITY;
  int at = 0;
  for (int c = 0; c < columns; ++c) {
    if (row[c] < best) best = row[c], at = c;
    if (best == 0.0f) break;
  }
  out[blockIdx.x] = at;
}
