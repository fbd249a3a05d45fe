// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/graph/graph.h"

/// What a recording shows of itself that makes its answers less sure, although every page of its file is as somebody wrote it.
namespace rpl {

enum class DoubtKind : std::uint8_t {
  clipped,        ///< dispatches before the first one were not recorded
  lost,           ///< dispatches between the others are missing
  overlapping,    ///< operations of one stream run beside each other for real
  clock_jump,     ///< the device's clock went backwards
  calls_missing,  ///< the calls that launched operations are not in the recording
  several_runs,   ///< processes ran one after the other
};
/// "clipped", "calls-missing" …
std::string_view to_string(DoubtKind kind);

struct Doubt {
  DoubtKind kind = DoubtKind::lost;
  std::string sentence;  ///< for people
};

struct DoubtOptions {
  /// The trace is all that was recorded, not a window: what is missing was lost.
  bool whole = true;
};

/// One of a kind at most, in the order of the kinds. Linear in the operations. Fails with `interrupted`.
Result<std::vector<Doubt>> find_doubts(const Graph& graph, const DoubtOptions& options = {});

/// Whether it makes times and sums of single kernels less sure, or only what lies between them.
bool is_of_kernels(DoubtKind kind);

}  // namespace rpl
