// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

#include "engine/base/result.h"

namespace rpl {

/// What one output stream can show. Computed once and passed down; tests construct it.
struct Terminal {
  bool interactive = false;  ///< a person reads it: tty
  std::size_t width = 80;    ///< columns
  std::size_t height = 24;
  bool color = false;
  bool unicode = false;
  bool elide = false;  ///< cut names to the width; never when piped

  /// Looks at the descriptor, TERM, COLUMNS, NO_COLOR, CLICOLOR_FORCE and the locale.
  static Terminal of(int descriptor);
};

/// Where rendered bytes go. Fails with Errc::io when the reader is gone, which is a normal end.
using Sink = std::function<Status(std::string_view)>;

}  // namespace rpl
