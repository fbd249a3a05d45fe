// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/document/document.h"
#include "shell/core/command/command.h"

namespace rpl {

struct Debugging;

/// The debugger, which shell/commands/debug makes on first use.
struct DebugState {
  std::shared_ptr<Debugging>
      debugging;  ///< breakpoints and the kernel that is stopped; null before
  /// Evaluates what `print/FORMAT` or, with a count or as instructions, `x/FORMAT` shows; empty before first use: an expression is Lua then.
  std::function<Result<Document>(const std::string& expression, const std::string& format)>
      expression;

  /// What the debugger knows that may stand where `what` is asked for and goes on from `typed`; empty before first use.
  std::function<std::vector<std::string>(Complete what, std::string_view typed)> names;
};

}  // namespace rpl
