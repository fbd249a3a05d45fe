// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "shell/server/tools/bounded.h"
#include "shell/server/tools/part.h"

namespace rpl {

/// How much of results a reply of the Model Context Protocol holds, and in what form.
struct McpForm {
  bool all_tools = false;  ///< every command is a tool of its own
  bool text_only = false;  ///< results as a person sees them, and no documents beside that
  std::size_t bytes = 0;   ///< of a reply, about; 0: any
  std::uint64_t rows = 0;  ///< of a table where the call says nothing; 0: all
};

/// The result of tools/call, on one line. `together`: the schema of all parts in one; else there is one part, and its document is the result. Cut results are kept, and
/// the text says how to have the rest.
JsonText tool_result(const std::vector<ToolPart>& parts, bool together, const McpForm& form,
                     KeptResults& kept);

/// The same of a call that could not begin.
JsonText tool_error(const Error& error, const McpForm& form);

}  // namespace rpl
