// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "shell/core/session/script_host.h"

namespace rpl {

class Context;

/// Lua as the script language of `context`. Costs nothing until a script or expression is run: the interpreter is made then.
std::unique_ptr<ScriptHost> make_script_host(Context& context);

}  // namespace rpl
