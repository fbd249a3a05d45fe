// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rpl {

/// Up to three of `names` that a person who typed `typed` may have meant, best first: edit distance with transpositions
/// (Damerau-Levenshtein, restricted) of at most a third of the length, or `typed` contained in the name.
std::vector<std::string> nearest(std::string_view typed, std::span<const std::string> names);

/// "did you mean 'a', 'b' or 'c'?"; "" for no names.
std::string did_you_mean(std::span<const std::string> names);

}  // namespace rpl
