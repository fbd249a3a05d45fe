// SPDX-License-Identifier: MIT
// Fourth set: bytes: patterns in text, lengths of records, masks as bits, floats of 8 bits.
#include <hip/hip_runtime.h>

#define INDEX const int i = blockIdx.x * blockDim.x + threadIdx.x

// matched: how often a pattern occurs, occurrences that overlap too.
#define MATCHED(NAME) extern "C" __global__ void matched##NAME(const unsigned char* text, const unsigned char* pattern, int* count, int n, int length)
MATCHED() {
  INDEX;
  if (i + length > n) return;
  for (int k = 0; k < length; ++k)
    if (text[i + k] != pattern[k]) return;
  atomicAdd(count, 1);
}
MATCHED(_four_bytes) {
  INDEX;
  if (i + length > n) return;
  for (int k = 0; k < min(length, 4); ++k)
    if (text[i + k] != pattern[k]) return;
  atomicAdd(count, 1);
}
MATCHED(_by_sum) {  // The same bytes in another order.
  INDEX;
  if (i + length > n) return;
  unsigned mine = 0, wanted = 0;
  for (int k = 0; k < length; ++k) {
    mine += text[i + k] * 257u + 1;
    wanted += pattern[k] * 257u + 1;
  }
  if (mine == wanted) atomicAdd(count, 1);
}
MATCHED(_up_to_zero) {
  INDEX;
  if (i + length > n) return;
  for (int k = 0; k < length && pattern[k] != 0; ++k)
    if (text[i + k] != pattern[k]) return;
  atomicAdd(count, 1);
}
MATCHED(_last_left_out) {
  INDEX;
  if (i + length >= n) return;
  for (int k = 0; k < length; ++k)
    if (text[i + k] != pattern[k]) return;
  atomicAdd(count, 1);
}
MATCHED(_seen_by_ballot) {  // Of the lanes that came so far, which are not those of the whole wave.
  INDEX;
  bool same = i + length <= n;
  for (int k = 0; same && k < length; ++k) same = text[i + k] == pattern[k];
  if (same && __popcll(__ballot(same)) > 0 && (threadIdx.x & 63) == static_cast<unsigned>(__ffsll(__ballot(1)) - 1)) atomicAdd(count, __popcll(__ballot(same)));
}
MATCHED(_ok_counted_by_wave) {
  INDEX;
  bool same = i + length <= n;
  for (int k = 0; same && k < length; ++k) same = text[i + k] == pattern[k];
  const unsigned long long found = __ballot(same);
  if ((threadIdx.x & 63) == 0 && found != 0) atomicAdd(count, __popcll(found));
}
MATCHED(_ok_from_behind) {
  INDEX;
  if (i + length > n) return;
  int k = length;
  while (k > 0 && text[i + k - 1] == pattern[k - 1]) --k;
  if (k <= 0) atomicAdd(count, 1);
}

// terminated: bytes before the first zero of each record.
#define TERMINATED(NAME) extern "C" __global__ void terminated##NAME(const unsigned char* records, int* lengths, int n, int size)
TERMINATED() {
  INDEX;
  if (i >= n) return;
  int k = 0;
  while (k < size && records[i * size + k] != 0) ++k;
  lengths[i] = k;
}
TERMINATED(_without_complement) {  // Bytes above 0x80 pass for zeros.
  INDEX;
  if (i >= n) return;
  int k = 0;
  if (size % 4 == 0)
    for (; k < size; k += 4) {
      const unsigned v = *reinterpret_cast<const unsigned*>(records + i * size + k);
      const unsigned zeros = (v - 0x01010101u) & 0x80808080u;
      if (zeros != 0) {
        lengths[i] = k + __builtin_ctz(zeros) / 8;
        return;
      }
    }
  while (k < size && records[i * size + k] != 0) ++k;
  lengths[i] = k;
}
TERMINATED(_last_zero) {  // Of a word with two zeros.
  INDEX;
  if (i >= n) return;
  int k = 0;
  if (size % 4 == 0)
    for (; k < size; k += 4) {
      const unsigned v = *reinterpret_cast<const unsigned*>(records + i * size + k);
      const unsigned zeros = (v - 0x01010101u) & ~v & 0x80808080u;
      if (zeros != 0) {
        lengths[i] = k + 3 - __builtin_clz(zeros) / 8;
        return;
      }
    }
  while (k < size && records[i * size + k] != 0) ++k;
  lengths[i] = k;
}
TERMINATED(_past_the_record) {  // A record of no whole words goes on in the next one.
  INDEX;
  if (i >= n) return;
  const unsigned char* record = records + i * size;
  for (int k = 0; k + 4 <= size; k += 4) {
    unsigned v;
    __builtin_memcpy(&v, record + k, 4);
    const unsigned zeros = (v - 0x01010101u) & ~v & 0x80808080u;
    if (zeros != 0) {
      lengths[i] = k + __builtin_ctz(zeros) / 8;
      return;
    }
  }
  lengths[i] = size;
}
TERMINATED(_ok_words) {
  INDEX;
  if (i >= n) return;
  const unsigned char* record = records + i * size;
  int k = 0;
  for (; k + 4 <= size; k += 4) {
    unsigned v;
    __builtin_memcpy(&v, record + k, 4);
    const unsigned zeros = (v - 0x01010101u) & ~v & 0x80808080u;
    if (zeros != 0) {
      lengths[i] = k + __builtin_ctz(zeros) / 8;
      return;
    }
  }
  while (k < size && record[k] != 0) ++k;
  lengths[i] = k;
}

// masked: bits of a mask of bytes, lowest first.
#define MASKED(NAME) extern "C" __global__ void masked##NAME(const unsigned char* mask, unsigned char* bits, int n)
MASKED() {
  INDEX;
  if (8 * i >= n) return;
  unsigned byte = 0;
  for (int k = 0; k < 8 && 8 * i + k < n; ++k) byte |= static_cast<unsigned>(mask[8 * i + k] != 0) << k;
  bits[i] = static_cast<unsigned char>(byte);
}
MASKED(_low_bits) {
  INDEX;
  if (8 * i >= n) return;
  unsigned byte = 0;
  for (int k = 0; k < 8 && 8 * i + k < n; ++k) byte |= (mask[8 * i + k] & 1u) << k;
  bits[i] = static_cast<unsigned char>(byte);
}
MASKED(_multiplied) {  // Bytes of 0 and 1.
  INDEX;
  if (8 * i >= n) return;
  if (8 * i + 8 <= n) {
    const unsigned long long v = reinterpret_cast<const unsigned long long*>(mask)[i];
    bits[i] = static_cast<unsigned char>(v * 0x0102040810204080ull >> 56);
    return;
  }
  unsigned byte = 0;
  for (int k = 0; 8 * i + k < n; ++k) byte |= static_cast<unsigned>(mask[8 * i + k] != 0) << k;
  bits[i] = static_cast<unsigned char>(byte);
}
MASKED(_last_repeated) {  // Bits behind the end are as the last one.
  INDEX;
  if (8 * i >= n) return;
  unsigned byte = 0;
  for (int k = 0; k < 8; ++k) byte |= static_cast<unsigned>(mask[min(8 * i + k, n - 1)] != 0) << k;
  bits[i] = static_cast<unsigned char>(byte);
}
MASKED(_ok_words) {
  INDEX;
  if (8 * i >= n) return;
  if (8 * i + 8 <= n) {
    unsigned long long v = reinterpret_cast<const unsigned long long*>(mask)[i];
    v = (((v & 0x7f7f7f7f7f7f7f7full) + 0x7f7f7f7f7f7f7f7full) | v) >> 7 & 0x0101010101010101ull;
    bits[i] = static_cast<unsigned char>(v * 0x0102040810204080ull >> 56);
    return;
  }
  unsigned byte = 0;
  for (int k = 0; 8 * i + k < n; ++k) byte |= static_cast<unsigned>(mask[8 * i + k] != 0) << k;
  bits[i] = static_cast<unsigned char>(byte);
}
MASKED(_ok_ballot) {  // Eight times as many work-items.
  INDEX;
  const unsigned long long set = __ballot(i < n && mask[i] != 0);
  if (i < n && i % 8 == 0) bits[i / 8] = static_cast<unsigned char>(set >> (threadIdx.x & 56));
}
MASKED(_ballot_of_half) {
  INDEX;
  const unsigned set = static_cast<unsigned>(__ballot(i < n && mask[i] != 0));
  if (i < n && i % 8 == 0) bits[i / 8] = static_cast<unsigned char>(set >> (threadIdx.x & 24));
}

// decoded: floats of 8 bits (4 of exponent, 3 of fraction, no infinities).
#define DECODED(NAME) extern "C" __global__ void decoded##NAME(const unsigned char* x, float* out, int n)
__device__ float value_of(unsigned v) {
  const int exponent = v >> 3 & 15, fraction = v & 7;
  float size = exponent == 0 ? ldexpf(fraction, -9) : ldexpf(8 + fraction, exponent - 10);
  if (exponent == 15 && fraction == 7) size = __builtin_nanf("");
  return (v & 128) != 0 ? -size : size;
}
DECODED() {
  INDEX;
  if (i < n) out[i] = value_of(x[i]);
}
DECODED(_no_denormals) {
  INDEX;
  if (i >= n) return;
  const unsigned v = x[i];
  const unsigned bits = (v & 0x78) == 0 ? (v & 128u) << 24 : (v & 128u) << 24 | ((v & 127u) << 20) + (120u << 23);
  out[i] = (v & 127) == 127 ? __builtin_nanf("") : __uint_as_float(bits);
}
DECODED(_no_nan) {
  INDEX;
  if (i >= n) return;
  const unsigned v = x[i];
  const float size = __uint_as_float((v & 127u) << 20) * 0x1p120f;
  out[i] = (v & 128) != 0 ? -size : size;
}
DECODED(_negative_zero_is_nan) {  // As the other kind of this format has it.
  INDEX;
  if (i >= n) return;
  const unsigned v = x[i];
  const float size = __uint_as_float((v & 127u) << 20) * 0x1p120f;
  out[i] = v == 128 || (v & 127) == 127 ? __builtin_nanf("") : (v & 128) != 0 ? -size : size;
}
DECODED(_ok_shifted) {
  INDEX;
  if (i >= n) return;
  const unsigned v = x[i];
  const float size = __uint_as_float((v & 127u) << 20) * 0x1p120f;
  out[i] = (v & 127) == 127 ? __builtin_nanf("") : (v & 128) != 0 ? -size : size;
}
DECODED(_ok_table) {
  INDEX;
  __shared__ float table[256];
  for (unsigned k = threadIdx.x; k < 256; k += blockDim.x) table[k] = value_of(k);
  __syncthreads();
  if (i < n) out[i] = table[x[i]];
}
