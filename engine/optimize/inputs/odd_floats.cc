// SPDX-License-Identifier: MIT
#include "engine/optimize/inputs/odd_floats.h"

#include <cstring>
#include <iterator>

namespace rpl {
namespace {

bool either(Random& random) { return (random() >> 63) != 0; }

unsigned mantissa_bits(Element element) {
  switch (element) {
    case Element::f16:
      return 10;
    case Element::bf16:
      return 7;
    case Element::f32:
      return 23;
    default:
      return 52;
  }
}

/// A float by its parts, of either sign.
void store_parts(Element element, bool all_ones, std::uint64_t mantissa, Random& random,
                 std::byte* at) {
  const unsigned bits = mantissa_bits(element);
  const std::size_t size = size_of(element);
  const std::uint64_t sign = std::uint64_t{1} << (8 * size - 1);
  const std::uint64_t value = (mantissa & ((std::uint64_t{1} << bits) - 1)) |
                              (all_ones ? sign - (std::uint64_t{1} << bits) : 0) |
                              (either(random) ? sign : 0);
  std::memcpy(at, &value, size);
}

}  // namespace

void store_denormal(Element element, Random& random, std::byte* at) {
  store_parts(element, false, either(random) ? 1 : random() | 1, random, at);
}

void store_nan(Element element, Random& random, std::byte* at) {
  const std::uint64_t quiet = std::uint64_t{1} << (mantissa_bits(element) - 1);
  const std::uint64_t payloads[] = {quiet, ~std::uint64_t{0}, random() | quiet};
  store_parts(element, true, payloads[random() % std::size(payloads)], random, at);
}

}  // namespace rpl
