// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include "engine/document/json.h"
#include "shell/core/command/line.h"
#include "shell/core/command/registry.h"
#include "shell/server/tools/keys.h"

namespace rpl {

/// A command called with typed values: its whole words ("info kernels", "info_kernels") and named arguments, spelled with dashes or underscores. Beside its
/// own it takes what every command takes: `trace`, `att`, `capture` (opened or made current first) and `limit`. Fails with usage.
Result<Invocation> invocation_of(const Registry& registry, std::string_view words,
                                 const Record& arguments);

/// The line that a person would have typed for it.
std::string line_of(const Invocation& invocation);

}  // namespace rpl

/// Commands as tools of the Model Context Protocol, each from its definition.
namespace rpl {

/// "info_kernels", "llm_optimize".
std::string tool_name(const Command& command);

/// Whether it is one: not hidden, and of use to who has no prompt.
bool is_tool(const Command& command);

/// The tool of that name; nullptr for none.
const Command* tool_named(const Registry& registry, std::string_view name);

/// Whether a command only looks: it changes neither files nor what is open or set.
bool only_reads(const Command& command);

/// Its arguments, and those that every command takes.
std::vector<ToolKey> tool_keys(const Command& command);

/// The JSON Schema of its arguments: an object that allows no others.
Record tool_input_schema(const Command& command);

/// All of them as the result of tools/list, on one line.
JsonText tool_list(const Registry& registry);

}  // namespace rpl
