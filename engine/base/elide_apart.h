// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace rpl {

/// As elide_middle() (text.h) for each of several texts, but texts that would look the same then are cut where they do not differ: "vectori..bfloat16_copy",
/// "vectori..float8_copy". Only of ASCII; equal texts stay equal.
std::vector<std::string> elide_apart(const std::vector<std::string>& texts, std::size_t width);

}  // namespace rpl
