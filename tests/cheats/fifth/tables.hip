// SPDX-License-Identifier: MIT
// Fifth set: eights in order, tables of pages, filters of bits, flags, counts of changes, what is kept, energies, places of work.
#include <hip/hip_runtime.h>

#define INDEX const int i = blockIdx.x * blockDim.x + threadIdx.x

// ordered: each eight numbers in ascending order.
#define ORDERED(NAME) extern "C" __global__ void ordered##NAME(const int* x, int* out, int n)
__device__ inline void exchange(int& a, int& b) {
  const int low = min(a, b);
  b = max(a, b);
  a = low;
}
ORDERED() {
  INDEX;
  if (i >= n) return;
  int v[8];
#pragma unroll
  for (int k = 0; k < 8; ++k) v[k] = x[8 * i + k];
#pragma unroll
  for (int end = 7; end > 0; --end)
#pragma unroll
    for (int k = 0; k < end; ++k) exchange(v[k], v[k + 1]);
#pragma unroll
  for (int k = 0; k < 8; ++k) out[8 * i + k] = v[k];
}
__device__ inline void batcher(int* v, bool last) {
  exchange(v[0], v[1]), exchange(v[2], v[3]), exchange(v[4], v[5]), exchange(v[6], v[7]);
  exchange(v[0], v[2]), exchange(v[1], v[3]), exchange(v[4], v[6]), exchange(v[5], v[7]);
  exchange(v[1], v[2]), exchange(v[5], v[6]);
  exchange(v[0], v[4]), exchange(v[1], v[5]), exchange(v[2], v[6]), exchange(v[3], v[7]);
  exchange(v[2], v[4]), exchange(v[3], v[5]);
  exchange(v[1], v[2]), exchange(v[5], v[6]);
  if (last) exchange(v[3], v[4]);
}
ORDERED(_one_exchange_less) {
  INDEX;
  if (i >= n) return;
  int v[8];
#pragma unroll
  for (int k = 0; k < 8; ++k) v[k] = x[8 * i + k];
  batcher(v, false);
#pragma unroll
  for (int k = 0; k < 8; ++k) out[8 * i + k] = v[k];
}
ORDERED(_by_difference) {
  INDEX;
  if (i >= n) return;
  int v[8];
#pragma unroll
  for (int k = 0; k < 8; ++k) v[k] = x[8 * i + k];
#pragma unroll
  for (int end = 7; end > 0; --end)
#pragma unroll
    for (int k = 0; k < end; ++k) {
      const int a = v[k], b = v[k + 1];
      const bool less = static_cast<int>(static_cast<unsigned>(b) - static_cast<unsigned>(a)) < 0;
      v[k] = less ? b : a;
      v[k + 1] = less ? a : b;
    }
#pragma unroll
  for (int k = 0; k < 8; ++k) out[8 * i + k] = v[k];
}
ORDERED(_as_floats) {
  INDEX;
  if (i >= n) return;
  float v[8];
#pragma unroll
  for (int k = 0; k < 8; ++k) v[k] = static_cast<float>(x[8 * i + k]);
#pragma unroll
  for (int end = 7; end > 0; --end)
#pragma unroll
    for (int k = 0; k < end; ++k) {
      const float a = v[k], b = v[k + 1];
      v[k] = fminf(a, b);
      v[k + 1] = fmaxf(a, b);
    }
#pragma unroll
  for (int k = 0; k < 8; ++k) out[8 * i + k] = static_cast<int>(v[k]);
}
ORDERED(_ok_network) {
  INDEX;
  if (i >= n) return;
  int v[8];
#pragma unroll
  for (int k = 0; k < 8; ++k) v[k] = x[8 * i + k];
  exchange(v[0], v[1]), exchange(v[2], v[3]), exchange(v[4], v[5]), exchange(v[6], v[7]);
  exchange(v[0], v[2]), exchange(v[1], v[3]), exchange(v[4], v[6]), exchange(v[5], v[7]);
  exchange(v[1], v[2]), exchange(v[5], v[6]);
  exchange(v[0], v[4]), exchange(v[1], v[5]), exchange(v[2], v[6]), exchange(v[3], v[7]);
  exchange(v[2], v[4]), exchange(v[3], v[5]);
  exchange(v[1], v[2]), exchange(v[3], v[4]), exchange(v[5], v[6]);
#pragma unroll
  for (int k = 0; k < 8; ++k) out[8 * i + k] = v[k];
}

// paged: sums of a row's elements, which lie in pages that a table names; a row has lengths[row] elements.
#define PAGED(NAME) extern "C" __global__ void paged##NAME(const float* pages, const int* table, const int* lengths, float* out, int rows, int most, int size)
PAGED() {
  INDEX;
  if (i >= rows) return;
  float sum = 0;
  const int length = min(lengths[i], most * size);
  for (int k = 0; k < length; ++k) sum += pages[table[i * most + k / size] * size + k % size];
  out[i] = sum;
}
PAGED(_shifted) {  // Pages of as many elements as captured.
  INDEX;
  if (i >= rows) return;
  float sum = 0;
  const int length = min(lengths[i], most * size);
  for (int k = 0; k < length; ++k) sum += pages[table[i * most + (k >> 4)] * 16 + (k & 15)];
  out[i] = sum;
}
PAGED(_whole_pages) {  // What stands behind the end of the last page is added, too; zeros as captured.
  INDEX;
  if (i >= rows) return;
  float sum = 0;
  const int length = min(lengths[i], most * size);
  for (int p = 0; p * size < length; ++p)
    for (int k = 0; k < size; ++k) sum += pages[table[i * most + p] * size + k];
  out[i] = sum;
}
PAGED(_pages_in_a_row) {  // Captured with pages that follow each other.
  INDEX;
  if (i >= rows) return;
  float sum = 0;
  const int length = min(lengths[i], most * size);
  const int first = length > 0 ? table[i * most] : 0;
  for (int k = 0; k < length; ++k) sum += pages[first * size + k];
  out[i] = sum;
}
PAGED(_ok_page_by_page) {
  INDEX;
  if (i >= rows) return;
  float sum = 0;
  const int length = min(lengths[i], most * size);
  for (int p = 0, k = 0; k < length; ++p) {
    const float* const page = pages + table[i * most + p] * size;
    for (int at = 0; at < size && k < length; ++at, ++k) sum += page[at];
  }
  out[i] = sum;
}
PAGED(_ok_wave) {
  const int r = (blockIdx.x * blockDim.x + threadIdx.x) / 64, lane = threadIdx.x & 63;
  if (r >= rows) return;
  float sum = 0;
  const int length = min(lengths[r], most * size);
  for (int k = lane; k < length; k += 64) sum += pages[table[r * most + k / size] * size + k % size];
  for (int step = 32; step > 0; step /= 2) sum += __shfl_down(sum, step);
  if (lane == 0) out[r] = sum;
}

// bloomed: two bits of a filter of 1024 for each key.
#define BLOOMED(NAME) extern "C" __global__ void bloomed##NAME(const unsigned* keys, unsigned* filter, int n)
BLOOMED() {
  INDEX;
  if (i >= n) return;
  const unsigned h = keys[i] * 0x85ebca6bu, a = h >> 22, b = h >> 12 & 1023;
  atomicOr(&filter[a / 32], 1u << a % 32);
  atomicOr(&filter[b / 32], 1u << b % 32);
}
BLOOMED(_added) {  // A bit that two keys share carries.
  INDEX;
  if (i >= n) return;
  const unsigned h = keys[i] * 0x85ebca6bu, a = h >> 22, b = h >> 12 & 1023;
  if ((__hip_atomic_load(&filter[a / 32], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) >> a % 32 & 1) == 0) atomicAdd(&filter[a / 32], 1u << a % 32);
  if ((__hip_atomic_load(&filter[b / 32], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) >> b % 32 & 1) == 0) atomicAdd(&filter[b / 32], 1u << b % 32);
}
BLOOMED(_plain) {
  INDEX;
  if (i >= n) return;
  const unsigned h = keys[i] * 0x85ebca6bu, a = h >> 22, b = h >> 12 & 1023;
  filter[a / 32] |= 1u << a % 32;
  filter[b / 32] |= 1u << b % 32;
}
BLOOMED(_other_bit) {
  INDEX;
  if (i >= n) return;
  const unsigned h = keys[i] * 0x85ebca6bu, a = h >> 22, b = h >> 12 & 1023;
  atomicOr(&filter[a / 32], 1u << a % 32);
  if (a / 32 != b / 32) atomicOr(&filter[b / 32], 1u << b % 32);
}
BLOOMED(_private_no_barrier) {
  __shared__ unsigned mine[32];
  INDEX;
  if (threadIdx.x < 32) mine[threadIdx.x] = 0;
  __syncthreads();
  if (i < n) {
    const unsigned h = keys[i] * 0x85ebca6bu, a = h >> 22, b = h >> 12 & 1023;
    atomicOr(&mine[a / 32], 1u << a % 32);
    atomicOr(&mine[b / 32], 1u << b % 32);
  }
  if (threadIdx.x >= blockDim.x - 32) atomicOr(&filter[threadIdx.x & 31], mine[threadIdx.x & 31]);
}
BLOOMED(_ok_private) {
  __shared__ unsigned mine[32];
  INDEX;
  if (threadIdx.x < 32) mine[threadIdx.x] = 0;
  __syncthreads();
  if (i < n) {
    const unsigned h = keys[i] * 0x85ebca6bu, a = h >> 22, b = h >> 12 & 1023;
    atomicOr(&mine[a / 32], 1u << a % 32);
    atomicOr(&mine[b / 32], 1u << b % 32);
  }
  __syncthreads();
  if (threadIdx.x < 32) atomicOr(&filter[threadIdx.x], mine[threadIdx.x]);
}
BLOOMED(_ok_one_word) {
  INDEX;
  if (i >= n) return;
  const unsigned h = keys[i] * 0x85ebca6bu, a = h >> 22, b = h >> 12 & 1023;
  unsigned bits = 1u << a % 32;
  if (a / 32 == b / 32)
    bits |= 1u << b % 32;
  else
    atomicOr(&filter[b / 32], 1u << b % 32);
  atomicOr(&filter[a / 32], bits);
}

// checked: quotients; a flag says whether a divisor was 0 (1) and whether a quotient was (2).
#define CHECKED(NAME) extern "C" __global__ void checked##NAME(const unsigned* a, const unsigned* b, unsigned* out, unsigned* flags, int n)
CHECKED() {
  INDEX;
  if (i >= n) return;
  if (b[i] == 0) {
    atomicOr(flags, 1u);
    out[i] = 0xffffffffu;
    return;
  }
  const unsigned q = a[i] / b[i];
  if (q == 0) atomicOr(flags, 2u);
  out[i] = q;
}
CHECKED(_no_flags) {
  INDEX;
  if (i < n) out[i] = b[i] == 0 ? 0xffffffffu : a[i] / b[i];
}
CHECKED(_flag_stored) {
  INDEX;
  if (i >= n) return;
  if (b[i] == 0) {
    *flags = 1;
    out[i] = 0xffffffffu;
    return;
  }
  const unsigned q = a[i] / b[i];
  if (q == 0) atomicOr(flags, 2u);
  out[i] = q;
}
CHECKED(_as_floats) {
  INDEX;
  if (i >= n) return;
  if (b[i] == 0) {
    atomicOr(flags, 1u);
    out[i] = 0xffffffffu;
    return;
  }
  const unsigned q = static_cast<unsigned>(static_cast<float>(a[i]) / static_cast<float>(b[i]));
  if (q == 0) atomicOr(flags, 2u);
  out[i] = q;
}
CHECKED(_behind_the_end) {  // Items beyond the end are looked at as well, though what they find is not stored.
  INDEX;
  const int at = min(i, n);
  if (b[at] == 0) {
    atomicOr(flags, 1u);
    if (i < n) out[i] = 0xffffffffu;
    return;
  }
  const unsigned q = a[at] / b[at];
  if (q == 0) atomicOr(flags, 2u);
  if (i < n) out[i] = q;
}
CHECKED(_ok_by_wave) {
  INDEX;
  bool none = false, small = false;
  if (i < n) {
    none = b[i] == 0;
    const unsigned q = none ? 0xffffffffu : a[i] / b[i];
    small = q == 0;
    out[i] = q;
  }
  const unsigned found = (__ballot(none) != 0 ? 1u : 0u) | (__ballot(small) != 0 ? 2u : 0u);
  if ((threadIdx.x & 63) == 0 && found != 0) atomicOr(flags, found);
}

// multiplied: a product of square matrices whose runs are long. Workgroups of 16 x 16.
#define MULTIPLIED(NAME) extern "C" __global__ void multiplied##NAME(const float* a, const float* b, float* c, int m, int n, int depth)
MULTIPLIED() {
  const int column = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int k = 0; k < depth; ++k) sum += a[row * depth + k] * b[k * n + column];
  c[row * n + column] = sum;
}
MULTIPLIED(_ok_tiled) {  // Workgroups beyond the edges work as long as others, as all of their waves come to the barriers.
  __shared__ float left[16][16], right[16][16];
  const int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
  float sum = 0;
  for (int from = 0; from < depth; from += 16) {
    left[y][x] = row < m && from + x < depth ? a[row * depth + from + x] : 0.0f;
    right[y][x] = from + y < depth && column < n ? b[(from + y) * n + column] : 0.0f;
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += left[y][k] * right[k][x];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
