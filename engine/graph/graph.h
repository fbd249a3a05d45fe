// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/monitor.h"
#include "engine/base/result.h"
#include "engine/trace/core/trace.h"

namespace rpl {

/// Why an edge is believed, strongest first. docs/graph-model.md says what each can be wrong about.
enum class EdgeClass : std::uint8_t {
  stream_order,  ///< same stream, the previous operation that had ended
  queue_order,   ///< same hardware queue, where it is not already the stream predecessor
  event,         ///< HIP event record and wait
  host_sync,  ///< an operation a host thread waited for, and from there to its later launches and waits
  launch,    ///< the API call that launched the operation
  inferred,  ///< by time alone: the operation of the same device that had ended last
};
inline constexpr std::size_t kEdgeClasses = 6;
/// "stream_order" …
std::string_view to_string(EdgeClass edge_class);

enum class NodeKind : std::uint8_t { dispatch, copy, host_sync, launch_call };
/// "dispatch", "copy", "host_sync", "launch_call".
std::string_view to_string(NodeKind kind);

/// Dispatches are 0 … n-1 (rows of the trace), memory copies n … n+m-1 (rows of the copy table), then host waits (rows of
/// the sync table), then API calls (rows of the API table). Only calls that launched something are nodes.
using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = kNone;

struct GraphNode {
  NodeId id = kNoNode;
  NodeKind kind = NodeKind::dispatch;
  std::uint32_t row = 0;  ///< in the table of its kind
  std::int64_t start_ns = 0,
               end_ns = 0;  ///< end is never before start: a negative duration counts as none
};

struct GraphEdge {
  NodeId from = kNoNode, to = kNoNode;
  EdgeClass edge_class = EdgeClass::stream_order;
  /// start(to) - end(from), from the call's start for `launch`, to the wait's end for a host_sync edge into a wait.
  /// Negative where the records overlap.
  std::int64_t wait_ns = 0;
};

/// How many edges each class has, and for how many operations something better than time says why they started then.
struct EdgeCounts {
  std::array<std::uint64_t, kEdgeClasses> by_class{};
  std::uint64_t operations = 0;  ///< dispatches and copies
  std::uint64_t evidenced = 0;   ///< of these, with an edge into them whose class is not `inferred`
  std::uint64_t concurrent =
      0;  ///< operations that overlap the one before them in their stream or queue
  [[nodiscard]] std::uint64_t total() const;
};

struct GraphOptions {
  bool copies = true;  ///< take memory copies as nodes when the recording has them
  bool host = true;    ///< take API calls, waits and events as evidence when the recording has them
  unsigned threads = 2;  ///< at most this many at once
};

/// What a graph asks of a recording beside its dispatches; nothing that the recording lacks.
FactSet graph_facts(const Presence& presence, const GraphOptions& options = {});

struct GraphArrays;

/// The dependency graph of one trace, immutable. About 8 to 20 bytes an operation.
class Graph {
 public:
  /// Fails with `interrupted`, `limit` for more than 2^31 operations, or what reading the copies, calls and waits fails with.
  static Result<std::shared_ptr<const Graph>> build(std::shared_ptr<const Trace> trace,
                                                    const GraphOptions& options = {},
                                                    const Monitor& monitor = {});
  explicit Graph(std::unique_ptr<const GraphArrays> arrays);
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  [[nodiscard]] const Trace& trace() const;
  /// nullptr when the graph has no copies. Amounts and addresses may not be there: see Trace::copies(), whose rows are the same.
  [[nodiscard]] const CopyTable* copies() const;
  /// nullptr when the recording has no API calls or they were not asked for.
  [[nodiscard]] const ApiTable* api() const;
  /// Dispatches and copies, the nodes that run on a device: ids 0 … operations()-1.
  [[nodiscard]] std::uint32_t operations() const;
  [[nodiscard]] std::uint32_t dispatches() const;
  [[nodiscard]] GraphNode node(NodeId id) const;
  [[nodiscard]] std::int64_t start_ns(NodeId operation) const;
  [[nodiscard]] std::int64_t end_ns(NodeId operation) const;
  /// Index into trace().kernels(); kNone for a copy.
  [[nodiscard]] std::uint32_t kernel_of(NodeId operation) const;

  /// First start and last end over dispatches and copies; {0, 0} without any.
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> span_ns() const;
  [[nodiscard]] const EdgeCounts& edge_counts() const;
  /// The edges that end in `node`, at most one a class except `event` and the waits of a host sync.
  [[nodiscard]] std::vector<GraphEdge> edges_into(NodeId node) const;
  /// What was odd about the evidence, for people ("12 calls start after the dispatch they launched").
  [[nodiscard]] const std::vector<std::string>& notes() const;
  /// Memory held for edges, in bytes.
  [[nodiscard]] std::size_t bytes() const;
  /// For the passes of this folder.
  [[nodiscard]] const GraphArrays& arrays() const { return *arrays_; }
  /// What passes found out and what later ones need not find out again.
  struct Kept;
  [[nodiscard]] Kept& kept() const { return *kept_; }

 private:
  std::unique_ptr<const GraphArrays> arrays_;
  std::unique_ptr<Kept> kept_;
};

/// Lists all nodes one at a time: dispatches, copies, host waits, launching calls. The graph must outlive it.
class NodeCursor {
 public:
  explicit NodeCursor(const Graph& graph);
  /// False at the end.
  bool next(GraphNode& node);

 private:
  const Graph& graph_;
  NodeId next_ = 0;
  std::vector<bool> launching_;
};

/// Lists all edges one at a time, by the node they end in. The graph must outlive it.
class EdgeCursor {
 public:
  explicit EdgeCursor(const Graph& graph);
  /// False at the end.
  bool next(GraphEdge& edge);

 private:
  const Graph& graph_;
  NodeId next_ = 0;
  std::vector<GraphEdge> held_;
  std::size_t given_ = 0;
};

}  // namespace rpl
