// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "engine/base/element.h"

namespace rpl {

/// How far two values may be apart: |found − expected| ≤ relative · |expected| + rms_share · (root mean square of the finite expected values) + absolute + each_factor · each.
struct Tolerance {
  double relative = 0;
  double rms_share = 0;
  double absolute = 0;  ///< of floats: what the baseline differs from itself
  std::span<const float> each =
      {};  ///< by element, absolute, times `each_factor` added to that; empty: nothing
  double each_factor = 1;
  double underflow = 0;  ///< of floats: below that a number may stand where 0 is expected
  bool exact = false;    ///< every bit counts: also the sign of zero; not what a NaN carries
};

/// Integers exact; f64 1e-12, f32 1e-5, f16 1e-3, bf16 1e-2, each with a tenth of it of the root mean square.
Tolerance default_tolerance(Element element);

/// What comparing two buffers found. NaN equals NaN only, an infinity the same infinity only.
struct ValueComparison {
  std::uint64_t elements = 0;
  std::uint64_t mismatches = 0;
  std::uint64_t first_index = 0;            ///< of the first mismatch
  std::string first_expected, first_found;  ///< its values as text
  double max_absolute = 0;                  ///< over all pairs of finite values
  double max_relative = 0;                  ///< likewise, where the expected value is not 0
  std::uint64_t max_ulp = 0;  ///< likewise, steps between neighbouring values; floats only
};

/// By how much all elements of one buffer differ from another one's in the same direction: what a factor a little above 1 does, or a sum that always loses a part, and what no order of
/// the same operations does.
struct Bias {
  double mean = 0;             ///< of (found − expected) / expected, without the tenth at each end
  double error = 0;            ///< how far that would be from 0 by chance: the standard error
  std::uint64_t elements = 0;  ///< that are normal numbers in both, expected ones not 0
};
/// Of floats; nothing of other elements.
Bias bias_of(Element element, std::span<const std::byte> expected,
             std::span<const std::byte> found);
/// The distance of two neighbouring numbers at 1.
double unit_in_last_place(Element element);

/// Compares element by element; both spans hold the same number of bytes, a multiple of the element's size. While the interrupt flag is up they are compared in part, and the
/// rest counts as a mismatch.
ValueComparison compare_values(Element element, std::span<const std::byte> expected,
                               std::span<const std::byte> found, const Tolerance& tolerance);

}  // namespace rpl
