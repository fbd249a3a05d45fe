// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace rpl {

/// The change from `before` to `after` as `diff -u` writes it, with three lines around each change; "" for equal texts.
/// `patch` applies it. Memory is linear in the length of the texts (Myers, "An O(ND) Difference Algorithm", section 4b).
std::string unified_diff(std::string_view before, std::string_view after,
                         std::string_view before_name, std::string_view after_name);

}  // namespace rpl
