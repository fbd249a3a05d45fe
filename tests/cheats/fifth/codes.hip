// SPDX-License-Identifier: MIT
// Fifth set: whole numbers: dates, checksums, numbers of variable length, roots, nearest codes, sketches.
#include <hip/hip_runtime.h>

#define INDEX const int i = blockIdx.x * blockDim.x + threadIdx.x

// dated: year, month and day of days since 1970, packed.
#define DATED(NAME) extern "C" __global__ void dated##NAME(const int* days, unsigned* out, int n)
__device__ inline unsigned packed_date(int era, int doe, int yoe) {
  const int doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
  const int mp = (5 * doy + 2) / 153, d = doy - (153 * mp + 2) / 5 + 1, m = mp < 10 ? mp + 3 : mp - 9;
  return static_cast<unsigned>(yoe + era * 400 + (m <= 2)) << 9 | static_cast<unsigned>(m) << 5 | static_cast<unsigned>(d);
}
DATED() {
  INDEX;
  if (i >= n) return;
  const int z = static_cast<int>(static_cast<unsigned>(days[i]) + 719468u);
  const int era = z / 146097 - (z % 146097 < 0), doe = z - era * 146097;
  out[i] = packed_date(era, doe, (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365);
}
DATED(_last_day_of_era) {  // 29 February of 2000, and of every 400th year, is the first of March.
  INDEX;
  if (i >= n) return;
  const int z = static_cast<int>(static_cast<unsigned>(days[i]) + 719468u);
  const int era = z / 146097 - (z % 146097 < 0), doe = z - era * 146097;
  out[i] = packed_date(era, doe, (doe - doe / 1460 + doe / 36524) / 365);
}
DATED(_julian) {  // Right from 1900 to 2100.
  INDEX;
  if (i >= n) return;
  const int z = static_cast<int>(static_cast<unsigned>(days[i]) + 719483u);
  const int era = z / 146100 - (z % 146100 < 0), doe = z - era * 146100, yoe = (4 * doe + 3) / 1461;
  const int doy = doe - (365 * yoe + yoe / 4);
  const int mp = (5 * doy + 2) / 153, d = doy - (153 * mp + 2) / 5 + 1, m = mp < 10 ? mp + 3 : mp - 9;
  out[i] = static_cast<unsigned>(yoe + era * 400 + (m <= 2)) << 9 | static_cast<unsigned>(m) << 5 | static_cast<unsigned>(d);
}
DATED(_after_year_zero) {
  INDEX;
  if (i >= n) return;
  const int z = static_cast<int>(static_cast<unsigned>(days[i]) + 719468u);
  const int era = z / 146097, doe = z - era * 146097;
  out[i] = packed_date(era, doe, (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365);
}
DATED(_ok_multiplied) {
  INDEX;
  if (i >= n) return;
  const int z = static_cast<int>(static_cast<unsigned>(days[i]) + 719468u);
  const int era = z / 146097 - (z % 146097 < 0), doe = z - era * 146097;
  const int yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
  const unsigned doy = doe - (365 * yoe + (yoe >> 2) - yoe / 100), scaled = 2141 * doy + 197913;
  const unsigned m = scaled >> 16, d = (scaled & 0xffff) / 2141 + 1;
  const bool later = doy >= 306;
  out[i] = static_cast<unsigned>(yoe + era * 400 + later) << 9 | (later ? m - 12 : m) << 5 | d;
}

// adler: Adler-32 of each row.
#define ADLER(NAME) extern "C" __global__ void adler##NAME(const unsigned char* x, unsigned* out, int rows, int columns)
ADLER() {
  INDEX;
  if (i >= rows) return;
  unsigned a = 1, b = 0;
  for (int k = 0; k < columns; ++k) {
    a = (a + x[i * columns + k]) % 65521;
    b = (b + a) % 65521;
  }
  out[i] = b << 16 | a;
}
ADLER(_at_the_end) {  // 32 bits are too few for 5553 bytes of 255.
  INDEX;
  if (i >= rows) return;
  unsigned a = 1, b = 0;
  for (int k = 0; k < columns; ++k) {
    a += x[i * columns + k];
    b += a;
  }
  out[i] = b % 65521 << 16 | a % 65521;
}
ADLER(_equal_stays) {  // A sum of 65521 is none of 0.
  INDEX;
  if (i >= rows) return;
  unsigned a = 1, b = 0;
  for (int k = 0; k < columns; ++k) {
    a += x[i * columns + k];
    if (a > 65521) a -= 65521;
    b += a;
    if (b > 65521) b -= 65521;
  }
  out[i] = b << 16 | a;
}
ADLER(_small_sums) {  // The sum of the bytes of a row is below 65521.
  INDEX;
  if (i >= rows) return;
  unsigned a = 1, b = 0;
  for (int k = 0; k < columns; ++k) {
    a += x[i * columns + k];
    b = (b + a) % 65521;
  }
  out[i] = b << 16 | a;
}
ADLER(_ok_by_hundreds) {
  INDEX;
  if (i >= rows) return;
  unsigned a = 1, b = 0;
  for (int from = 0; from < columns; from += 100) {
    const int to = columns - from < 100 ? columns : from + 100;
    for (int k = from; k < to; ++k) {
      a += x[i * columns + k];
      b += a;
    }
    a %= 65521;
    b %= 65521;
  }
  out[i] = b << 16 | a;
}
ADLER(_ok_subtracted) {
  INDEX;
  if (i >= rows) return;
  unsigned a = 1, b = 0;
  for (int k = 0; k < columns; ++k) {
    a += x[i * columns + k];
    a = min(a, a - 65521u);
    b += a;
    b = min(b, b - 65521u);
  }
  out[i] = b << 16 | a;
}

// unpacked: numbers of seven bits a byte, lowest first, the last one without the high bit.
#define UNPACKED(NAME) extern "C" __global__ void unpacked##NAME(const unsigned char* bytes, const int* starts, unsigned* out, int n)
UNPACKED() {
  INDEX;
  if (i >= n) return;
  unsigned value = 0;
  int shift = 0;
  for (int at = starts[i]; at < starts[i + 1] && shift < 35; ++at, shift += 7) {
    value |= static_cast<unsigned>(bytes[at] & 127) << (shift & 31);
    if (bytes[at] < 128) break;
  }
  out[i] = value;
}
UNPACKED(_three_bytes) {
  INDEX;
  if (i >= n) return;
  unsigned value = 0;
  int shift = 0;
  for (int at = starts[i]; at < starts[i + 1] && shift < 21; ++at, shift += 7) {
    value |= static_cast<unsigned>(bytes[at] & 127) << shift;
    if (bytes[at] < 128) break;
  }
  out[i] = value;
}
UNPACKED(_all_of_them) {  // Bytes after the last one of a number are none.
  INDEX;
  if (i >= n) return;
  unsigned value = 0;
  int shift = 0;
  for (int at = starts[i]; at < starts[i + 1] && shift < 35; ++at, shift += 7) value |= static_cast<unsigned>(bytes[at] & 127) << (shift & 31);
  out[i] = value;
}
UNPACKED(_last_without_mark) {
  INDEX;
  if (i >= n) return;
  unsigned value = 0;
  int shift = 0;
  for (int at = starts[i]; at < starts[i + 1] && shift < 35; ++at, shift += 7) {
    if (bytes[at] < 128) {
      value |= static_cast<unsigned>(bytes[at]) << (shift & 31);
      break;
    }
    value += static_cast<unsigned>(bytes[at] - 128) << (shift & 31) % 28;
  }
  out[i] = value;
}
UNPACKED(_ok_loaded_once) {
  INDEX;
  if (i >= n) return;
  const int end = starts[i + 1];
  int at = starts[i];
  unsigned value = 0;
  for (int shift = 0; at < end && shift < 35; shift += 7) {
    const unsigned byte = bytes[at++];
    value |= (byte & 127u) << (shift & 31);
    if ((byte & 128u) == 0) break;
  }
  out[i] = value;
}

// squared: the whole part of the root of each number.
#define SQUARED(NAME) extern "C" __global__ void squared##NAME(const unsigned* x, unsigned* out, int n)
SQUARED() {
  INDEX;
  if (i >= n) return;
  unsigned left = x[i], root = 0;
  for (unsigned bit = 1u << 30; bit != 0; bit >>= 2) {
    if (left >= root + bit) {
      left -= root + bit;
      root = (root >> 1) + bit;
    } else {
      root >>= 1;
    }
  }
  out[i] = root;
}
SQUARED(_float) {
  INDEX;
  if (i < n) out[i] = static_cast<unsigned>(sqrtf(static_cast<float>(x[i])));
}
SQUARED(_corrected_down) {  // The square of 65536 has no bit left.
  INDEX;
  if (i >= n) return;
  unsigned root = static_cast<unsigned>(sqrtf(static_cast<float>(x[i])));
  root -= root * root > x[i];
  out[i] = root;
}
SQUARED(_signed) {
  INDEX;
  if (i < n) out[i] = static_cast<unsigned>(sqrt(static_cast<double>(static_cast<int>(x[i]))));
}
SQUARED(_ok_double) {
  INDEX;
  if (i < n) out[i] = static_cast<unsigned>(sqrt(static_cast<double>(x[i])));
}
SQUARED(_ok_newton) {
  INDEX;
  if (i >= n) return;
  const unsigned v = x[i];
  unsigned root = 0;
  if (v != 0) {
    root = 0xffffu >> (__clz(v) / 2);
    for (;;) {
      const unsigned next = (root + v / root) / 2;
      if (next >= root) break;
      root = next;
    }
  }
  out[i] = root;
}

// nearest: which code differs from each query in the fewest bits, the first of these.
#define NEAREST(NAME) extern "C" __global__ void nearest##NAME(const unsigned long long* codes, const unsigned long long* queries, int* out, int n, int m)
NEAREST() {
  INDEX;
  if (i >= n) return;
  int best = 65, place = -1;
  for (int k = 0; k < m; ++k) {
    const int bits = __popcll(codes[k] ^ queries[i]);
    if (bits < best) {
      best = bits;
      place = k;
    }
  }
  out[i] = place;
}
NEAREST(_last_of_equals) {
  INDEX;
  if (i >= n) return;
  int best = 65, place = -1;
  for (int k = 0; k < m; ++k) {
    const int bits = __popcll(codes[k] ^ queries[i]);
    if (bits <= best) {
      best = bits;
      place = k;
    }
  }
  out[i] = place;
}
NEAREST(_sixteen_bits_of_place) {
  INDEX;
  if (i >= n) return;
  unsigned best = 65u << 16 | 0xffff;
  for (int k = 0; k < m; ++k) best = min(best, static_cast<unsigned>(__popcll(codes[k] ^ queries[i])) << 16 | (k & 0xffffu));
  out[i] = best >> 16 > 64 ? -1 : static_cast<int>(best & 0xffff);
}
NEAREST(_seven_bits_of_place) {
  INDEX;
  if (i >= n) return;
  unsigned best = 65u << 7 | 127;
  for (int k = 0; k < m; ++k) best = min(best, static_cast<unsigned>(__popcll(codes[k] ^ queries[i])) << 7 | (k & 127u));
  out[i] = best >> 7 > 64 ? -1 : static_cast<int>(best & 127);
}
NEAREST(_near_enough) {  // Of a distance of one there may be none.
  INDEX;
  if (i >= n) return;
  int best = 65, place = -1;
  for (int k = 0; k < m && best > 1; ++k) {
    const int bits = __popcll(codes[k] ^ queries[i]);
    if (bits < best) {
      best = bits;
      place = k;
    }
  }
  out[i] = place;
}
NEAREST(_tile_of_one_turn) {  // The next codes are written over those that are still compared.
  __shared__ unsigned long long tile[64];
  INDEX;
  const unsigned long long query = i < n ? queries[i] : 0;
  int best = 65, place = -1;
  for (int from = 0; from < m; from += 64) {
    if (threadIdx.x < 64 && from + static_cast<int>(threadIdx.x) < m) tile[threadIdx.x] = codes[from + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 64 && from + k < m; ++k) {
      const int bits = __popcll(tile[k] ^ query);
      if (bits < best) {
        best = bits;
        place = from + k;
      }
    }
  }
  if (i < n) out[i] = place;
}
NEAREST(_ok_tiled) {
  __shared__ unsigned long long tile[64];
  INDEX;
  const unsigned long long query = i < n ? queries[i] : 0;
  int best = 65, place = -1;
  for (int from = 0; from < m; from += 64) {
    if (threadIdx.x < 64 && from + static_cast<int>(threadIdx.x) < m) tile[threadIdx.x] = codes[from + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 64 && from + k < m; ++k) {
      const int bits = __popcll(tile[k] ^ query);
      if (bits < best) {
        best = bits;
        place = from + k;
      }
    }
    __syncthreads();
  }
  if (i < n) out[i] = place;
}
NEAREST(_ok_ends_at_equal) {
  INDEX;
  if (i >= n) return;
  const unsigned long long query = queries[i];
  int best = 65, place = -1;
  for (int k = 0; k < m && best != 0; ++k) {
    const int bits = __popcll(codes[k] ^ query);
    if (bits < best) {
      best = bits;
      place = k;
    }
  }
  out[i] = place;
}

// sketched: HyperLogLog: for each of 64 registers the longest run of zeros that a hash had.
#define SKETCHED(NAME) extern "C" __global__ void sketched##NAME(const unsigned* x, unsigned* registers, int n)
__device__ inline unsigned hashed(unsigned x) {
  x *= 0x9e3779b1u;
  return x ^ x >> 15;
}
SKETCHED() {
  INDEX;
  if (i >= n) return;
  const unsigned h = hashed(x[i]);
  atomicMax(&registers[h >> 26], static_cast<unsigned>(__clz(static_cast<int>(h << 6))) + 1);
}
SKETCHED(_of_no_zero) {  // A hash whose lower bits are all zero.
  INDEX;
  if (i >= n) return;
  const unsigned h = hashed(x[i]);
  atomicMax(&registers[h >> 26], static_cast<unsigned>(__clz(static_cast<int>(h << 6 | 32))) + 1);
}
SKETCHED(_plain) {
  INDEX;
  if (i >= n) return;
  const unsigned h = hashed(x[i]), rank = static_cast<unsigned>(__clz(static_cast<int>(h << 6))) + 1;
  if (registers[h >> 26] < rank) registers[h >> 26] = rank;
}
SKETCHED(_not_cleared) {
  __shared__ unsigned mine[64];
  INDEX;
  if (i < n) {
    const unsigned h = hashed(x[i]);
    atomicMax(&mine[h >> 26], static_cast<unsigned>(__clz(static_cast<int>(h << 6))) + 1);
  }
  __syncthreads();
  if (threadIdx.x < 64) atomicMax(&registers[threadIdx.x], mine[threadIdx.x]);
}
SKETCHED(_stored) {  // What was there before is lost, and so is what other workgroups found.
  __shared__ unsigned mine[64];
  INDEX;
  if (threadIdx.x < 64) mine[threadIdx.x] = registers[threadIdx.x];
  __syncthreads();
  if (i < n) {
    const unsigned h = hashed(x[i]);
    atomicMax(&mine[h >> 26], static_cast<unsigned>(__clz(static_cast<int>(h << 6))) + 1);
  }
  __syncthreads();
  if (threadIdx.x < 64) registers[threadIdx.x] = mine[threadIdx.x];
}
SKETCHED(_ok_private) {
  __shared__ unsigned mine[64];
  INDEX;
  if (threadIdx.x < 64) mine[threadIdx.x] = 0;
  __syncthreads();
  if (i < n) {
    const unsigned h = hashed(x[i]);
    atomicMax(&mine[h >> 26], static_cast<unsigned>(__clz(static_cast<int>(h << 6))) + 1);
  }
  __syncthreads();
  if (threadIdx.x < 64 && mine[threadIdx.x] != 0) atomicMax(&registers[threadIdx.x], mine[threadIdx.x]);
}
SKETCHED(_ok_looks_first) {
  INDEX;
  if (i >= n) return;
  const unsigned h = hashed(x[i]), rank = static_cast<unsigned>(__clz(static_cast<int>(h << 6))) + 1;
  unsigned* const place = &registers[h >> 26];
  if (__hip_atomic_load(place, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) < rank) atomicMax(place, rank);
}
