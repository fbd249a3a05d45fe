// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/document/document.h"
#include "engine/graph/critical_path.h"
#include "shell/core/terminal/canvas.h"

/// The critical path as fields of a result and as lines of text, for critpath and summary.
namespace rpl {

const std::vector<Column>& path_fields();
void set_path_fields(Document& out, const Trace& trace, const CriticalPath& path);

/// A headline, a bar for each kind of segment, and the evidence behind the edges.
std::string path_heading(const CriticalPath& path, const Canvas& canvas);

/// The bars alone: one line for each kind of segment that the path has.
std::string segment_bars(const CriticalPath& path, const Canvas& canvas);

}  // namespace rpl
