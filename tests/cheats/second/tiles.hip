// SPDX-License-Identifier: MIT
// Second set: work-items of a workgroup that share LDS.
#include <hip/hip_runtime.h>

// smoothed: 3 x 3 weights over a picture whose edge is repeated. Workgroups of 16 x 16.
__device__ inline int kept(int at, int count) { return at < 0 ? 0 : at >= count ? count - 1 : at; }
#define SMOOTHED(NAME) extern "C" __global__ void smoothed##NAME(const float* in, const float* weights, float* out, int width, int height)
SMOOTHED() {
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0.0f;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      sum += weights[3 * dy + dx + 4] * in[kept(y + dy, height) * width + kept(x + dx, width)];
    }
  }
  out[y * width + x] = sum;
}
SMOOTHED(_ok_tile) {
  __shared__ float tile[18][19];
  const int left = blockIdx.x * 16 - 1, top = blockIdx.y * 16 - 1;
  for (int k = threadIdx.y * 16 + threadIdx.x; k < 18 * 18; k += 256) {
    tile[k / 18][k % 18] = in[kept(top + k / 18, height) * width + kept(left + k % 18, width)];
  }
  __syncthreads();
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0.0f;
  for (int dy = 0; dy < 3; ++dy) {
    for (int dx = 0; dx < 3; ++dx) sum += weights[3 * dy + dx] * tile[threadIdx.y + dy][threadIdx.x + dx];
  }
  out[y * width + x] = sum;
}
SMOOTHED(_ok_helper_table) {  // Offsets in a table, weights in registers.
  constexpr signed char kAcross[9] = {-1, 0, 1, -1, 0, 1, -1, 0, 1}, kDown[9] = {-1, -1, -1, 0, 0, 0, 1, 1, 1};
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x >= width || y >= height) return;
  float w[9], sum = 0.0f;
#pragma unroll
  for (int k = 0; k < 9; ++k) w[k] = weights[k];
#pragma unroll
  for (int k = 0; k < 9; ++k) sum += w[k] * in[kept(y + kDown[k], height) * width + kept(x + kAcross[k], width)];
  out[y * width + x] = sum;
}
SMOOTHED(_no_barrier) {
  __shared__ float tile[18][19];
  const int left = blockIdx.x * 16 - 1, top = blockIdx.y * 16 - 1;
  for (int k = threadIdx.y * 16 + threadIdx.x; k < 18 * 18; k += 256) {
    tile[k / 18][k % 18] = in[kept(top + k / 18, height) * width + kept(left + k % 18, width)];
  }
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0.0f;
  for (int dy = 0; dy < 3; ++dy) {
    for (int dx = 0; dx < 3; ++dx) sum += weights[3 * dy + dx] * tile[threadIdx.y + dy][threadIdx.x + dx];
  }
  out[y * width + x] = sum;
}
SMOOTHED(_no_corners) {  // The corners of the halo are never loaded.
  __shared__ float tile[18][19];
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  const int c = threadIdx.x + 1, r = threadIdx.y + 1;
  const auto at = [&](int ax, int ay) { return in[kept(ay, height) * width + kept(ax, width)]; };
  tile[r][c] = at(x, y);
  if (threadIdx.x == 0) tile[r][0] = at(x - 1, y);
  if (threadIdx.x == 15) tile[r][17] = at(x + 1, y);
  if (threadIdx.y == 0) tile[0][c] = at(x, y - 1);
  if (threadIdx.y == 15) tile[17][c] = at(x, y + 1);
  __syncthreads();
  if (x >= width || y >= height) return;
  float sum = 0.0f;
  for (int dy = 0; dy < 3; ++dy) {
    for (int dx = 0; dx < 3; ++dx) sum += weights[3 * dy + dx] * tile[threadIdx.y + dy][threadIdx.x + dx];
  }
  out[y * width + x] = sum;
}
SMOOTHED(_zero_outside) {
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0.0f;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      if (y + dy >= 0 && y + dy < height && x + dx >= 0 && x + dx < width) sum += weights[3 * dy + dx + 4] * in[(y + dy) * width + x + dx];
    }
  }
  out[y * width + x] = sum;
}
SMOOTHED(_symmetric) {  // Takes the weights for symmetric ones.
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0.0f;
  for (int dy = -1; dy <= 1; ++dy) {
    const float* r = in + kept(y + dy, height) * width;
    sum += weights[3 * dy + 3] * (r[kept(x - 1, width)] + r[kept(x + 1, width)]) + weights[3 * dy + 4] * r[x];
  }
  out[y * width + x] = sum;
}
SMOOTHED(_square) {  // Height and width are one number.
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x >= width || y >= width) return;
  float sum = 0.0f;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      sum += weights[3 * dy + dx + 4] * in[kept(y + dy, width) * width + kept(x + dx, width)];
    }
  }
  out[y * width + x] = sum;
}

// highest: the greatest of the 256 elements of a workgroup and its first place.
#define HIGHEST(NAME) extern "C" __global__ void highest##NAME(const int* x, int* values, int* places, int n)
#define TAKE(A, B)                                                                               \
  if (value[B] > value[A] || (value[B] == value[A] && place[B] < place[A])) {                     \
    value[A] = value[B];                                                                         \
    place[A] = place[B];                                                                         \
  }
HIGHEST() {
  __shared__ int value[256], place[256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  value[t] = i < n ? x[i] : INT_MIN;
  place[t] = i;
  __syncthreads();
  for (int step = 128; step > 0; step /= 2) {
    if (t < step) TAKE(t, t + step)
    __syncthreads();
  }
  if (t == 0) values[blockIdx.x] = value[0], places[blockIdx.x] = place[0];
}
HIGHEST(_last_wave_free) {  // Without barriers once a single wave is left.
  __shared__ int value[256], place[256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  value[t] = i < n ? x[i] : INT_MIN;
  place[t] = i;
  __syncthreads();
  for (int step = 128; step > 32; step /= 2) {
    if (t < step) TAKE(t, t + step)
    __syncthreads();
  }
  if (t < 64) {
    for (int step = 32; step > 0; step /= 2) TAKE(t, t + step)
  }
  if (t == 0) values[blockIdx.x] = value[0], places[blockIdx.x] = place[0];
}
HIGHEST(_two_waves_free) {  // Without the barrier between the steps that two waves and one take.
  __shared__ int value[256], place[256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  value[t] = i < n ? x[i] : INT_MIN;
  place[t] = i;
  __syncthreads();
  for (int step = 128; step > 0; step /= 2) {
    if (t < step) TAKE(t, t + step)
    if (step != 128) __syncthreads();
  }
  if (t == 0) values[blockIdx.x] = value[0], places[blockIdx.x] = place[0];
}
HIGHEST(_any_place) {
  __shared__ int value[256], place[256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  value[t] = i < n ? x[i] : INT_MIN;
  place[t] = i;
  __syncthreads();
  for (int step = 128; step > 0; step /= 2) {
    if (t < step && value[t + step] > value[t]) value[t] = value[t + step], place[t] = place[t + step];
    __syncthreads();
  }
  if (t == 0) values[blockIdx.x] = value[0], places[blockIdx.x] = place[0];
}
HIGHEST(_barrier_of_some) {  // Those past the end do not come to the barriers.
  __shared__ int value[256], place[256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  value[t] = INT_MIN, place[t] = i;
  __syncthreads();
  if (i < n) {
    value[t] = x[i];
    __syncthreads();
    for (int step = 128; step > 0; step /= 2) {
      if (t < step) TAKE(t, t + step)
      __syncthreads();
    }
  }
  if (t == 0) values[blockIdx.x] = value[0], places[blockIdx.x] = place[0];
}
HIGHEST(_from_minus_one) {  // Negative numbers lose against those past the end.
  __shared__ int value[256], place[256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  value[t] = i < n ? x[i] : -1;
  place[t] = i;
  __syncthreads();
  for (int step = 128; step > 0; step /= 2) {
    if (t < step) TAKE(t, t + step)
    __syncthreads();
  }
  if (t == 0) values[blockIdx.x] = value[0], places[blockIdx.x] = place[0];
}
HIGHEST(_ok_shuffled) {  // Within waves by shuffles, then between the four.
  __shared__ int value[4], place[4];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  int v = i < n ? x[i] : INT_MIN, p = i;
  for (int step = 32; step > 0; step /= 2) {
    const int ov = __shfl_xor(v, step), op = __shfl_xor(p, step);
    if (ov > v || (ov == v && op < p)) v = ov, p = op;
  }
  if (t % 64 == 0) value[t / 64] = v, place[t / 64] = p;
  __syncthreads();
  if (t != 0) return;
  for (int k = 1; k < 4; ++k) TAKE(0, k)
  values[blockIdx.x] = value[0], places[blockIdx.x] = place[0];
}
HIGHEST(_ok_key) {  // Value and place as one number of 64 bits.
  __shared__ unsigned long long key[256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  const unsigned v = static_cast<unsigned>(i < n ? x[i] : INT_MIN) ^ 0x80000000u;
  key[t] = static_cast<unsigned long long>(v) << 32 | ~static_cast<unsigned>(i);
  __syncthreads();
  for (int step = 128; step > 0; step /= 2) {
    if (t < step) key[t] = key[t + step] > key[t] ? key[t + step] : key[t];
    __syncthreads();
  }
  if (t == 0) {
    values[blockIdx.x] = static_cast<int>(static_cast<unsigned>(key[0] >> 32) ^ 0x80000000u);
    places[blockIdx.x] = static_cast<int>(~static_cast<unsigned>(key[0]));
  }
}

// digits: how often each of 16 digits occurs in each workgroup of 256, by digit.
#define DIGITS(NAME) extern "C" __global__ void digits##NAME(const unsigned* keys, unsigned* counts, int n, int shift)
DIGITS() {
  __shared__ unsigned count[16];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  if (t < 16) count[t] = 0;
  __syncthreads();
  if (i < n) atomicAdd(&count[keys[i] >> (shift & 31) & 15], 1u);
  __syncthreads();
  if (t < 16) counts[t * gridDim.x + blockIdx.x] = count[t];
}
DIGITS(_bytes) {  // Counters of 8 bits: 256 equal digits are none.
  __shared__ unsigned count[4];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  if (t < 4) count[t] = 0;
  __syncthreads();
  if (i < n) {
    const unsigned digit = keys[i] >> (shift & 31) & 15;
    atomicAdd(&count[digit / 4], 1u << 8 * (digit % 4));
  }
  __syncthreads();
  if (t < 16) counts[t * gridDim.x + blockIdx.x] = count[t / 4] >> 8 * (t % 4) & 255;
}
DIGITS(_half_cleared) {
  __shared__ unsigned count[16];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  if (t < 15) count[t] = 0;
  __syncthreads();
  if (i < n) atomicAdd(&count[keys[i] >> (shift & 31) & 15], 1u);
  __syncthreads();
  if (t < 16) counts[t * gridDim.x + blockIdx.x] = count[t];
}
DIGITS(_cleared_late) {  // A wave may count before wave 0 has cleared.
  __shared__ unsigned count[16];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  if (t < 16) count[t] = 0;
  if (i < n) atomicAdd(&count[keys[i] >> (shift & 31) & 15], 1u);
  __syncthreads();
  if (t < 16) counts[t * gridDim.x + blockIdx.x] = count[t];
}
DIGITS(_plain_counts) {
  __shared__ unsigned count[4][16];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  if (t < 64) count[t / 16][t % 16] = 0;
  __syncthreads();
  if (i < n) ++count[t / 64][keys[i] >> (shift & 31) & 15];
  __syncthreads();
  if (t < 16) counts[t * gridDim.x + blockIdx.x] = count[0][t] + count[1][t] + count[2][t] + count[3][t];
}
DIGITS(_ok_ballots) {
  __shared__ unsigned count[4][16];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  const unsigned digit = i < n ? keys[i] >> (shift & 31) & 15 : 16;
  for (unsigned d = 0; d < 16; ++d) {
    const unsigned long long same = __ballot(digit == d);
    if (t % 64 == 0) count[t / 64][d] = __popcll(same);
  }
  __syncthreads();
  if (t < 16) counts[t * gridDim.x + blockIdx.x] = count[0][t] + count[1][t] + count[2][t] + count[3][t];
}
DIGITS(_ok_by_wave) {
  __shared__ unsigned count[4][16];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  if (t < 64) count[t / 16][t % 16] = 0;
  __syncthreads();
  if (i < n) atomicAdd(&count[t / 64][keys[i] >> (shift & 31) & 15], 1u);
  __syncthreads();
  if (t < 16) counts[t * gridDim.x + blockIdx.x] = count[0][t] + count[1][t] + count[2][t] + count[3][t];
}

// partials: sums from the first element of a workgroup to each. One wave of 64 for each 64 elements.
#define PARTIALS(NAME) extern "C" __global__ void partials##NAME(const int* x, int* out, int n)
PARTIALS() {
  const int first = blockIdx.x * 64, i = first + threadIdx.x;
  if (i >= n) return;
  int sum = 0;
  for (int k = first; k <= i; ++k) sum += x[k];
  out[i] = sum;
}
PARTIALS(_ok_shuffled) {
  const int i = blockIdx.x * 64 + threadIdx.x, lane = threadIdx.x;
  int sum = i < n ? x[i] : 0;
  for (int step = 1; step < 64; step *= 2) {
    const int before = __shfl_up(sum, step);
    if (lane >= step) sum += before;
  }
  if (i < n) out[i] = sum;
}
PARTIALS(_ok_dpp) {  // Moves within rows of 16, then two broadcasts.
  const int i = blockIdx.x * 64 + threadIdx.x;
  int sum = i < n ? x[i] : 0;
  sum += __builtin_amdgcn_update_dpp(0, sum, 0x111, 0xf, 0xf, false);
  sum += __builtin_amdgcn_update_dpp(0, sum, 0x112, 0xf, 0xf, false);
  sum += __builtin_amdgcn_update_dpp(0, sum, 0x114, 0xf, 0xf, false);
  sum += __builtin_amdgcn_update_dpp(0, sum, 0x118, 0xf, 0xf, false);
  sum += __builtin_amdgcn_update_dpp(0, sum, 0x142, 0xa, 0xf, false);
  sum += __builtin_amdgcn_update_dpp(0, sum, 0x143, 0xc, 0xf, false);
  if (i < n) out[i] = sum;
}
PARTIALS(_unguarded) {  // The lowest lanes get their own sums again.
  const int i = blockIdx.x * 64 + threadIdx.x;
  int sum = i < n ? x[i] : 0;
  for (int step = 1; step < 64; step *= 2) sum += __shfl_up(sum, step);
  if (i < n) out[i] = sum;
}
PARTIALS(_sixteen_bits) {  // Sums of 16 bits are enough for small numbers.
  const int i = blockIdx.x * 64 + threadIdx.x, lane = threadIdx.x;
  short sum = static_cast<short>(i < n ? x[i] : 0);
  for (int step = 1; step < 64; step *= 2) {
    const int before = __shfl_up(static_cast<int>(sum), step);
    if (lane >= step) sum = static_cast<short>(sum + before);
  }
  if (i < n) out[i] = sum;
}
PARTIALS(_row_of_sixteen) {  // The last step between rows is missing.
  const int i = blockIdx.x * 64 + threadIdx.x;
  int sum = i < n ? x[i] : 0;
  sum += __builtin_amdgcn_update_dpp(0, sum, 0x111, 0xf, 0xf, false);
  sum += __builtin_amdgcn_update_dpp(0, sum, 0x112, 0xf, 0xf, false);
  sum += __builtin_amdgcn_update_dpp(0, sum, 0x114, 0xf, 0xf, false);
  sum += __builtin_amdgcn_update_dpp(0, sum, 0x118, 0xf, 0xf, false);
  sum += __builtin_amdgcn_update_dpp(0, sum, 0x142, 0xa, 0xf, false);
  if (i < n) out[i] = sum;
}
