// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace rpl {

/// The change from `before` to `after` as `diff -u` writes it, with three lines around each change; "" for equal texts.
/// `patch` applies it. Memory is linear in the length of the texts (Myers, "An O(ND) Difference Algorithm", section 4b).
std::string unified_diff(std::string_view before, std::string_view after,
                         std::string_view before_name, std::string_view after_name);

/// The text with a unified diff applied, strictly: every line that the diff names as context or as removed must stand exactly where its hunk says.
/// The diff is of one file; what stands before its first hunk is not read. Fails with usage and the place: no hunk, a second file, counts that do
/// not fit, hunks out of order, or lines that differ.
Result<std::string> apply_unified_diff(std::string_view text, std::string_view diff);

}  // namespace rpl
