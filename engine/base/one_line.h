// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string>
#include <utility>

namespace rpl {

/// With blanks for line feeds: a name of others in the middle of a text that is laid out by hand, where the rest of it would be a line that looks like ours.
inline std::string on_one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

}  // namespace rpl
