// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

namespace rpl {

/// What a drawing may use: columns, and whether block characters arrive as such.
struct Canvas {
  std::size_t width = 80;
  bool unicode = false;
};

/// A horizontal bar that fills `share` (0 to 1, clamped) of `width` columns and is padded to them: eighth blocks, or '#'. What is above zero
/// shows at least the thinnest mark.
std::string bar(double share, std::size_t width, bool unicode);

/// One cell whose filling says `share`: ▁ … █, or one of ". - = #". A blank for zero.
std::string level(double share, bool unicode);

/// `text` cut or padded with blanks to `width` characters; a cut is marked in the middle by "..".
std::string fitted(const std::string& text, std::size_t width);

}  // namespace rpl
