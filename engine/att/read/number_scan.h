// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace rpl::att {

static_assert(std::endian::native == std::endian::little, "digits are taken from the low byte up");

/// The value of `count` digits, 1 to 8, at `p`; 8 bytes are read.
inline std::uint64_t digits_value(const char* p, unsigned count) {
  std::uint64_t word = 0;
  std::memcpy(&word, p, sizeof word);
  word = (word ^ 0x3030303030303030) << ((8 - count) * 8);
  word = word * 10 + (word >> 8);
  return (((word & 0x000000FF000000FF) * 0x000F424000000064) +
          (((word >> 16) & 0x000000FF000000FF) * 0x0000271000000001)) >>
         32;
}

/// Bit i is set where the byte p[i] is not a digit, for 64 bytes.
inline std::uint64_t other_than_digits(const char* p) {
#if defined(__SSE2__)
  std::uint64_t mask = 0;
  const __m128i zero = _mm_set1_epi8('0'), ten = _mm_set1_epi8(10);
  for (int part = 0; part < 4; ++part) {
    const __m128i bytes =
        _mm_sub_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p + 16 * part)), zero);
    const __m128i others = _mm_cmpeq_epi8(_mm_max_epu8(bytes, ten), bytes);
    mask |= static_cast<std::uint64_t>(static_cast<unsigned>(_mm_movemask_epi8(others)))
            << (16 * part);
  }
  return mask;
#else
  std::uint64_t mask = 0;
  for (int i = 0; i < 64; ++i)
    mask |= static_cast<std::uint64_t>(static_cast<unsigned char>(p[i] - '0') > 9) << i;
  return mask;
#endif
}

enum class ShortRows {
  none,     ///< the text at `p` has another form; `p` is unchanged
  some,     ///< rows were taken; `p` stands on the first character of the next one
  ended,    ///< the list has ended; `p` stands behind its bracket
  refused,  ///< take() gave false
};

/// Rows `[1,22,333],[4,5,6]` of `count` numbers with 1 to 8 digits each, without signs or blanks, as many as there are in the 64 bytes at `p`; up to 72 bytes
/// are read. The places of all numbers are known before the first one is read, so that they are worked on side by side.
template <int count, class Take>
inline ShortRows short_rows_at(const char*& p, Take&& take) {
  std::uint64_t others = other_than_digits(p);
  unsigned at = 0;
  std::int64_t cell[count];
  while (others != 0 && static_cast<unsigned>(std::countr_zero(others)) == at && p[at] == '[') {
    others &= others - 1;
    unsigned begin = at + 1;
    int found = 0;
    for (; found < count && others != 0; ++found) {
      const auto end = static_cast<unsigned>(std::countr_zero(others));
      const unsigned digits = end - begin;
      if (digits - 1 > 7 || p[end] != (found + 1 == count ? ']' : ',')) break;
      cell[found] = static_cast<std::int64_t>(digits_value(p + begin, digits));
      others &= others - 1;
      begin = end + 1;
    }
    // What follows the row must be in sight as well.
    if (found < count || others == 0 || (p[begin] != ',' && p[begin] != ']')) break;
    if (!take(cell)) return ShortRows::refused;
    if (p[begin] == ']') {
      p += begin + 1;
      return ShortRows::ended;
    }
    others &= others - 1;
    at = begin + 1;
  }
  p += at;
  return at > 0 ? ShortRows::some : ShortRows::none;
}

/// A decimal number at `p`, eight digits at a time and at most 18 of them; `p` then stands behind it. False without one, or with more digits.
/// Up to 8 bytes behind the number are read.
inline bool number_at(const char*& p, std::int64_t& out) {
  static constexpr std::uint64_t kPowers[] = {1,      10,      100,      1000,     10000,
                                              100000, 1000000, 10000000, 100000000};
  const bool negative = *p == '-';
  p += negative ? 1 : 0;
  std::uint64_t value = 0;
  int digits = 0, count = 8;
  while (count == 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, p, sizeof word);
    word ^= 0x3030303030303030;
    // The lowest byte above 9 has its top bit set; bytes below it are digits and do not carry into it.
    const std::uint64_t other = ((word + 0x7676767676767676) | word) & 0x8080808080808080;
    count = other == 0 ? 8 : std::countr_zero(other) >> 3;
    if (count == 0) break;
    value = value * kPowers[count] + digits_value(p, static_cast<unsigned>(count));
    digits += count;
    p += count;
    if (digits > 18) return false;
  }
  if (digits == 0) return false;
  out = negative ? -static_cast<std::int64_t>(value) : static_cast<std::int64_t>(value);
  return true;
}

}  // namespace rpl::att
