// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/monitor.h"
#include "engine/graph/graph_arrays.h"

namespace rpl {

struct OrderOptions {
  bool infer = true;  ///< draw inferred edges
  unsigned threads = 2;
};

/// Fills stream, queue and inferred predecessors, the counts of these classes, the last end. Launch calls and event edges must be there.
/// One pass over the operations; scopes run on several threads when there are several.
Status add_order_edges(GraphArrays& graph, const OrderOptions& options, const Monitor& monitor);

}  // namespace rpl
