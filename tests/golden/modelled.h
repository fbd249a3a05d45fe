// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "tests/golden/transcript.h"

namespace rpl::golden {

/// Relative difference up to which two modelled numbers of a transcript count as equal. A choice, not a derived figure: well below the error of the cycle
/// model, so that what changes a time by more than a twentieth is still looked at.
inline constexpr double kModelledTolerance = 0.05;

/// Whether a comment `# modelled` allows the transcript's modelled numbers to differ.
bool shows_modelled_numbers(const Transcript& transcript);

/// `actual`, with each line of `expected` in its place that differs from it in modelled numbers alone: numbers behind which a unit of
/// time or speed, cycles or `x` stands, or which a JSON key or the heading of a
/// column names such. Blanks do not count in those lines.
/// Counts, names and texts must be equal.
std::string with_expected_where_close(const std::string& expected, const std::string& actual);

}  // namespace rpl::golden
