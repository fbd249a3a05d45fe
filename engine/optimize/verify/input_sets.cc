// SPDX-License-Identifier: MIT
#include "engine/optimize/verify/input_sets.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "engine/base/half.h"
#include "engine/replay/elements.h"

namespace rpl {
namespace {

void store(Element element, double value, std::byte* at) {
  const auto single = static_cast<float>(value);
  std::uint16_t bits = 0;
  switch (element) {
    case Element::f32:
      std::memcpy(at, &single, 4);
      return;
    case Element::f64:
      std::memcpy(at, &value, 8);
      return;
    case Element::f16:
      bits = emu::to_half(single).bits;
      break;
    default:
      bits = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(single) >> 16);
      break;
  }
  std::memcpy(at, &bits, 2);
}

/// False when all finite values are the same: such a buffer is a constant or a place for results.
bool draw_anew(Element element, std::vector<std::byte>& bytes, std::mt19937_64& random) {
  const std::size_t size = size_of(element), count = bytes.size() / size;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (std::size_t i = 0; i < count; ++i) {
    const double value = element_number(element, bytes.data() + i * size);
    if (!std::isfinite(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  if (!(low < high)) return false;
  for (std::size_t i = 0; i < count; ++i) {
    const double share = static_cast<double>(random() >> 11) * 0x1p-53;
    store(element, low * (1 - share) + high * share, bytes.data() + i * size);
  }
  return true;
}

}  // namespace

std::vector<InputSet> input_sets(const Capture& capture, std::uint32_t more, std::uint64_t seed) {
  InputSet captured;
  for (const CapturedRegion& region : capture.regions) captured.memory.push_back(region.before);
  std::vector<InputSet> out(1 + more, captured);
  for (std::size_t set = 1; set < out.size(); ++set) {
    std::mt19937_64 random(seed + set);
    for (const CapturedArgument& argument : capture.arguments) {
      if (!argument.buffer || !argument.element || !is_float(*argument.element)) continue;
      if (draw_anew(*argument.element, out[set].memory[argument.region], random))
        ++out[set].redrawn;
    }
  }
  return out;
}

}  // namespace rpl
