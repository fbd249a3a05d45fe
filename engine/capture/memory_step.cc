// SPDX-License-Identifier: MIT
#include "engine/capture/memory_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "engine/base/numbers.h"
#include "engine/capture/capture.h"

namespace rpl {
namespace {

constexpr std::array<std::string_view, 3> kKinds = {"copy", "fill", "upload"};

/// Products that an address can be: rows are counted by whoever wrote the file.
bool fits(const MemoryStep& step, std::uint64_t pitch) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 47;
  if (step.width == 0 || step.rows == 0 || step.width > kMost || step.rows > kMost) return false;
  if (step.rows == 1) return true;
  return pitch >= step.width && pitch <= kMost / step.rows;
}

}  // namespace

std::string_view to_string(MemoryStep::Kind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

bool from_text(std::string_view text, MemoryStep::Kind& kind) {
  const auto found = std::ranges::find(kKinds, text);
  if (found == kKinds.end()) return false;
  kind = static_cast<MemoryStep::Kind>(found - kKinds.begin());
  return true;
}

std::string to_text(const MemoryStep& step) {
  return fmt::format("{} {}", to_string(step.kind), format_bytes(step.bytes()));
}

std::size_t step_count(const Capture& capture) {
  std::size_t sum = 0;
  for (const FollowingDispatch& dispatch : capture.then) sum += dispatch.steps.size();
  return sum;
}

std::optional<std::size_t> region_holding(std::span<const CapturedRegion> regions,
                                          std::uint64_t address, std::uint64_t bytes) {
  const auto after = std::ranges::upper_bound(regions, address, {}, &CapturedRegion::base);
  if (after == regions.begin()) return std::nullopt;
  const auto found = std::prev(after);
  const std::uint64_t offset = address - found->base;
  if (offset > found->size || bytes > found->size - offset) return std::nullopt;
  return static_cast<std::size_t>(found - regions.begin());
}

Status check_step(const Capture& capture, const MemoryStep& step) {
  const bool copies = step.kind == MemoryStep::Kind::copy;
  const auto bad = [&](const std::string& what) {
    return fail(Errc::corrupt,
                fmt::format("{} to 0x{:x} of {} rows of {} bytes: {}", to_string(step.kind),
                            step.to, step.rows, step.width, what));
  };
  if (!fits(step, step.to_pitch) || (copies && !fits(step, step.from_pitch)))
    return bad("no such rows");
  const auto inside = [&](std::uint64_t address, std::uint64_t pitch) {
    return region_holding(capture.regions, address, step.extent(pitch)).has_value();
  };
  if (!inside(step.to, step.to_pitch)) return bad("not within captured memory");
  if (copies && !inside(step.from, step.from_pitch))
    return bad(fmt::format("from 0x{:x}, not within captured memory", step.from));
  const std::size_t size = step.data.size();
  const bool repeats = (size == 1 || size == 2 || size == 4) && step.width % size == 0;
  const bool whole = copies                                ? size == 0
                     : step.kind == MemoryStep::Kind::fill ? repeats
                                                           : size == step.bytes();
  return whole ? Status() : bad(fmt::format("{} bytes of data", size));
}

void apply(const MemoryStep& step,
           const std::function<std::byte*(std::uint64_t, std::uint64_t)>& host_of) {
  std::byte* const to = host_of(step.to, step.extent(step.to_pitch));
  if (to == nullptr) return;
  const std::byte* const from = step.kind == MemoryStep::Kind::copy
                                    ? host_of(step.from, step.extent(step.from_pitch))
                                    : step.data.data();
  if (from == nullptr) return;
  for (std::uint64_t row = 0; row < step.rows; ++row) {
    std::byte* const at = to + row * step.to_pitch;
    switch (step.kind) {
      case MemoryStep::Kind::copy:
        std::memmove(at, from + row * step.from_pitch, step.width);
        break;
      case MemoryStep::Kind::fill:
        for (std::uint64_t i = 0; i < step.width; i += step.data.size())
          std::memcpy(at + i, from, step.data.size());
        break;
      case MemoryStep::Kind::upload:
        std::memcpy(at, from + row * step.width, step.width);
        break;
    }
  }
}

}  // namespace rpl
