// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace rpl {

/// The text with a unified diff applied, strictly: every line that the diff names as context or as removed must stand exactly where its hunk says.
/// The diff is of one file; what stands before its first hunk is not read. Fails with usage and the place: no hunk, a second file, counts that do
/// not fit, hunks out of order, or lines that differ.
Result<std::string> apply_unified_diff(std::string_view text, std::string_view diff);

}  // namespace rpl
