// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>

#include "shell/core/run/console.h"

namespace rpl {

/// What the full-screen mode needs of the prompt that it stands in for.
struct ScreenHost {
  /// Where results and errors go instead of the terminal; empty: back to it.
  std::function<void(Sink)> redirect;
  std::function<TerminalText()> prompt;
  /// Whether the program may end where the input has; asks where something would be lost.
  std::function<bool()> may_leave;
};

/// The full-screen mode (docs/tui.md): a face over commands. Every view draws the documents that commands give, every key sends a line, and the command line is always at the
/// foot. Takes the terminal until `tui disable`, Ctrl-X A, or the end of the program. `view`: as `layout` takes it; "" for the last one. Fails with missing_capability where
/// the terminal has no such mode.
Status run_full_screen(Context& context, Console& console, const ScreenHost& host,
                       const std::string& view);

}  // namespace rpl
