// SPDX-License-Identifier: MIT
#include <cstring>

#include "tests/differential/writer.h"

namespace rpl::differential {
namespace {

std::uint64_t corner_of_integer(Random& random, unsigned bits) {
  switch (random.below(8)) {
    case 0:
      return random.below(4);
    case 1:
      return mask_of(bits) - random.below(3);
    case 2:
      return (std::uint64_t{1} << (bits - 1)) - random.below(2);
    case 3:
      return (std::uint64_t{1} << random.below(bits)) - random.below(2);
    case 4:
      return random.below(200);
    case 5:
      return mask_of(bits) & ~random.below(200);
    default:
      return random.next() & mask_of(bits);
  }
}

template <class T>
std::uint64_t bits_of_number(T value) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(value));
  return bits;
}

// Numbers of ordinary size, whose sums and quotients are neither huge nor lost.
std::uint64_t ordinary_float(Random& random, unsigned bits) {
  if (bits == 16) {
    constexpr std::uint64_t kLowest = 9, kExponents = 13;
    return (random.next() & 0x83ffU) | (kLowest + random.below(kExponents)) << 10;
  }
  const auto scaled = static_cast<double>(static_cast<std::int64_t>(random.next())) * 0x1p-63;
  const double value = random.percent(30)
                           ? static_cast<double>(static_cast<int>(random.below(41)) - 20)
                           : scaled * static_cast<double>(1U << random.below(12));
  if (bits == 64) return bits_of_number(value);
  return bits_of_number(static_cast<float>(value));
}

std::uint64_t corner_of_float(Random& random, unsigned bits) {
  const std::uint64_t sign = random.percent(50) ? std::uint64_t{1} << (bits - 1) : 0;
  const std::uint64_t infinity = mask_of(bits - 1) ^ (low_exponent_bit(bits) - 1);
  switch (random.below(16)) {
    case 0:
      return sign;
    case 1:
      return sign | infinity;
    case 2:
      return quiet_nan(bits);
    case 3:
      return sign | (random.next() & (low_exponent_bit(bits) - 1));  // a denormal
    case 4:
      return sign | (infinity - 1 - random.below(2));  // the largest
    case 5:
      return sign | (low_exponent_bit(bits) - random.below(2));  // around the smallest normal
    case 6:
    case 7: {
      const std::uint64_t any = random.next() & mask_of(bits);
      return is_nan(any, bits) ? quiet_nan(bits) : any;
    }
    default:
      return ordinary_float(random, bits);
  }
}

}  // namespace

std::uint64_t corner_bits(Random& random, Type element) {
  if (element.is_float) return corner_of_float(random, element.bits);
  return corner_of_integer(random, element.bits);
}

}  // namespace rpl::differential
