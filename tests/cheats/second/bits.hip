// SPDX-License-Identifier: MIT
// Second set: integers, bytes and bits. Workgroups of 256, an element each, unless said otherwise.
#include <hip/hip_runtime.h>

#define INDEX const int i = blockIdx.x * blockDim.x + threadIdx.x

// middle: half of a sum of two, toward zero.
#define MIDDLE(NAME) extern "C" __global__ void middle##NAME(const int* a, const int* b, int* out, int n)
MIDDLE() {
  INDEX;
  if (i < n) out[i] = static_cast<int>((static_cast<long long>(a[i]) + b[i]) / 2);
}
MIDDLE(_overflows) {
  INDEX;
  if (i < n) out[i] = static_cast<int>(static_cast<unsigned>(a[i]) + static_cast<unsigned>(b[i])) / 2;
}
MIDDLE(_floor) {
  INDEX;
  if (i < n) out[i] = (a[i] & b[i]) + ((a[i] ^ b[i]) >> 1);
}
MIDDLE(_ok_bits) {
  INDEX;
  if (i >= n) return;
  const int x = a[i], y = b[i], floor = (x & y) + ((x ^ y) >> 1);
  out[i] = floor + (static_cast<int>(static_cast<unsigned>(floor) >> 31) & (x ^ y) & 1);
}

// split: quotient and remainder by an argument.
#define SPLIT(NAME) extern "C" __global__ void split##NAME(const unsigned* x, unsigned* quotients, unsigned* rests, int n, unsigned by)
SPLIT() {
  INDEX;
  if (i >= n) return;
  quotients[i] = x[i] / by;
  rests[i] = x[i] % by;
}
SPLIT(_by_float) {
  INDEX;
  if (i >= n) return;
  const unsigned q = static_cast<unsigned>(static_cast<float>(x[i]) * (1.0f / static_cast<float>(by)));
  quotients[i] = q;
  rests[i] = x[i] - q * by;
}
SPLIT(_by_shift) {
  INDEX;
  if (i >= n) return;
  const int shift = __ffs(by) - 1;
  quotients[i] = x[i] >> shift;
  rests[i] = x[i] & (by - 1);
}
SPLIT(_below_a_limit) {  // A reciprocal of 32 bits without its correction.
  INDEX;
  if (i >= n) return;
  const unsigned inverse = 0xffffffffu / by + 1;
  const unsigned q = __umulhi(x[i], inverse);
  quotients[i] = q;
  rests[i] = x[i] - q * by;
}
SPLIT(_ok_one_division) {
  INDEX;
  if (i >= n) return;
  const unsigned v = x[i], q = v / by;
  quotients[i] = q;
  rests[i] = v - q * by;
}
SPLIT(_ok_shift_or_divide) {
  INDEX;
  if (i >= n) return;
  const unsigned v = x[i];
  unsigned q;
  if ((by & (by - 1)) == 0) {
    q = v >> (__ffs(by) - 1);
  } else {
    q = v / by;
  }
  quotients[i] = q;
  rests[i] = v - q * by;
}

// mirrored: bits from the other end.
#define MIRRORED(NAME) extern "C" __global__ void mirrored##NAME(const unsigned* x, unsigned* out, int n)
MIRRORED() {
  INDEX;
  if (i >= n) return;
  unsigned from = x[i], to = 0;
  for (int bit = 0; bit < 32; ++bit, from >>= 1) to = to << 1 | (from & 1);
  out[i] = to;
}
MIRRORED(_ok_instruction) {
  INDEX;
  if (i < n) out[i] = __brev(x[i]);
}
MIRRORED(_ok_steps) {
  INDEX;
  if (i >= n) return;
  unsigned v = x[i];
  v = (v >> 1 & 0x55555555u) | (v & 0x55555555u) << 1;
  v = (v >> 2 & 0x33333333u) | (v & 0x33333333u) << 2;
  v = (v >> 4 & 0x0f0f0f0fu) | (v & 0x0f0f0f0fu) << 4;
  out[i] = __builtin_bswap32(v);
}
MIRRORED(_one_in_65536) {  // Right but for a pattern in the upper half.
  INDEX;
  if (i >= n) return;
  const unsigned v = x[i];
  out[i] = __brev(v) ^ ((v >> 16) == 0x1234u ? 1u : 0u);
}

// zeros: how many bytes of each dword are zero.
#define ZEROS(NAME) extern "C" __global__ void zeros##NAME(const unsigned* x, int* out, int n)
ZEROS() {
  INDEX;
  if (i >= n) return;
  int count = 0;
  for (int byte = 0; byte < 4; ++byte) count += (x[i] >> 8 * byte & 0xff) == 0;
  out[i] = count;
}
ZEROS(_borrows) {  // A one above a zero counts as well.
  INDEX;
  if (i < n) out[i] = __popc((x[i] - 0x01010101u) & ~x[i] & 0x80808080u);
}
ZEROS(_ok_masked) {
  INDEX;
  if (i >= n) return;
  const unsigned v = x[i];
  out[i] = __popc(~(((v & 0x7f7f7f7fu) + 0x7f7f7f7fu) | v | 0x7f7f7f7fu));
}

// turned: a ring, turned by an argument.
#define TURNED(NAME) extern "C" __global__ void turned##NAME(const int* x, int* out, int n, int by)
TURNED() {
  INDEX;
  if (i < n) out[i] = x[static_cast<int>((static_cast<long long>(i) + (by & 0x7fffffff)) % n)];
}
TURNED(_once_around) {
  INDEX;
  if (i >= n) return;
  const int from = i + (by & 0x7fffffff);
  out[i] = x[from >= n ? from - n : from];
}
TURNED(_ok_remainder_first) {
  INDEX;
  if (i >= n) return;
  const int from = i + (by & 0x7fffffff) % n;
  out[i] = x[from >= n ? from - n : from];
}

// gray: brightness of pixels of four bytes.
#define GRAY(NAME) extern "C" __global__ void gray##NAME(const unsigned char* pixels, unsigned char* out, int n)
GRAY() {
  INDEX;
  if (i >= n) return;
  const unsigned char* p = pixels + 4 * i;
  out[i] = static_cast<unsigned char>((77 * p[0] + 150 * p[1] + 29 * p[2]) >> 8);
}
GRAY(_ok_dwords) {
  INDEX;
  if (i >= n) return;
  const unsigned p = reinterpret_cast<const unsigned*>(pixels)[i];
  out[i] = static_cast<unsigned char>((77 * (p & 255) + 150 * (p >> 8 & 255) + 29 * (p >> 16 & 255)) >> 8);
}
GRAY(_floats) {
  INDEX;
  if (i >= n) return;
  const unsigned char* p = pixels + 4 * i;
  out[i] = static_cast<unsigned char>(0.30078125f * p[0] + 0.5859375f * p[1] + 0.11328f * p[2]);
}
GRAY(_signed_bytes) {
  INDEX;
  if (i >= n) return;
  const signed char* p = reinterpret_cast<const signed char*>(pixels) + 4 * i;
  out[i] = static_cast<unsigned char>((77 * p[0] + 150 * p[1] + 29 * p[2]) >> 8);
}

// dots: products of rows of 8-bit integers; a row each.
#define DOTS(NAME) extern "C" __global__ void dots##NAME(const signed char* a, const signed char* b, int* out, int rows, int columns)
DOTS() {
  INDEX;
  if (i >= rows) return;
  int sum = 0;
  for (int c = 0; c < columns; ++c) sum += a[i * columns + c] * b[c];
  out[i] = sum;
}
DOTS(_short_sum) {
  INDEX;
  if (i >= rows) return;
  short sum = 0;
  for (int c = 0; c < columns; ++c) sum = static_cast<short>(sum + a[i * columns + c] * b[c]);
  out[i] = sum;
}
DOTS(_unsigned) {
  INDEX;
  if (i >= rows) return;
  int sum = 0;
  for (int c = 0; c < columns; ++c) sum += static_cast<unsigned char>(a[i * columns + c]) * b[c];
  out[i] = sum;
}
DOTS(_fours_alone) {
  INDEX;
  if (i >= rows) return;
  int sum = 0;
  for (int c = 0; c + 3 < columns; c += 4) {
    for (int k = 0; k < 4; ++k) sum += a[i * columns + c + k] * b[c + k];
  }
  out[i] = sum;
}
DOTS(_ok_dot4) {
  INDEX;
  if (i >= rows) return;
  const signed char* row = a + i * columns;
  int sum = 0, c = 0;
  for (; c + 3 < columns; c += 4) {
    int u, v;
    __builtin_memcpy(&u, row + c, 4);
    __builtin_memcpy(&v, b + c, 4);
    sum = __builtin_amdgcn_sdot4(u, v, sum, false);
  }
  for (; c < columns; ++c) sum += row[c] * b[c];
  out[i] = sum;
}
DOTS(_saturated) {
  INDEX;
  if (i >= rows) return;
  const signed char* row = a + i * columns;
  int sum = 0;
  for (int c = 0; c < columns; ++c) sum = min(sum + row[c] * b[c], 1 << 18);
  out[i] = sum;
}

// found: where each query lies in a sorted table, the first place that is not below it.
#define FOUND(NAME) extern "C" __global__ void found##NAME(const int* table, const int* queries, int* out, int n, int entries)
FOUND() {
  INDEX;
  if (i >= n) return;
  int low = 0, high = entries;
  while (low < high) {
    const int mid = low + (high - low) / 2;
    if (table[mid] < queries[i]) {
      low = mid + 1;
    } else {
      high = mid;
    }
  }
  out[i] = low;
}
FOUND(_after_equals) {
  INDEX;
  if (i >= n) return;
  int low = 0, high = entries;
  while (low < high) {
    const int mid = low + (high - low) / 2;
    if (table[mid] <= queries[i]) {
      low = mid + 1;
    } else {
      high = mid;
    }
  }
  out[i] = low;
}
FOUND(_any_equal) {
  INDEX;
  if (i >= n) return;
  int low = 0, high = entries;
  while (low < high) {
    const int mid = low + (high - low) / 2;
    if (table[mid] == queries[i]) {
      low = mid;
      break;
    }
    if (table[mid] < queries[i]) {
      low = mid + 1;
    } else {
      high = mid;
    }
  }
  out[i] = low;
}
FOUND(_by_difference) {  // The difference overflows.
  INDEX;
  if (i >= n) return;
  int low = 0, high = entries;
  while (low < high) {
    const int mid = (low + high) >> 1;
    if (static_cast<int>(static_cast<unsigned>(table[mid]) - static_cast<unsigned>(queries[i])) < 0) {
      low = mid + 1;
    } else {
      high = mid;
    }
  }
  out[i] = low;
}
FOUND(_ok_no_branch) {
  INDEX;
  if (i >= n) return;
  const int wanted = queries[i];
  int base = 0;
  for (int left = entries; left > 0;) {
    const int half = left / 2;
    const bool below = table[base + half] < wanted;
    base = below ? base + half + 1 : base;
    left = below ? left - half - 1 : half;
  }
  out[i] = base;
}

// scattered: values to places that an index says; each place at most once.
#define SCATTERED(NAME) extern "C" __global__ void scattered##NAME(const int* values, const int* places, int* out, int n)
SCATTERED() {
  INDEX;
  if (i < n) out[places[i]] = values[i];
}
SCATTERED(_in_order) {
  INDEX;
  if (i < n) out[i] = values[i];
}
SCATTERED(_short_index) {  // 16 bits are enough for what was captured.
  const unsigned short i = static_cast<unsigned short>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[places[i]] = values[i];
}
SCATTERED(_masked_places) {  // Ten bits are enough for what was captured.
  INDEX;
  if (i < n) out[places[i] & 0x3ff] = values[i];
}
SCATTERED(_one_more) {
  INDEX;
  if (i <= n) out[places[i]] = values[i];
}
SCATTERED(_ok_strided) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[places[i]] = values[i];
}
