// SPDX-License-Identifier: MIT
#pragma once

#include "engine/emu/launch.h"
#include "shell/commands/opened.h"

namespace rpl {

/// A run on the emulated device that commands look closer at.
struct EmulatedRun {
  std::shared_ptr<const isa::CodeObject> object;  ///< that `executed` refers to
  std::string of;                                 ///< id of the code object or capture
  std::string kernel;
  emu::Mode mode = emu::Mode::modelled;
  emu::Executed executed;
};

}  // namespace rpl
