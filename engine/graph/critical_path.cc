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

/// Calls and time on the path by kernel.
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

/// Calls, time and least slack of each kernel over all dispatches.
Status total(const Graph& graph, const Slack& slack, std::vector<KernelOnPath>& kernels) {
  const GraphArrays& arrays = graph.arrays();
  for (KernelOnPath& row : kernels) row.min_slack_ns = std::numeric_limits<std::int64_t>::max();
  for (NodeId v = 0; v < graph.dispatches(); ++v) {
    if (v % 65536 == 0) TRY(interrupt::check());
    const std::uint32_t kernel = graph.trace().kernel_of(v);
    if (kernel >= kernels.size()) continue;
    KernelOnPath& row = kernels[kernel];
    ++row.calls;
    row.total_ns += arrays.duration(v);
    row.min_slack_ns = std::min(row.min_slack_ns, slack.at(v));
  }
  return {};
}

/// Follows the path and totals the kernels, each on a thread of its own if two are allowed.
Result<std::vector<KernelOnPath>> kernels_on_path(const Graph& graph, const Slack& slack,
                                                  unsigned threads, CriticalPath& path) {
  std::vector<KernelOnPath> kernels(graph.trace().kernels().size()), on_path(kernels.size());
  Status totalled, followed;
  {
    std::jthread other;
    const auto work = [&] { totalled = total(graph, slack, kernels); };
    if (threads > 1) {
      other = std::jthread(work);
    } else {
      work();
    }
    followed = follow(graph, path, on_path);
  }
  TRY(std::move(followed));
  TRY(std::move(totalled));
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    kernels[i].path_calls = on_path[i].path_calls;
    kernels[i].path_ns = on_path[i].path_ns;
  }
  return kernels;
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
  std::vector<KernelOnPath> kernels = TRY(kernels_on_path(graph, slack, options.threads, path));
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
