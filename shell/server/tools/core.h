// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shell/server/tools/keys.h"
#include "shell/server/tools/part.h"

/// The few tools with which an agent does the whole job; each runs one command, or several that are asked for together.
namespace rpl {

/// The schema of what several commands gave together (shell/core/inputs/profile_shapes.h).
inline constexpr const char* kPartsSchema = "rpl.parts/1";

struct CoreTool {
  std::string_view name;
  std::string_view description;  ///< when to use it, and what comes back
  bool only_reads = false;
  std::vector<std::string_view> schemas;  ///< of its results
  std::vector<ToolKey> keys;
  /// Runs it; the keys were checked. Fails where it cannot begin. One part is the result itself, several are rpl.parts/1.
  Result<std::vector<ToolPart>> (*run)(ToolHost& host, const Record& given) = nullptr;
};

/// All of them, in the order in which a task needs them.
std::span<const CoreTool> core_tools();

/// The one of that name; nullptr for none.
const CoreTool* core_tool(std::string_view name);

/// They as a list of tools/list. `structured`: replies are documents, whose schemas are told.
List core_tool_list(bool structured);

// How they run.
using ToolRun = Result<std::vector<ToolPart>>;
ToolRun open_paths(ToolHost& host, const Record& given);
ToolRun status_of_all(ToolHost& host, const Record& given);
ToolRun kernels(ToolHost& host, const Record& given);
ToolRun critical_path(ToolHost& host, const Record& given);
ToolRun diagnose_kernel(ToolHost& host, const Record& given);
ToolRun metrics(ToolHost& host, const Record& given);
ToolRun hotspots(ToolHost& host, const Record& given);
ToolRun what_if(ToolHost& host, const Record& given);
ToolRun explain_number(ToolHost& host, const Record& given);
ToolRun query(ToolHost& host, const Record& given);
ToolRun compare_two(ToolHost& host, const Record& given);
ToolRun run_action(ToolHost& host, const Record& given);
ToolRun propose_action(ToolHost& host, const Record& given);
ToolRun debug_lines(ToolHost& host, const Record& given);
ToolRun any_command(ToolHost& host, const Record& given);

}  // namespace rpl
