// SPDX-License-Identifier: MIT
#include "engine/optimize/verify/scalars.h"

#include <algorithm>

#include "engine/capture/dispatches.h"

namespace rpl {
namespace {

const CapturedArgument& argument_at(const Capture& capture, const ArgumentPlace& place) {
  return dispatch_view(capture, place.dispatch).arguments[place.argument];
}

std::span<const std::byte> bytes_at(const Capture& capture, const ArgumentPlace& place) {
  const CapturedArgument& argument = argument_at(capture, place);
  const auto& kernarg = dispatch_view(capture, place.dispatch).kernarg;
  if (argument.buffer || argument.kernarg_offset + argument.kernarg_size > kernarg.size())
    return {};
  return std::span(kernarg).subspan(argument.kernarg_offset, argument.kernarg_size);
}

/// The one that has the same value and is none of this dispatch yet; null for none.
Scalar* same_as(std::vector<Scalar>& known, const Capture& capture, const ArgumentPlace& place) {
  if (place.dispatch == 0) return nullptr;
  const auto found = std::ranges::find_if(known, [&](const Scalar& one) {
    return one.places.back().dispatch < place.dispatch &&
           std::ranges::equal(value_of(one, capture), bytes_at(capture, place));
  });
  return found == known.end() ? nullptr : &*found;
}

}  // namespace

std::vector<Scalar> scalars_of(const Capture& capture) {
  std::vector<Scalar> out;
  for (std::size_t dispatch = 0; dispatch < dispatch_count(capture); ++dispatch) {
    for (std::size_t i = 0; i < dispatch_view(capture, dispatch).arguments.size(); ++i) {
      const ArgumentPlace place{dispatch, i};
      if (bytes_at(capture, place).empty()) continue;
      if (Scalar* same = same_as(out, capture, place))
        same->places.push_back(place);
      else
        out.push_back({argument_at(capture, place), {place}});
    }
  }
  return out;
}

std::span<const std::byte> value_of(const Scalar& scalar, const Capture& capture) {
  return bytes_at(capture, scalar.places.front());
}

void set_value(const Scalar& scalar, std::span<const std::byte> bytes, Capture& capture) {
  for (const ArgumentPlace& place : scalar.places) {
    auto& kernarg =
        place.dispatch == 0 ? capture.kernarg : capture.then[place.dispatch - 1].kernarg;
    std::ranges::copy(bytes, kernarg.begin() + static_cast<std::ptrdiff_t>(
                                                   argument_at(capture, place).kernarg_offset));
  }
}

std::optional<Element> told_element(const Capture& capture, std::size_t region) {
  for (std::size_t i = 0; i < dispatch_count(capture); ++i) {
    for (const CapturedArgument& one : dispatch_view(capture, i).arguments) {
      if (one.buffer && one.region == region && one.element) return one.element;
    }
  }
  return std::nullopt;
}

void set_grid(std::uint32_t work_items, Capture& capture) {
  for (FollowingDispatch& next : capture.then) {
    if (next.grid == capture.grid && next.workgroup == capture.workgroup) next.grid[0] = work_items;
  }
  capture.grid[0] = work_items;
}

}  // namespace rpl
