// SPDX-License-Identifier: MIT
#include "engine/graph/critical_path.h"

#include <limits>

#include "engine/base/interrupt.h"
#include "engine/graph/graph_arrays.h"
#include "engine/graph/what_if.h"

namespace rpl {
namespace {

std::int64_t& segment(CriticalPath& path, SegmentKind kind) {
  return path.segments_ns[static_cast<std::size_t>(kind)];
}

/// The path without what takes slack or all dispatches to know.
struct Followed {
  CriticalPath path;
  std::vector<KernelOnPath> kernels;  ///< by Trace::kernels(): calls and time on the path
};

Result<Followed> follow(const Graph& graph, const Monitor& monitor) {
  monitor.report("following the critical path", 0, graph.operations());
  Followed out;
  CriticalPath& path = out.path;
  path.span_begin_ns = graph.span_ns().first;
  path.span_ns = graph.span_ns().second - path.span_begin_ns;
  path.last = last_operation(graph);
  path.on_path.assign(graph.operations(), false);
  out.kernels.resize(graph.trace().kernels().size());
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
    ++out.kernels[kernel].path_calls;
    out.kernels[kernel].path_ns += own_ns;
  }
  return out;
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
  std::vector<KernelOnPath*> simulated;
  for (KernelOnPath& row : kernels) {
    if (row.path_ns == 0) {
      // The path stays as long as it is, and making operations shorter never makes anything longer.
      row.gain_if_2x = 0;
      continue;
    }
    visited += graph.operations();
    if (visited <= options.simulated_operations) simulated.push_back(&row);
  }
  std::vector<std::uint32_t> numbers;
  for (const KernelOnPath* row : simulated) numbers.push_back(row->kernel);
  const std::vector<double> gains = TRY(simulated_gains(graph, numbers, 2.0));
  for (std::size_t i = 0; i < simulated.size(); ++i) simulated[i]->gain_if_2x = gains[i];
  return {};
}

Result<CriticalPath> completed(const Graph& graph, const Slack& slack, Followed followed,
                               const CriticalPathOptions& options) {
  CriticalPath path = std::move(followed.path);
  for (std::size_t i = 0; i < followed.kernels.size(); ++i) {
    followed.kernels[i].calls = slack.kernels()[i].calls;
    followed.kernels[i].total_ns = slack.kernels()[i].total_ns;
    followed.kernels[i].min_slack_ns = slack.kernels()[i].least_ns;
  }
  path.critical_path_ns = segment(path, SegmentKind::kernel) + segment(path, SegmentKind::copy);
  for (std::uint32_t kernel = 0; kernel < followed.kernels.size(); ++kernel) {
    KernelOnPath& row = followed.kernels[kernel];
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

}  // namespace

Status add_gains(const Graph& graph, const CriticalPathOptions& options, CriticalPath& path) {
  return simulate_gains(graph, options, path.kernels);
}

Result<CriticalPath> critical_path(const Graph& graph, const Slack& slack,
                                   const CriticalPathOptions& options, const Monitor& monitor) {
  return completed(graph, slack, TRY(follow(graph, monitor)), options);
}

Result<PathAndSlack> path_and_slack(const Graph& graph, const CriticalPathOptions& options,
                                    const Monitor& monitor) {
  Result<Followed> followed;
  PathAndSlack out;
  out.slack = TRY(Slack::compute(graph, monitor, [&] { followed = follow(graph, {}); }));
  out.path = TRY(completed(graph, out.slack, TRY(std::move(followed)), options));
  return out;
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
