// SPDX-License-Identifier: MIT
#include "engine/graph/critical_path.h"

#include <limits>
#include <thread>

#include "engine/base/interrupt.h"
#include "engine/graph/graph_arrays.h"
#include "engine/graph/what_if.h"

namespace rpl {
namespace {

std::int64_t& segment(CriticalPath& path, SegmentKind kind) {
  return path.segments_ns[static_cast<std::size_t>(kind)];
}

Status follow(const Graph& graph, CriticalPath& path, std::vector<KernelOnPath>& kernels) {
  Walk walk(graph, path.last);
  WalkStep step;
  while (walk.next(step)) {
    if (++path.operations % 65536 == 0) TRY(interrupt::check());
    const std::int64_t own_ns = step.end_ns - step.begin_ns;
    const std::uint32_t kernel = graph.kernel_of(step.node);
    segment(path, kernel == kNone ? SegmentKind::copy : SegmentKind::kernel) += own_ns;
    segment(path, SegmentKind::launch) += step.launch_ns;
    segment(path, SegmentKind::host) += step.host_ns;
    segment(path, SegmentKind::idle) += step.idle_ns;
    path.on_path[step.node] = true;
    if (step.via) ++path.edges[static_cast<std::size_t>(*step.via)];
    if (kernel == kNone) continue;
    ++kernels[kernel].path_calls;
    kernels[kernel].path_ns += own_ns;
  }
  return {};
}

/// Calls, time and least slack of each kernel over a piece of the dispatches.
class KernelTotals {
 public:
  KernelTotals(const Graph& graph, const Slack& slack)
      : graph_(graph), slack_(slack), rows_(graph.trace().kernels().size()) {
    for (KernelOnPath& row : rows_) row.min_slack_ns = std::numeric_limits<std::int64_t>::max();
  }

  Status add(NodeId begin, NodeId end) {
    const GraphArrays& arrays = graph_.arrays();
    for (NodeId v = begin; v < end; ++v) {
      if (v % 65536 == 0) TRY(interrupt::check());
      const std::uint32_t kernel = graph_.trace().kernel_of(v);
      if (kernel >= rows_.size()) continue;
      KernelOnPath& row = rows_[kernel];
      ++row.calls;
      row.total_ns += arrays.duration(v);
      row.min_slack_ns = std::min(row.min_slack_ns, slack_.at(v));
    }
    return {};
  }
  void merge(const KernelTotals& other) {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      rows_[i].calls += other.rows_[i].calls;
      rows_[i].total_ns += other.rows_[i].total_ns;
      rows_[i].min_slack_ns = std::min(rows_[i].min_slack_ns, other.rows_[i].min_slack_ns);
    }
  }
  std::vector<KernelOnPath> take() { return std::move(rows_); }

 private:
  const Graph& graph_;
  const Slack& slack_;
  std::vector<KernelOnPath> rows_;
};

Result<std::vector<KernelOnPath>> total(const Graph& graph, const Slack& slack, unsigned threads) {
  KernelTotals first(graph, slack);
  if (threads < 2) {
    TRY(first.add(0, graph.dispatches()));
    return first.take();
  }
  KernelTotals second(graph, slack);
  Status other;
  const NodeId middle = graph.dispatches() / 2;
  std::jthread thread([&] { other = second.add(middle, graph.dispatches()); });
  Status own = first.add(0, middle);
  thread.join();
  TRY(std::move(own));
  TRY(std::move(other));
  first.merge(second);
  return first.take();
}

void name_dominant(CriticalPath& path) {
  if (path.kernels.empty() || path.kernels.front().path_calls == 0) return;
  const KernelOnPath& top = path.kernels.front();
  path.dominant_kernel = top.kernel;
  path.dominance_fraction = top.share;
  if (top.path_ns < path.critical_path_ns || path.critical_path_ns == 0) {
    path.ceiling_speedup = 1.0 / (1.0 - path.dominance_fraction);
  }
}

Status simulate_gains(const Graph& graph, const CriticalPathOptions& options,
                      std::vector<KernelOnPath>& kernels) {
  std::uint64_t visited = 0;
  for (KernelOnPath& row : kernels) {
    if (row.path_ns == 0) {
      // The path stays as long as it is, and making operations shorter never makes anything longer.
      row.gain_if_2x = 0;
      continue;
    }
    visited += graph.operations();
    if (visited > options.simulated_operations) continue;
    const KernelChange change{row.kernel, 2.0};
    row.gain_if_2x = TRY(simulated_gain(graph, std::span(&change, 1)));
  }
  return {};
}

}  // namespace

Result<CriticalPath> critical_path(const Graph& graph, const Slack& slack,
                                   const CriticalPathOptions& options, const Monitor& monitor) {
  CriticalPath path;
  path.span_begin_ns = graph.span_ns().first;
  path.span_ns = graph.span_ns().second - path.span_begin_ns;
  path.last = last_operation(graph);
  path.on_path.assign(graph.operations(), false);
  monitor.report("following the critical path", 0, graph.operations());
  std::vector<KernelOnPath> kernels = TRY(total(graph, slack, options.threads));
  TRY(follow(graph, path, kernels));
  path.critical_path_ns = segment(path, SegmentKind::kernel) + segment(path, SegmentKind::copy);
  for (std::uint32_t kernel = 0; kernel < kernels.size(); ++kernel) {
    KernelOnPath& row = kernels[kernel];
    if (row.calls == 0) continue;
    row.kernel = kernel;
    if (path.critical_path_ns > 0) {
      row.share = static_cast<double>(row.path_ns) / static_cast<double>(path.critical_path_ns);
    }
    path.kernels.push_back(row);
  }
  std::ranges::stable_sort(path.kernels, std::greater<>(), &KernelOnPath::path_ns);
  name_dominant(path);
  TRY(simulate_gains(graph, options, path.kernels));
  return path;
}

SegmentCursor::SegmentCursor(const Graph& graph) : graph_(graph) {
  walk_.emplace(graph, last_operation(graph));
}

bool SegmentCursor::next(PathSegment& segment) {
  WalkStep step;
  while (given_ == count_) {
    if (!walk_->next(step)) return false;
    cut(step);
  }
  segment = held_[given_++];
  return true;
}

void SegmentCursor::cut(const WalkStep& step) {
  count_ = given_ = 0;
  std::int64_t end_ns = step.end_ns;
  const auto piece = [&](SegmentKind kind, std::int64_t length_ns) {
    if (length_ns > 0) held_[count_++] = {kind, end_ns - length_ns, end_ns, step.node};
    end_ns -= length_ns;
  };
  const bool copy = graph_.kernel_of(step.node) == kNone;
  piece(copy ? SegmentKind::copy : SegmentKind::kernel, step.end_ns - step.begin_ns);
  piece(SegmentKind::launch, step.launch_ns);
  piece(SegmentKind::idle, step.idle_ns);
  piece(SegmentKind::host, step.host_ns);
}

NodeId last_operation(const Graph& graph) { return graph.arrays().last; }

}  // namespace rpl
