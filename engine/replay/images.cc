// SPDX-License-Identifier: MIT
#include "engine/replay/images.h"

#include <algorithm>
#include <cstring>

namespace rpl {

std::string_view to_string(ImageMatch match) {
  switch (match) {
    case ImageMatch::matched:
      return "matched";
    case ImageMatch::differs:
      return "differs";
    case ImageMatch::not_captured:
      break;
  }
  return "not-captured";
}

const std::vector<std::byte>& after_of(const CapturedRegion& region) {
  return region.after ? *region.after : region.before;
}

std::optional<ImageDifference> difference_of(std::size_t region,
                                             std::span<const std::byte> expected,
                                             std::span<const std::byte> found) {
  const std::size_t size = std::min(expected.size(), found.size());
  if (size == 0 || std::memcmp(expected.data(), found.data(), size) == 0) return std::nullopt;
  ImageDifference difference{.region = region};
  for (std::size_t i = 0; i < size; ++i) {
    if (expected[i] == found[i]) continue;
    if (difference.differing_bytes++ == 0) difference.first_offset = i;
  }
  return difference;
}

ImageComparison compare_with_post_image(const Capture& capture, const MemoryImage& memory) {
  ImageComparison comparison;
  if (!capture.has_after) return comparison;
  for (std::size_t i = 0; i < capture.regions.size(); ++i) {
    const auto difference = difference_of(i, after_of(capture.regions[i]), memory.at(i));
    if (difference) comparison.differences.push_back(*difference);
  }
  comparison.match = comparison.differences.empty() ? ImageMatch::matched : ImageMatch::differs;
  return comparison;
}

const isa::Symbol* symbol_of_variable(const CapturedRegion& region, const isa::CodeObject& object,
                                      std::uint64_t load_base) {
  // Names that are local to a source may stand for several; the captured address tells which.
  const auto rank = [&](const isa::Symbol& symbol) {
    return load_base + symbol.address == region.base ? 0 : 1;
  };
  const isa::Symbol* best = nullptr;
  for (const isa::Symbol& symbol : object.elf().symbols) {
    if (symbol.name != region.variable || symbol.size != region.size) continue;
    if (best == nullptr || rank(symbol) < rank(*best)) best = &symbol;
  }
  return best;
}

std::vector<std::byte> explicit_part(const DispatchView& dispatch, const isa::Kernel& kernel) {
  std::size_t end = 0;
  for (const auto& parameter : kernel.explicit_arguments())
    end = std::max<std::size_t>(end, parameter.offset + parameter.size);
  const auto size = static_cast<std::ptrdiff_t>(std::min(end, dispatch.kernarg.size()));
  return {dispatch.kernarg.begin(), dispatch.kernarg.begin() + size};
}

}  // namespace rpl
