// SPDX-License-Identifier: MIT
#include "engine/graph/launch_lags.h"

#include <algorithm>
#include <compare>
#include <utility>

#include "engine/base/stretches.h"

namespace rpl {
namespace {

constexpr std::size_t kTenth = 10;

std::int64_t fast_tenth(std::vector<std::int64_t> values) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(values.size() / kTenth);
  std::ranges::nth_element(values, at);
  return *at;
}

/// The dispatch that the host launched first.
NodeId first_launched(const GraphArrays& graph) {
  NodeId out = kNone;
  for (NodeId v = 0; v < graph.dispatches(); ++v) {
    if (graph.launched(v) && (out == kNone || graph.launch_ns(v) < graph.launch_ns(out))) out = v;
  }
  return out;
}

/// What launched operations waited.
struct Waited {
  std::vector<std::int64_t>
      launched,  ///< from their launch, where everything before them had ended
      followed;  ///< from the end of what they waited for
};
Result<Waited> waited(const GraphArrays& graph) {
  Waited out;
  const NodeId first = first_launched(graph);
  std::vector<std::int64_t> ends;
  ends.reserve(graph.operations());
  for (NodeId v = 0; v < graph.operations(); ++v) ends.push_back(graph.end(v));
  TRY(interrupt::sort(ends));
  // What another operation may have held up since then, by an order that no edge shows.
  const auto may_be_held = [&](NodeId v, std::int64_t since_ns) {
    const auto after = std::ranges::upper_bound(ends, since_ns);
    return after != ends.end() && *after <= graph.start(v);
  };
  // Copies have engines of their own, which begin sooner; they count where there are no kernels.
  const NodeId count = graph.dispatches() > 1 ? graph.dispatches() : graph.operations();
  for (NodeId v = 0; v < count; ++v) {
    if (v % interrupt::kRowsBetweenChecks == 0) TRY(interrupt::check());
    // The first launch loads the code, and says nothing of those after it.
    if (!graph.launched(v) || v == first) continue;
    std::int64_t last_ns = kUnknownTime;
    graph.each_pred(v, [&](NodeId p, EdgeClass) { last_ns = std::max(last_ns, graph.end(p)); });
    const std::int64_t launch_ns = graph.launch_ns(v), since_ns = std::max(launch_ns, last_ns);
    if (may_be_held(v, since_ns)) continue;
    (launch_ns >= last_ns ? out.launched : out.followed).push_back(graph.start(v) - since_ns);
  }
  return out;
}

Result<LaunchTimes> find_launch_times(const GraphArrays& graph) {
  Waited waits = TRY(waited(graph));
  LaunchTimes out;
  if (!waits.followed.empty())
    out.neighbour_gap_ns = std::max<std::int64_t>(0, fast_tenth(std::move(waits.followed)));
  out.latency_ns = waits.launched.empty() ? out.neighbour_gap_ns.value_or(0)
                                          : fast_tenth(std::move(waits.launched));
  return out;
}

}  // namespace

Result<DeviceLags> device_lags(const GraphArrays& graph) {
  struct Moment {
    std::int64_t ns = 0;
    bool starts = false;  ///< ends of the same time come first
    NodeId node = kNone;
    auto operator<=>(const Moment&) const = default;
  };
  std::vector<Moment> moments;
  for (NodeId v = 0; v < graph.dispatches(); ++v) {
    moments.push_back({graph.start(v), true, v});
    moments.push_back({graph.end(v), false, v});
  }
  TRY(interrupt::sort(moments));
  std::vector<std::int64_t> ended(graph.keys.scopes().size(), kUnknownTime), known;
  DeviceLags out{.of = std::vector<std::int64_t>(graph.dispatches(), kUnknownTime)};
  for (const Moment& one : moments) {
    std::int64_t& last = ended[graph.key(one.node).scope];
    if (!one.starts) {
      last = one.ns;
    } else if (graph.launched(one.node)) {
      const std::int64_t launch_ns = graph.launch_ns(one.node);
      known.push_back(std::max<std::int64_t>(0, one.ns - std::max(last, launch_ns)));
      if (launch_ns >= last) out.of[one.node] = known.back();
    }
  }
  if (!known.empty()) out.usual_ns = fast_tenth(std::move(known));
  return out;
}

Result<LaunchTimes> launch_times(const Graph& graph) {
  Graph::Kept& kept = graph.kept();
  const std::lock_guard lock(kept.mutex);
  if (!kept.launch_times) kept.launch_times = TRY(find_launch_times(graph.arrays()));
  return *kept.launch_times;
}

}  // namespace rpl
