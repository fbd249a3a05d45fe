// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/emu/launch.h"
#include "engine/table/document.h"
#include "shell/commands/context.h"

namespace rpl {

/// Writes the modelled thread trace of a launch below `folder` and opens it, so that `att summary` is one word. Returns its id.
Result<std::string> keep_thread_trace(Context& context, const emu::Executed& executed,
                                      const std::string& folder, Document& out);

}  // namespace rpl
