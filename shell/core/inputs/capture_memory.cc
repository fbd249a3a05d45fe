// SPDX-License-Identifier: MIT
#include "shell/core/inputs/capture_memory.h"

#include <fmt/format.h>

#include <cstring>

#include "engine/base/numbers.h"
#include "engine/replay/elements.h"
#include "engine/replay/images.h"

namespace rpl {
namespace {

/// The last region that begins at or before the address; null for none.
const CapturedRegion* region_below(const Capture& capture, std::uint64_t address) {
  const auto behind = std::ranges::upper_bound(capture.regions, address, {}, &CapturedRegion::base);
  return behind == capture.regions.begin() ? nullptr : &*std::prev(behind);
}

std::string nearest_to(const Capture& capture, std::uint64_t address) {
  const CapturedRegion* below = region_below(capture, address);
  if (below == nullptr && capture.regions.empty()) return "no memory was captured";
  const CapturedRegion& near = below == nullptr ? capture.regions.front() : *below;
  return fmt::format("nearest: {}, 0x{:x} to 0x{:x}; 'capture regions' lists them all", near.name,
                     near.base, near.base + near.size);
}

}  // namespace

Result<std::span<const std::byte>> read_captured(const Capture& capture, std::uint64_t address,
                                                 std::uint64_t bytes, bool after) {
  if (after && !capture.has_after)
    return fail(Errc::not_found, "memory after the dispatch was not captured",
                "without --after: memory as it was before");
  const CapturedRegion* region = region_below(capture, address);
  if (region == nullptr || address - region->base > region->size ||
      bytes > region->size - (address - region->base)) {
    return fail(Errc::not_found, fmt::format("cannot read {} bytes at 0x{:x}", bytes, address),
                nearest_to(capture, address));
  }
  return std::span(after ? after_of(*region) : region->before)
      .subspan(address - region->base, bytes);
}

std::string captured_symbol(const Capture& capture, std::uint64_t address) {
  const CapturedRegion* region = region_below(capture, address);
  if (region == nullptr || address - region->base >= region->size) return {};
  const std::uint64_t offset = address - region->base;
  return offset == 0 ? region->name : fmt::format("{}+{}", region->name, offset);
}

std::optional<Value> captured_value(const Capture& capture, std::string_view name) {
  constexpr std::string_view kPrefix = "arg";
  if (!name.starts_with(kPrefix)) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  const auto number = whole_number<std::size_t>(name).value_or(0);
  if (number == 0 || number > capture.arguments.size()) return std::nullopt;
  const CapturedArgument& argument = capture.arguments[number - 1];
  const std::byte* at = capture.kernarg.data() + argument.kernarg_offset;
  if (!argument.buffer && argument.element && is_float(*argument.element))
    return Value(element_number(*argument.element, at));
  std::uint64_t bits = 0;
  if (argument.kernarg_size > sizeof(bits)) return std::nullopt;
  std::memcpy(&bits, at, argument.kernarg_size);
  if (!argument.buffer && argument.element && is_signed(*argument.element))
    return Value(static_cast<std::int64_t>(element_number(*argument.element, at)));
  return Value(bits);
}

}  // namespace rpl
