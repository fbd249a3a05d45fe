// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace rpl::att {

static_assert(std::endian::native == std::endian::little, "digits are taken from the low byte up");

/// A decimal number at `p`, eight digits at a time and at most 18 of them; `p` then stands behind it. False without one, or with more digits.
/// Up to 8 bytes behind the number are read.
inline bool number_at(const char*& p, std::int64_t& out) {
  const bool negative = *p == '-';
  p += negative ? 1 : 0;
  std::uint64_t value = 0;
  int digits = 0;
  while (true) {
    std::uint64_t word = 0;
    std::memcpy(&word, p, sizeof word);
    word ^= 0x3030303030303030;
    // The lowest byte above 9 has its top bit set; bytes below it are digits and do not carry into it.
    const std::uint64_t other = ((word + 0x7676767676767676) | word) & 0x8080808080808080;
    const int count = other == 0 ? 8 : std::countr_zero(other) >> 3;
    if (count == 0) break;
    constexpr std::uint64_t kPowers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
    word <<= (8 - count) * 8;
    word = word * 10 + (word >> 8);
    const std::uint64_t part = (((word & 0x000000FF000000FF) * 0x000F424000000064) +
                                (((word >> 16) & 0x000000FF000000FF) * 0x0000271000000001)) >> 32;
    value = value * kPowers[count] + part;
    digits += count;
    p += count;
    if (digits > 18) return false;
    if (count < 8) break;
  }
  if (digits == 0) return false;
  out = negative ? -static_cast<std::int64_t>(value) : static_cast<std::int64_t>(value);
  return true;
}

}  // namespace rpl::att
