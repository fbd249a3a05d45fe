// SPDX-License-Identifier: MIT
#include "engine/replay/images.h"

#include <algorithm>
#include <cstring>

#include "engine/base/stretches.h"

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

Result<std::optional<ImageDifference>> difference_of(std::size_t region,
                                                     std::span<const std::byte> expected,
                                                     std::span<const std::byte> found) {
  constexpr std::size_t kStretch = std::size_t{8} << 20;
  ImageDifference difference{.region = region};
  TRY(interrupt::in_stretches(std::min(expected.size(), found.size()), kStretch,
                              [&](std::size_t begin, std::size_t end) -> Status {
                                if (std::memcmp(expected.data() + begin, found.data() + begin,
                                                end - begin) == 0)
                                  return {};
                                for (std::size_t i = begin; i < end; ++i) {
                                  if (expected[i] == found[i]) continue;
                                  if (difference.differing_bytes++ == 0)
                                    difference.first_offset = i;
                                }
                                return {};
                              }));
  if (difference.differing_bytes == 0) return std::optional<ImageDifference>();
  return std::optional(difference);
}

Result<ImageComparison> compare_with_post_image(const Capture& capture, const MemoryImage& memory) {
  ImageComparison comparison;
  if (!capture.has_after) return comparison;
  for (std::size_t i = 0; i < capture.regions.size(); ++i) {
    const auto difference = TRY(difference_of(i, after_of(capture.regions[i]), memory.at(i)));
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
