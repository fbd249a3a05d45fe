// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "shell/commands/debug/debugging.h"

namespace rpl {

/// "PLACE thread 1 if CONDITION" taken apart: without blanks around the parts, and the wave as part of the condition.
struct PointText {
  std::string place, condition;
};
PointText split_point(const std::string& text);

/// Breakpoints by number: "2", "2-4". Fails with usage.
Result<std::vector<int>> numbers_of(const std::vector<std::string>& texts);

/// What the open code objects, and that of the kernel that is debugged, call their kernels, their functions and their files.
struct KnownNames {
  std::vector<std::string> functions, files;
  bool any = false;  ///< whether one is open
};
KnownNames known_names(const Debugger& debugger);

/// Succeeds for a place that an open code object may have, and while none is open. Fails with not_found, and says what is near.
Status check_known(const Debugger& debugger, const debug::Place& place);

/// LINE alone is of the file of the kernel that is stopped: gives the place its name.
void name_file(const Debugger& debugger, debug::Place& place);

/// Where a comma outside of brackets is; npos for none.
std::size_t comma_in(std::string_view text);

}  // namespace rpl
