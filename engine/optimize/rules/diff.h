// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace rpl {

/// The change from `before` to `after` as `diff -u` writes it, with three lines around each change; "" for equal texts.
/// `patch` applies it. Memory is linear in the length of the texts (Myers, "An O(ND) Difference Algorithm", section 4b).
std::string unified_diff(std::string_view before, std::string_view after,
                         std::string_view before_name, std::string_view after_name);

/// A line of one text or of both, by index from 0.
struct DiffLine {
  std::optional<std::size_t> before, after;
};
/// All lines of both texts in the order in which unified_diff() has them: what was removed stands before what took its place.
std::vector<DiffLine> diff_lines(std::span<const std::string> before,
                                 std::span<const std::string> after);

/// The text with a unified diff applied, strictly: every line that the diff names as context or as removed must stand exactly where its hunk says.
/// The diff is of one file; what stands before its first hunk is not read. Fails with usage and the place: no hunk, a second file, counts that do
/// not fit, hunks out of order, or lines that differ.
Result<std::string> apply_unified_diff(std::string_view text, std::string_view diff);

}  // namespace rpl
