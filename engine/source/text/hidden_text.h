// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>

namespace rpl {

struct HiddenText {
  std::size_t offset = 0;
  std::string_view what;  ///< one sentence; "" when there is none
};

/// The first thing in `text` that looks different from what it is: marks that change the direction of text (Unicode TR 9:
/// U+202A to U+202E, U+2066 to U+2069), a trigraph, a carriage return without line feed.
HiddenText find_hidden_text(std::string_view text);

}  // namespace rpl
