// SPDX-License-Identifier: MIT
// What the contents of a buffer say of its elements.
#include <algorithm>
#include <bit>
#include <cmath>

#include "engine/optimize/inputs/input_sets.h"
#include "engine/optimize/inputs/scalars.h"

namespace rpl {
namespace {

bool is_address(const Capture& capture, std::uint64_t value) {
  return std::ranges::any_of(capture.regions, [&](const CapturedRegion& region) {
    return value >= region.base && value < region.base + region.size;
  });
}

struct Dwords {
  std::size_t zeros = 0, floats = 0, others = 0;
};

Dwords count_dwords(std::span<const std::byte> bytes) {
  Dwords out;
  for (std::size_t at = 0; at + 4 <= bytes.size(); at += 4) {
    const auto word = read_as<std::uint32_t>(bytes.data() + at);
    ++((word & 0x7fffffffU) == 0 ? out.zeros : looks_like_float(word) ? out.floats : out.others);
  }
  return out;
}

}  // namespace

std::string_view to_string(Role role) {
  switch (role) {
    case Role::value:
      return "value";
    case Role::branch:
      return "branch";
    case Role::structure:
      return "structure";
    default:
      return "fixed";
  }
}

bool looks_like_float(std::uint32_t bits) {
  const float value = std::abs(std::bit_cast<float>(bits));
  return value >= 1e-12F && value <= 1e12F;
}

BufferTraits infer_traits(const Capture& capture, std::size_t region,
                          std::span<const std::byte> after) {
  BufferTraits out;
  const CapturedRegion& held = capture.regions[region];
  if (const auto told = told_element(capture, region)) {
    if (held.size % size_of(*told) == 0) out.element = *told;
    return out;
  }
  out.inferred = true;
  const std::span<const std::byte> before(held.before);
  const auto addresses = [&](std::span<const std::byte> bytes) {
    std::size_t found = 0, words = 0;
    for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8, ++words)
      found += is_address(capture, read_as<std::uint64_t>(bytes.data() + at)) ? 1 : 0;
    return words > 0 && found == words;
  };
  if (held.size % 8 == 0 && addresses(before)) {
    out.element = Element::u64;
    return out;
  }
  if (held.size % 4 != 0 || held.size == 0) return out;
  const Dwords a = count_dwords(before), b = count_dwords(after);
  const std::size_t floats = a.floats + b.floats, others = a.others + b.others;
  if (floats == 0 && others == 0) return out;
  if (floats >= 16 * others) {
    out.element = Element::f32;
  } else if (others >= 16 * floats) {
    out.element = Element::u32;
  } else {
    out.mixed = true;
  }
  return out;
}

}  // namespace rpl
