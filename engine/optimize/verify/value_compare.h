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
  bool exact = false;  ///< every bit counts: also the sign of zero and what a NaN carries
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

/// Compares element by element; both spans hold the same number of bytes, a multiple of the element's size.
ValueComparison compare_values(Element element, std::span<const std::byte> expected,
                               std::span<const std::byte> found, const Tolerance& tolerance);

}  // namespace rpl
