// SPDX-License-Identifier: MIT
#pragma once

#include "shell/core/command/command.h"

namespace rpl {

/// Runs a command's handler and stamps its result with schema, field and column descriptions. A row whose width is not that of
/// the definition, a field that is not defined, or an exception from the handler becomes an `internal` error.
/// Every face (prompt, command line, Lua, JSON lines) comes through here.
Result<Document> dispatch(Context& context, const Command& command, const Arguments& arguments);

}  // namespace rpl
