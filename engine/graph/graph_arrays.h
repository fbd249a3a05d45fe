// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>
#include "engine/base/result.h"
#include "engine/graph/graph.h"
#include "engine/trace/core/trace.h"

namespace rpl {

/// Where an operation stands for ordering. Operations of one stream key are in stream order, of one queue key in queue order; edges by
/// time stay within one scope (an agent as one process sees it). kNone = unknown.
struct LaneKey {
  std::uint32_t stream = kNone, queue = kNone, scope = 0;
  /// Several streams share the queue, or its operations have none: queue order can add something.
  bool queue_matters = false;
};

struct Scope {
  std::uint32_t process = 0, agent = kNone;
  bool several_lanes =
      false;  ///< more than one stream or queue, so that time can tell more than their order
};

struct StreamKey {
  std::uint32_t stream = kNone;  ///< index into TraceEntities::streams
  bool several_queues = false;
};

/// The ordering keys of every lane of a trace and of its copies.
class LaneKeys {
 public:
  LaneKeys() = default;
  LaneKeys(const Trace& trace, const CopyRows& copies);

  [[nodiscard]] const LaneKey& of_dispatch(std::uint32_t lane) const { return keys_[lane]; }
  [[nodiscard]] const LaneKey& of_copy(std::uint32_t copy) const {
    return keys_[lane_of_shape_[copies_->shape_number(copy)]];
  }
  [[nodiscard]] std::size_t streams() const { return streams_.size(); }
  [[nodiscard]] std::size_t queues() const { return queue_count_; }
  [[nodiscard]] const std::vector<Scope>& scopes() const { return scopes_; }
  [[nodiscard]] const StreamKey& stream(std::uint32_t key) const { return streams_[key]; }
  [[nodiscard]] std::size_t bytes() const {
    return keys_.capacity() * sizeof(LaneKey) + lane_of_shape_.capacity() * sizeof(std::uint32_t);
  }

  /// Takes these stream keys for unknown: their operations overlap so much that the recorded stream cannot be a real one.
  void distrust(const std::vector<bool>& stream_keys);

 private:
  class Builder;
  void mark_shared();

  std::vector<LaneKey> keys_;  ///< lanes of the trace, then lanes of copies
  const CopyRows* copies_ = nullptr;
  std::vector<std::uint32_t> lane_of_shape_;  ///< of copies
  std::vector<StreamKey> streams_;
  std::vector<Scope> scopes_;
  std::size_t queue_count_ = 0;
};

/// A time at which a host thread waited for operations to end.
struct HostWait {
  std::int64_t start_ns = 0, end_ns = 0;
  std::uint32_t row = 0;           ///< in the sync table
  std::uint32_t previous = kNone;  ///< the wait before it on the same thread
  std::uint32_t first_waited = 0;  ///< index into GraphArrays::waited
  std::uint32_t waited_count = 0;
  /// The nearest wait on the thread, this one or an earlier one, that an operation really held up; kNone = none.
  std::uint32_t binding = kNone;
};

struct EventEdge {
  NodeId to = kNoNode, from = kNoNode;
  friend bool operator==(const EventEdge&, const EventEdge&) = default;
  friend auto operator<=>(const EventEdge&, const EventEdge&) = default;
};

/// A set of operations that says how many of them lie before one.
class RankedBits {
 public:
  void resize(std::size_t count) {
    words_.assign(count / 64 + 1, 0);
    before_.assign(count / 64 + 1, 0);
  }
  void add(NodeId v) { words_[v / 64] |= std::uint64_t{1} << v % 64; }
  /// After the last one was added.
  void count() {
    for (std::size_t i = 1; i < words_.size(); ++i)
      before_[i] = before_[i - 1] + static_cast<std::uint32_t>(std::popcount(words_[i - 1]));
  }
  [[nodiscard]] bool has(NodeId v) const {
    return !words_.empty() && (words_[v / 64] >> v % 64 & 1U) != 0;
  }
  [[nodiscard]] std::uint32_t rank(NodeId v) const {
    const std::uint64_t below = words_[v / 64] & ((std::uint64_t{1} << v % 64) - 1);
    return before_[v / 64] + static_cast<std::uint32_t>(std::popcount(below));
  }
  [[nodiscard]] std::size_t bytes() const {
    return words_.capacity() * sizeof(std::uint64_t) + before_.capacity() * sizeof(std::uint32_t);
  }

 private:
  std::vector<std::uint64_t> words_;
  std::vector<std::uint32_t> before_;
};

/// What a graph holds. Arrays indexed by operation are empty when no operation has such an edge.
struct GraphArrays {
  static const CopyRows& no_copies() {
    static const CopyRows kEmpty;
    return kEmpty;
  }

  std::shared_ptr<const Trace> trace;
  const CopyTable* copy_table = nullptr;
  const ApiTable* api = nullptr;
  const SyncTable* syncs = nullptr;

  std::span<const std::int64_t> dispatch_start;
  std::span<const std::uint32_t> dispatch_duration;  ///< CompactColumn::raw
  const CopyRows* copies = &no_copies();
  LaneKeys keys;

  ColumnVector<NodeId> stream_pred, queue_pred, inferred_pred;
  ColumnVector<EventEdge> events;           ///< sorted
  RankedBits has_event;                     ///< by operation
  ColumnVector<std::uint32_t> first_event;  ///< by rank in has_event, and the end
  ColumnVector<std::uint32_t> launch_call;  ///< row of the API table, kNone = unknown
  ColumnVector<std::uint32_t>
      launch_wait;               ///< the last wait of the launching thread before the launch
  ColumnVector<HostWait> waits;  ///< by (process, thread, end)
  ColumnVector<NodeId> waited;
  ColumnVector<std::uint32_t> waits_by_end;

  std::int64_t begin_ns = 0, end_ns = 0;
  NodeId last = kNoNode;
  EdgeCounts counts;
  std::vector<std::string> notes;

  [[nodiscard]] std::uint32_t dispatches() const {
    return static_cast<std::uint32_t>(dispatch_start.size());
  }
  [[nodiscard]] std::uint32_t operations() const {
    return static_cast<std::uint32_t>(dispatch_start.size() + copies->size());
  }
  [[nodiscard]] NodeId wait_node(std::uint32_t wait) const { return operations() + wait; }
  [[nodiscard]] NodeId call_node(std::uint32_t call) const {
    return operations() + static_cast<std::uint32_t>(waits.size()) + call;
  }

  [[nodiscard]] std::int64_t start(NodeId v) const {
    return v < dispatches() ? dispatch_start[v] : copies->start_ns(v - dispatches());
  }
  /// Never negative.
  [[nodiscard]] std::int64_t duration(NodeId v) const {
    if (v >= dispatches()) {
      return std::max<std::int64_t>(0, copies->duration_ns(v - dispatches()));
    }
    const std::uint32_t held = dispatch_duration[v];
    if (held != CompactColumn::kEscaped) return held;
    return std::max<std::int64_t>(0, trace->duration_ns(v));
  }
  [[nodiscard, gnu::always_inline]] std::int64_t end(NodeId v) const {
    // The passes ask for little else, nearly always of a dispatch that fits its column.
    if (v < dispatches() && dispatch_duration[v] != CompactColumn::kEscaped) [[likely]] {
      return dispatch_start[v] + std::int64_t{dispatch_duration[v]};
    }
    return start(v) + duration(v);
  }
  [[nodiscard]] const LaneKey& key(NodeId v) const {
    return v < dispatches() ? keys.of_dispatch(trace->columns().lane[v])
                            : keys.of_copy(v - dispatches());
  }

  [[nodiscard]] bool launched(NodeId v) const {
    return !launch_call.empty() && launch_call[v] != kNone;
  }
  /// When the launch call began; never after the operation's start, which a call on a skewed clock may claim.
  [[nodiscard]] std::int64_t launch_ns(NodeId v) const {
    return std::min(api->rows.start_ns(launch_call[v]), start(v));
  }
  [[nodiscard]] std::span<const EventEdge> events_into(NodeId v) const {
    return has_event.has(v) ? std::span(events).subspan(first_event[has_event.rank(v)],
                                                        first_event[has_event.rank(v) + 1] -
                                                            first_event[has_event.rank(v)])
                            : std::span<const EventEdge>();
  }
  [[nodiscard]] std::span<const NodeId> waited_by(const HostWait& wait) const {
    return std::span(waited).subspan(wait.first_waited, wait.waited_count);
  }

  /// Calls visit(predecessor, class) for every operation that `v` waited for, strongest evidence first.
  template <class Visit>
  void each_pred(NodeId v, Visit&& visit) const {
    if (!stream_pred.empty() && stream_pred[v] != kNoNode) {
      visit(stream_pred[v], EdgeClass::stream_order);
    }
    if (!queue_pred.empty() && queue_pred[v] != kNoNode) {
      visit(queue_pred[v], EdgeClass::queue_order);
    }
    for (const EventEdge& edge : events_into(v)) visit(edge.from, EdgeClass::event);
    if (!inferred_pred.empty() && inferred_pred[v] != kNoNode) {
      visit(inferred_pred[v], EdgeClass::inferred);
    }
  }
};

}  // namespace rpl
