// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

namespace rpl {

struct Debugging;

/// The debugger, which shell/commands/debug makes on first use.
struct DebugState {
  std::shared_ptr<Debugging>
      debugging;  ///< breakpoints and the kernel that is stopped; null before
};

}  // namespace rpl
