// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "engine/base/encoded.h"
#include "engine/base/result.h"

namespace rpl {

/// What one output stream can show. Computed once and passed down; tests construct it.
struct Terminal {
  bool interactive = false;  ///< a person reads it: tty
  std::size_t width = 80;    ///< columns
  std::size_t height = 24;
  bool color = false;
  bool unicode = false;
  bool elide = false;    ///< cut names to the width; never when piped
  bool mangled = false;  ///< mangled names as they are, not as people say them

  /// Looks at the descriptor, TERM, COLUMNS, NO_COLOR, CLICOLOR_FORCE and the locale.
  static Terminal of(int descriptor);
};

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
