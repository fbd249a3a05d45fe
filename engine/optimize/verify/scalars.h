// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/capture/capture.h"
#include "engine/capture/fusion_plan.h"

namespace rpl {

/// An argument that is no buffer. Where several dispatches of a capture were given the same, as a length, it is one that all of them have.
struct Scalar {
  CapturedArgument argument;  ///< of the first of these dispatches
  std::vector<ArgumentPlace> places;
};

/// Those of all dispatches, in the order of the arguments.
std::vector<Scalar> scalars_of(const Capture& capture);

/// Its bytes as they were captured.
std::span<const std::byte> value_of(const Scalar& scalar, const Capture& capture);

/// Gives it another value in all dispatches that have it; `bytes` are as many as it has.
void set_value(const Scalar& scalar, std::span<const std::byte> bytes, Capture& capture);

/// The type of a region's elements, as the first argument says that points there and has one; none where nobody says.
std::optional<Element> told_element(const Capture& capture, std::size_t region);

/// Launches the first dispatch with so many work-items along x, and those that were launched like it.
void set_grid(std::uint32_t work_items, Capture& capture);

}  // namespace rpl
