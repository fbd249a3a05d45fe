// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/capture/capture.h"
#include "engine/capture/fusion_plan.h"
#include "engine/optimize/inputs/input_sets.h"

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

/// Whether it is a float, as its type says or, where nobody says, its bits look.
bool is_real(const Scalar& scalar, std::span<const std::byte> value);

/// The number in a value of the scalar's 4 or 8 bytes.
double number_in(const Scalar& scalar, std::span<const std::byte> value);
/// A number as a value of the scalar, in the type that it was captured with.
std::vector<std::byte> value_with(const Scalar& scalar, std::span<const std::byte> captured,
                                  double number);

/// A number in as many bytes.
template <class T>
std::vector<std::byte> scalar_bytes(T value, std::size_t size) {
  std::vector<std::byte> out(size);
  std::memcpy(out.data(), &value, std::min(size, sizeof(value)));
  return out;
}

/// Other values to try for a scalar of 4 or 8 bytes: smaller ones first, with which a kernel stays within its buffers. `captured` is its value.
std::vector<std::vector<std::byte>> other_values(const Scalar& scalar,
                                                 std::span<const std::byte> captured,
                                                 Random& random);
/// Values of a scalar that is no count; empty ones are none.
struct FreeValues {
  std::vector<std::byte> negative;  ///< with the other sign; none of what has no sign
  std::vector<std::byte> larger;    ///< several times as large
  std::vector<std::byte>
      power;  ///< of whole numbers, a power of two: shifts and masks take the place of divisions and remainders by it
};
/// Nothing of what is 0.
FreeValues values_of_any_size(const Scalar& scalar, std::span<const std::byte> captured,
                              Random& random);
/// The whole numbers among the scalars.
std::vector<std::int64_t> whole_values(const Capture& capture);
/// Those of the scalars of 4 and 8 bytes, as elements may be compared with them.
Thresholds scalar_values(const Capture& capture);

/// The type of a region's elements, as the first argument says that points there and has one; none where nobody says.
std::optional<Element> told_element(const Capture& capture, std::size_t region);

/// Launches the first dispatch with so many work-items along an axis, and those that were launched like it.
void set_grid(std::uint32_t work_items, Capture& capture, std::size_t axis = 0);

/// A copy that says how to launch, without the memory, which is given to each run.
std::shared_ptr<Capture> without_memory(const Capture& capture);

}  // namespace rpl
