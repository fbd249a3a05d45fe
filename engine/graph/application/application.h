// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "engine/base/monitor.h"
#include "engine/base/result.h"
#include "engine/device/findings/finding.h"
#include "engine/graph/graph.h"

/// Why an application took its time, as far as its timeline shows: the same findings as those of kernels, with shares of the whole span.
namespace rpl::findings {

struct ApplicationFacts {
  /// By launch configuration (TraceEntities::launches): what part of its device a dispatch fills, above 0 to 1. Empty: not known, and streams that wait for each
  /// other are not looked for.
  std::vector<double> fills = {};
};

/// Each cause is worth what the graph says when it is scheduled again without it (engine/graph/reschedule.h). With one that says that nothing is of note, where nothing
/// is worth telling. Fails with `interrupted`, and as reading the tables of the recording does.
Result<Findings> find_in_application(const Graph& graph, const ApplicationFacts& facts = {},
                                     const Monitor& monitor = {});

/// Whether it is a cause of applications.
bool is_of_application(Cause cause);

}  // namespace rpl::findings
