// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "engine/graph/graph_arrays.h"
#include "engine/graph/launch_order.h"

namespace rpl {

/// What a host thread that synchronised with an event waited for.
struct EventWait {
  std::uint32_t sync_row = 0;
  std::vector<NodeId> sources;
};

/// Fills GraphArrays::events and has_event from the recording's event records and waits; gives back what each
/// event_synchronize waited for. Fails with `interrupted` only.
Result<std::vector<EventWait>> add_event_edges(GraphArrays& graph, LaunchOrders& orders);

/// Whether the recording could show events at all, so that their absence means something.
bool records_events(const GraphArrays& graph);

}  // namespace rpl
