// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "engine/graph/event_edges.h"
#include "engine/graph/graph_arrays.h"
#include "engine/graph/launch_order.h"

namespace rpl {

/// Fills the host's part of the graph: waits, what they waited for, and which wait each launch came after. `synchronised` is what
/// add_event_edges gave back. Launch calls must be there. Fails with `interrupted` only.
Status add_host_waits(GraphArrays& graph, LaunchOrders& orders,
                      std::span<const EventWait> synchronised);

}  // namespace rpl
