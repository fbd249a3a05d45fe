// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/graph/critical_path.h"
#include "shell/core/terminal/canvas.h"

namespace rpl {

/// One bead of the critical path: a run of operations of the same name, a gap, or what lies between two beads and is too small
/// to be shown.
struct Bead {
  enum class Kind { operations, gap, rest };
  Kind kind = Kind::operations;
  std::string name;  ///< of the operations, or "launch", "host", "idle" of a gap
  std::uint64_t operations = 0;
  std::int64_t ns = 0;
  bool inferred = false;  ///< it hangs on the bead before it by an inferred edge only
};

/// "gemm x12 1.200 ms => gap 40 us (host) ~> softmax 300 us": `=>` after evidence, `~>` where time alone says so. Wrapped to the canvas.
std::string ribbon_text(const std::vector<Bead>& beads, const Canvas& canvas);

/// The path as at most `most` beads, first to last: the longest runs and gaps stay, everything between two of them becomes one
/// `rest`. Linear in the path, which is walked twice. Fails with `interrupted`.
Result<std::vector<Bead>> path_beads(const Graph& graph, std::size_t most);

}  // namespace rpl
