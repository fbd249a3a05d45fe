// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>

#include "engine/base/interrupt.h"
#include "engine/base/monitor.h"
#include "engine/graph/graph_arrays.h"

namespace rpl {

/// The order in which every edge goes forwards: operations by (start, id), each host wait at its end and before the
/// operations that start then.
class NodeOrder {
 public:
  /// Calls operation(v, key, start_ns, duration_ns) with what GraphArrays has of v; does not look at waits, so that they may be found
  /// meanwhile.
  template <class Operation>
  static Status operations(const GraphArrays& graph, Operation&& operation) {
    const std::size_t dispatches = graph.dispatches(), copies = graph.copies->size();
    const std::int64_t* const starts = graph.dispatch_start.data();
    const std::uint32_t* const durations = graph.dispatch_duration.data();
    const std::uint32_t* const lanes = graph.trace->columns().lane.data();
    const auto visit = [&](std::size_t at) {
      const auto v = static_cast<NodeId>(at);
      operation(v, graph.key(v), graph.start(v), graph.duration(v));
    };
    std::size_t copy = 0;
    std::int64_t next_ns = copies == 0 ? kLast : graph.copies->start_ns(0);
    for (std::size_t v = 0; v < dispatches; ++v) {
      if (v % kBlock == 0) TRY(interrupt::check());
      while (next_ns < starts[v]) {
        visit(dispatches + copy);
        next_ns = ++copy == copies ? kLast : graph.copies->start_ns(copy);
      }
      if (durations[v] == CompactColumn::kEscaped) [[unlikely]] {
        visit(v);
        continue;
      }
      operation(static_cast<NodeId>(v), graph.keys.of_dispatch(lanes[v]), starts[v],
                std::int64_t{durations[v]});
    }
    for (; copy < copies; ++copy) visit(dispatches + copy);
    return {};
  }

  /// Calls operation(v) and wait(w).
  template <class Operation, class Wait>
  static Status forwards(const GraphArrays& graph, Operation&& operation, Wait&& wait) {
    const std::size_t dispatches = graph.dispatches();
    const std::size_t waits = graph.waits_by_end.size();
    std::size_t copy = 0;
    std::size_t waited = 0;
    const auto before = [&](std::int64_t time_ns) {
      for (; copy < graph.copies->size(); ++copy) {
        const std::int64_t start_ns = graph.copies->start_ns(copy);
        if (start_ns >= time_ns) break;
        for (; waited < waits && wait_end(graph, waited) <= start_ns; ++waited) {
          wait(graph.waits_by_end[waited]);
        }
        operation(static_cast<NodeId>(dispatches + copy));
      }
      for (; waited < waits && wait_end(graph, waited) <= time_ns; ++waited) {
        wait(graph.waits_by_end[waited]);
      }
    };
    const bool alone = graph.copies->empty() && waits == 0;
    for (std::size_t v = 0; v < dispatches; ++v) {
      if (v % kBlock == 0) TRY(interrupt::check());
      if (!alone) before(graph.dispatch_start[v]);
      operation(static_cast<NodeId>(v));
    }
    before(std::numeric_limits<std::int64_t>::max());
    return {};
  }

  /// The same backwards.
  template <class Operation, class Wait>
  static Status backwards(const GraphArrays& graph, Operation&& operation, Wait&& wait) {
    std::size_t copy = graph.copies->size();
    std::size_t waited = graph.waits_by_end.size();
    const auto after = [&](std::int64_t time_ns) {
      for (; copy > 0 && graph.copies->start_ns(copy - 1) >= time_ns; --copy) {
        const std::int64_t start_ns = graph.copies->start_ns(copy - 1);
        for (; waited > 0 && wait_end(graph, waited - 1) > start_ns; --waited) {
          wait(graph.waits_by_end[waited - 1]);
        }
        operation(static_cast<NodeId>(graph.dispatches() + copy - 1));
      }
      for (; waited > 0 && wait_end(graph, waited - 1) > time_ns; --waited) {
        wait(graph.waits_by_end[waited - 1]);
      }
    };
    const bool alone = copy == 0 && waited == 0;
    for (std::size_t v = graph.dispatches(); v-- > 0;) {
      if (v % kBlock == 0) TRY(interrupt::check());
      if (!alone) after(graph.dispatch_start[v]);
      operation(static_cast<NodeId>(v));
    }
    after(std::numeric_limits<std::int64_t>::min());
    return {};
  }

 private:
  static constexpr std::size_t kBlock = 65536;
  static constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
  static std::int64_t wait_end(const GraphArrays& graph, std::size_t at) {
    return graph.waits[graph.waits_by_end[at]].end_ns;
  }
};

}  // namespace rpl
