// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "engine/base/element.h"

/// Typed views of the bytes that a kernel left, and comparing them with what was expected.
namespace rpl {

/// An element as a number: exact but for 64-bit integers beyond 2^53. `at` holds size_of(element) bytes.
double element_number(Element element, const std::byte* at);
/// The shortest text that reads back as the same element: "-3", "0.1", "nan".
std::string element_text(Element element, const std::byte* at);

/// How far a floating-point element may be from the expected one: relative * |expected| + absolute.
struct Tolerance {
  double relative = 0, absolute = 0;
};

/// Zero for integers; f64 1e-12, f32 1e-5, f16 1e-3, bf16 1e-2 relative, and a thousandth of it absolute.
Tolerance default_tolerance(Element element);

struct ElementMismatch {
  std::size_t first = 0;  ///< index of the first element that differs, from 0
  std::size_t count = 0;  ///< how many differ
  double largest = 0;     ///< of |found - expected|; NaN where one of them is
};

/// Compares buffers of one size. Integers must be equal; floats agree within the tolerance, and NaN with NaN. Nothing when all agree.
std::optional<ElementMismatch> mismatch_of(Element element, std::span<const std::byte> expected,
                                           std::span<const std::byte> found,
                                           const Tolerance& tolerance);

}  // namespace rpl
