// SPDX-License-Identifier: MIT
// Third set: division, indices, bits of integers, updates in place, workgroups of two dimensions.
#include <hip/hip_runtime.h>

#define INDEX const int i = blockIdx.x * blockDim.x + threadIdx.x

// floored: quotients toward minus infinity; a divisor below 1 counts as 1.
#define FLOORED(NAME) extern "C" __global__ void floored##NAME(const int* x, int* out, int n, int divisor)
FLOORED() {
  INDEX;
  const int d = divisor < 1 ? 1 : divisor;
  if (i < n) out[i] = x[i] / d - (x[i] % d < 0);
}
FLOORED(_toward_zero) {
  INDEX;
  const int d = divisor < 1 ? 1 : divisor;
  if (i < n) out[i] = x[i] / d;
}
FLOORED(_one_less) {  // All negative ones, exact multiples too.
  INDEX;
  const int d = divisor < 1 ? 1 : divisor;
  if (i < n) out[i] = x[i] / d - (x[i] < 0);
}
FLOORED(_biased_first) {  // (x - d + 1) / d overflows at the lower end.
  INDEX;
  const int d = divisor < 1 ? 1 : divisor;
  if (i < n) out[i] = (x[i] < 0 ? static_cast<int>(static_cast<unsigned>(x[i]) - static_cast<unsigned>(d) + 1u) : x[i]) / d;
}
FLOORED(_factor_of_32_bits) {  // 2^32 / d rounded up is too coarse for large numbers.
  INDEX;
  const int d = divisor < 1 ? 1 : divisor;
  if (i >= n) return;
  if (d == 1) {
    out[i] = x[i];
    return;
  }
  const unsigned factor = 0xffffffffu / static_cast<unsigned>(d) + 1u;
  const unsigned sign = static_cast<unsigned>(x[i] >> 31);
  out[i] = static_cast<int>(__umulhi(static_cast<unsigned>(x[i]) ^ sign, factor) ^ sign);
}
FLOORED(_ok_factor) {  // One division by the invariant, then a product of 64 bits: exact for 31 bits of numerator.
  INDEX;
  const int d = divisor < 1 ? 1 : divisor;
  if (i >= n) return;
  const int bits = d == 1 ? 0 : 32 - __clz(d - 1);
  const unsigned long long factor = ((1ull << (31 + bits)) + static_cast<unsigned>(d) - 1) / static_cast<unsigned>(d);
  const unsigned sign = static_cast<unsigned>(x[i] >> 31), size = static_cast<unsigned>(x[i]) ^ sign;
  out[i] = static_cast<int>(static_cast<unsigned>(size * factor >> (31 + bits)) ^ sign);
}
FLOORED(_ok_complement) {
  INDEX;
  const unsigned d = divisor < 1 ? 1 : divisor;
  if (i >= n) return;
  const unsigned sign = static_cast<unsigned>(x[i] >> 31);
  out[i] = static_cast<int>(((static_cast<unsigned>(x[i]) ^ sign) / d) ^ sign);
}

// swapped: planes x rows x columns to planes x columns x rows.
#define SWAPPED(NAME) extern "C" __global__ void swapped##NAME(const float* x, float* out, int planes, int rows, int columns)
SWAPPED() {
  INDEX;
  if (i >= planes * rows * columns) return;
  const int c = i % columns, r = i / columns % rows, p = i / columns / rows;
  out[(p * columns + c) * rows + r] = x[i];
}
SWAPPED(_square_planes) {
  INDEX;
  if (i >= planes * rows * columns) return;
  const int c = i % columns, r = i / columns % columns, p = i / columns / rows;
  if (r < rows) out[(p * columns + c) * rows + r] = x[i];
}
SWAPPED(_by_reciprocals) {  // Quotients of floats, cut; exact multiples may come out one less.
  INDEX;
  if (i >= planes * rows * columns) return;
  const float of_columns = 1.0f / static_cast<float>(columns), of_rows = 1.0f / static_cast<float>(rows);
  const int line = static_cast<int>(static_cast<float>(i) * of_columns), c = i - line * columns;
  const int p = static_cast<int>(static_cast<float>(line) * of_rows), r = line - p * rows;
  out[(p * columns + c) * rows + r] = x[i];
}
SWAPPED(_short_places) {  // Lines are counted in 8 bits.
  INDEX;
  if (i >= planes * rows * columns) return;
  const unsigned char line = static_cast<unsigned char>(i / columns);
  const int c = i % columns, r = line % rows, p = line / rows;
  out[(p * columns + c) * rows + r] = x[i];
}
SWAPPED(_ok_one_division) {
  INDEX;
  if (i >= planes * rows * columns) return;
  const int line = i / columns, p = line / rows;
  const int c = i - line * columns, r = line - p * rows;
  out[(p * columns + c) * rows + r] = x[i];
}
SWAPPED(_ok_strided) {
  const int all = planes * rows * columns;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < all; i += gridDim.x * blockDim.x) {
    const int line = i / columns, p = line / rows;
    out[(p * columns + i - line * columns) * rows + line - p * rows] = x[i];
  }
}

// pushed: a step with momentum in place: v = mu * v + g, w -= rate * v.
#define PUSHED(NAME) extern "C" __global__ void pushed##NAME(float* w, float* v, const float* g, int n, float mu, float rate)
PUSHED() {
  INDEX;
  if (i >= n) return;
  const float next = mu * v[i] + g[i];
  v[i] = next;
  w[i] -= rate * next;
}
PUSHED(_velocity_before) {
  INDEX;
  if (i >= n) return;
  const float before = v[i];
  v[i] = mu * before + g[i];
  w[i] -= rate * before;
}
PUSHED(_rate_inside) {  // The velocity holds the rate, as others define it.
  INDEX;
  if (i >= n) return;
  const float next = mu * v[i] + rate * g[i];
  v[i] = next;
  w[i] -= next;
}
PUSHED(_zero_gradients_left_out) {
  INDEX;
  if (i >= n || g[i] == 0.0f) return;
  const float next = mu * v[i] + g[i];
  v[i] = next;
  w[i] -= rate * next;
}
PUSHED(_tail_again) {  // The last four overlap those before them.
  const int four = blockIdx.x * blockDim.x + threadIdx.x;
  if (4 * four >= n) return;
  const int first = max(min(4 * four, n - 4), 0);
  for (int k = first; k < min(first + 4, n); ++k) {
    const float next = mu * v[k] + g[k];
    v[k] = next;
    w[k] -= rate * next;
  }
}
PUSHED(_ok_vectors) {
  const int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (first + 3 < n) {
    float4 a = *reinterpret_cast<float4*>(v + first), b = *reinterpret_cast<float4*>(w + first);
    const float4 c = *reinterpret_cast<const float4*>(g + first);
    a = make_float4(mu * a.x + c.x, mu * a.y + c.y, mu * a.z + c.z, mu * a.w + c.w);
    b = make_float4(b.x - rate * a.x, b.y - rate * a.y, b.z - rate * a.z, b.w - rate * a.w);
    *reinterpret_cast<float4*>(v + first) = a;
    *reinterpret_cast<float4*>(w + first) = b;
  } else {
    for (int k = first; k < n; ++k) {
      const float next = mu * v[k] + g[k];
      v[k] = next;
      w[k] -= rate * next;
    }
  }
}

// checksums: CRC-32 of each row of bytes, an item a row.
#define CHECKSUMS(NAME) extern "C" __global__ void checksums##NAME(const unsigned char* x, unsigned* out, int rows, int bytes)
__device__ inline unsigned after(unsigned crc, int turns) {
  for (int k = 0; k < turns; ++k) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0u);
  return crc;
}
CHECKSUMS() {
  INDEX;
  if (i >= rows) return;
  unsigned crc = ~0u;
  for (int k = 0; k < bytes; ++k) crc = after(crc ^ x[i * bytes + k], 8);
  out[i] = ~crc;
}
CHECKSUMS(_ok_table) {  // Made by the workgroup first.
  __shared__ unsigned table[256];
  for (int k = threadIdx.x; k < 256; k += blockDim.x) table[k] = after(k, 8);
  __syncthreads();
  INDEX;
  if (i >= rows) return;
  unsigned crc = ~0u;
  for (int k = 0; k < bytes; ++k) crc = crc >> 8 ^ table[(crc ^ x[i * bytes + k]) & 255];
  out[i] = ~crc;
}
CHECKSUMS(_half_of_table) {  // Bytes above 127 do not occur in text.
  __shared__ unsigned table[256];
  for (int k = threadIdx.x; k < 128; k += blockDim.x) table[k] = after(k, 8);
  __syncthreads();
  INDEX;
  if (i >= rows) return;
  unsigned crc = ~0u;
  for (int k = 0; k < bytes; ++k) crc = crc >> 8 ^ table[(crc ^ x[i * bytes + k]) & 255];
  out[i] = ~crc;
}
CHECKSUMS(_table_not_awaited) {
  __shared__ unsigned table[256];
  for (int k = threadIdx.x; k < 256; k += blockDim.x) table[k] = after(k, 8);
  INDEX;
  if (i >= rows) return;
  unsigned crc = ~0u;
  for (int k = 0; k < bytes; ++k) crc = crc >> 8 ^ table[(crc ^ x[i * bytes + k]) & 255];
  out[i] = ~crc;
}
CHECKSUMS(_signed_bytes) {
  INDEX;
  if (i >= rows) return;
  unsigned crc = ~0u;
  for (int k = 0; k < bytes; ++k) crc = after(crc ^ static_cast<unsigned>(static_cast<int>(static_cast<signed char>(x[i * bytes + k]))), 8);
  out[i] = ~crc;
}
CHECKSUMS(_ok_nibbles) {
  INDEX;
  if (i >= rows) return;
  unsigned crc = ~0u;
  for (int k = 0; k < bytes; ++k) crc = after(after(crc ^ x[i * bytes + k], 4), 4);
  out[i] = ~crc;
}

// woven: the bits of two short integers in turns.
#define WOVEN(NAME) extern "C" __global__ void woven##NAME(const unsigned short* x, const short* y, unsigned* out, int n)
WOVEN() {
  INDEX;
  if (i >= n) return;
  unsigned code = 0;
  for (int bit = 0; bit < 16; ++bit) {
    code |= (static_cast<unsigned>(x[i]) >> bit & 1u) << (2 * bit) | (static_cast<unsigned>(static_cast<unsigned short>(y[i])) >> bit & 1u) << (2 * bit + 1);
  }
  out[i] = code;
}
__device__ inline unsigned apart(unsigned v) {
  v = (v | v << 8) & 0x00ff00ffu;
  v = (v | v << 4) & 0x0f0f0f0fu;
  v = (v | v << 2) & 0x33333333u;
  return (v | v << 1) & 0x55555555u;
}
WOVEN(_ok_masks) {
  INDEX;
  if (i < n) out[i] = apart(x[i]) | apart(static_cast<unsigned short>(y[i])) << 1;
}
WOVEN(_sign_spreads) {
  INDEX;
  if (i < n) out[i] = apart(x[i]) | apart(static_cast<unsigned>(static_cast<int>(y[i]))) << 1;
}
WOVEN(_twelve_bits) {
  INDEX;
  if (i < n) out[i] = apart(x[i] & 0xfffu) | apart(static_cast<unsigned short>(y[i]) & 0xfffu) << 1;
}

WOVEN(_short_index) {
  const unsigned short i = static_cast<unsigned short>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i] = apart(x[i]) | apart(static_cast<unsigned short>(y[i])) << 1;
}

// turned2: a transpose by workgroups of 16 x 16.
#define TURNED(NAME) extern "C" __global__ __launch_bounds__(256) void turned2##NAME(const float* x, float* out, int rows, int columns)
#define PLACE const int c = blockIdx.x * 16 + threadIdx.x, r = blockIdx.y * 16 + threadIdx.y;
TURNED() {
  PLACE
  if (r < rows && c < columns) out[c * rows + r] = x[r * columns + c];
}
#define TILE(WIDTH, BARRIER)                                                                                    \
  __shared__ float tile[16][WIDTH];                                                                             \
  PLACE                                                                                                         \
  if (r < rows && c < columns) tile[threadIdx.y][threadIdx.x] = x[r * columns + c];                             \
  BARRIER;                                                                                                      \
  const int to_row = blockIdx.x * 16 + threadIdx.y, to_column = blockIdx.y * 16 + threadIdx.x;
TURNED(_ok_tile) {
  TILE(17, __syncthreads())
  if (to_row < columns && to_column < rows) out[to_row * rows + to_column] = tile[threadIdx.x][threadIdx.y];
}
TURNED(_ok_turned_columns) {  // No padding: columns of the tile are moved by their row.
  __shared__ float tile[16][16];
  PLACE
  const int x0 = threadIdx.x, y0 = threadIdx.y;
  if (r < rows && c < columns) tile[y0][x0 ^ y0] = x[r * columns + c];
  __syncthreads();
  const int to_row = blockIdx.x * 16 + y0, to_column = blockIdx.y * 16 + x0;
  if (to_row < columns && to_column < rows) out[to_row * rows + to_column] = tile[x0][y0 ^ x0];
}
TURNED(_no_barrier) {
  TILE(17, (void)0)
  if (to_row < columns && to_column < rows) out[to_row * rows + to_column] = tile[threadIdx.x][threadIdx.y];
}
TURNED(_bounds_of_source) {  // The bounds of where it came from are asked again, not of where it goes.
  TILE(17, __syncthreads())
  if (r < rows && c < columns) out[to_row * rows + to_column] = tile[threadIdx.x][threadIdx.y];
}
TURNED(_same_pitch) {
  TILE(17, __syncthreads())
  if (to_row < columns && to_column < rows) out[to_row * columns + to_column] = tile[threadIdx.x][threadIdx.y];
}
TURNED(_short_places) {  // Places in the result are counted in 16 bits.
  TILE(17, __syncthreads())
  const unsigned short to = static_cast<unsigned short>(to_row * rows + to_column);
  if (to_row < columns && to_column < rows) out[to] = tile[threadIdx.x][threadIdx.y];
}
TURNED(_ok_columns_first) {  // The first wave stores lines of 16, four at a time.
  __shared__ float tile[16][17];
  PLACE
  if (r < rows && c < columns) tile[threadIdx.y][threadIdx.x] = x[r * columns + c];
  __syncthreads();
  const int t = threadIdx.y * 16 + threadIdx.x;
  if (t >= 64) return;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int to_row = blockIdx.x * 16 + 4 * k + t / 16, to_column = blockIdx.y * 16 + t % 16;
    if (to_row < columns && to_column < rows) out[to_row * rows + to_column] = tile[t % 16][4 * k + t / 16];
  }
}
