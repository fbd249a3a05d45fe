// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/device/execute/launch/launch.h"
#include "engine/document/document.h"
#include "shell/core/session/inputs.h"

namespace rpl {

/// Writes the modelled thread trace of a launch below `folder` and opens it, so that `att summary` is one word. Returns its id.
Result<std::string> keep_thread_trace(const Inputs& inputs, const emu::Executed& executed,
                                      const std::string& folder, Document& out);

}  // namespace rpl
