// SPDX-License-Identifier: MIT
#include "engine/graph/steps.h"

#include <algorithm>
#include <map>

#include "engine/base/interrupt.h"
#include "engine/base/median.h"
#include "engine/graph/gaps.h"
#include "engine/graph/graph_arrays.h"
#include "engine/graph/marker_loops.h"
#include "engine/graph/rounds.h"

namespace rpl {
namespace {

struct Starts {
  std::vector<std::int64_t> at_ns;  ///< of the steps
  std::int64_t end_ns = 0;          ///< of the last one
};

/// Ranges that bear one name, lie one after the other and cover most of the span.
Result<Starts> by_markers(const Graph& graph, LoopSteps& out) {
  Starts starts;
  if (!graph.trace().presence().markers) return starts;
  const std::vector<MarkerLoop> loops = TRY(marker_loops(*TRY(graph.trace().markers())));
  const auto [begin_ns, end_ns] = graph.span_ns();
  if (loops.empty() || !loops.front().is_most_of(end_ns - begin_ns)) return starts;
  out.by = LoopSteps::By::markers;
  out.marker = loops.front().name;
  for (const Marker* one : loops.front().ranges) starts.at_ns.push_back(one->start_ns);
  starts.end_ns = loops.front().ranges.back()->end_ns;
  return starts;
}

Starts by_kernels(const Graph& graph, LoopSteps& out) {
  Starts starts;
  const std::vector<NodeId> list = busiest_stream(graph.trace(), out.stream);
  std::vector<std::uint32_t> kernels;
  for (const NodeId v : list) kernels.push_back(graph.kernel_of(v));
  const auto rounds = find_rounds(kernels, graph.trace().kernels().size());
  if (!rounds) return starts;
  out.by = LoopSteps::By::kernels;
  out.anchor = rounds->kernel;
  out.kernels = static_cast<std::uint32_t>(rounds->distance);
  for (const std::size_t place : rounds->places)
    starts.at_ns.push_back(graph.start_ns(list[place]));
  // The last step is as long as the others in kernels, if the recording has them.
  const std::size_t last = std::min(rounds->places.back() + rounds->distance, list.size()) - 1;
  starts.end_ns = graph.end_ns(list[last]);
  return starts;
}

void keep_groups(std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::int64_t>>& all,
                 std::vector<GapGroup>& out) {
  for (auto& [key, lengths] : all) {
    GapGroup group{key.first, key.second, lengths.size(), 0, 0};
    for (const std::int64_t one : lengths) group.total_ns += one;
    group.median_ns = upper_median(lengths);
    out.push_back(group);
  }
  std::ranges::stable_sort(out, std::greater(), &GapGroup::total_ns);
}

/// Which gaps come in most steps, by the kernels on both sides.
void find_rhythm(const Graph& graph, const Gaps& gaps, LoopSteps& out) {
  using Key = std::pair<std::uint32_t, std::uint32_t>;
  std::map<Key, std::vector<std::int64_t>> all, within, rare;
  std::map<Key, std::size_t> steps_with;
  std::map<Key, std::size_t> last_step;
  const std::size_t steps = out.steps.size();
  const auto step_of = [&](std::int64_t at_ns) {
    const auto next = std::ranges::upper_bound(out.steps, at_ns, {}, &LoopStep::start_ns);
    if (next == out.steps.begin() || at_ns >= std::prev(next)->end_ns) return steps;
    return static_cast<std::size_t>(next - out.steps.begin()) - 1;
  };
  std::vector<std::pair<Key, const Gap*>> keyed;
  for (const Gap& gap : gaps.rows)
    keyed.push_back({{graph.kernel_of(gap.before), graph.kernel_of(gap.after)}, &gap});
  std::ranges::stable_sort(keyed, {}, [](const auto& one) { return one.second->start_ns; });
  for (const auto& [key, gap] : keyed) {
    const std::size_t step = step_of(gap->start_ns);
    if (step < out.warm || step >= steps) continue;
    out.steps[step].longest_gap_ns =
        std::max(out.steps[step].longest_gap_ns, gap->end_ns - gap->start_ns);
    const auto [last, fresh] = last_step.try_emplace(key, step);
    if (fresh || last->second != step) ++steps_with[key];
    last->second = step;
  }
  for (const auto& [key, gap] : keyed) {
    const std::size_t step = step_of(gap->start_ns);
    const bool often =
        out.found() && step >= out.warm && step < steps && 2 * steps_with[key] > steps - out.warm;
    (often ? within : rare)[key].push_back(gap->end_ns - gap->start_ns);
  }
  keep_groups(within, out.rhythm);
  keep_groups(rare, out.others);
}

void add_busy_time(const Graph& graph, LoopSteps& out) {
  if (out.steps.empty()) return;
  std::size_t step = 0;
  std::int64_t until_ns = 0;
  const auto add = [&](std::int64_t start_ns, std::int64_t end_ns) {
    // What runs on from one step into the next counts in both.
    for (std::size_t i = step; i < out.steps.size() && out.steps[i].start_ns < end_ns; ++i) {
      const std::int64_t from = std::max({start_ns, out.steps[i].start_ns, until_ns}),
                         to = std::min(end_ns, out.steps[i].end_ns);
      if (to > from) out.steps[i].busy_ns += to - from;
    }
    until_ns = std::max(until_ns, end_ns);
  };
  std::vector<std::pair<std::int64_t, std::int64_t>> operations;
  for (NodeId v = 0; v < graph.operations(); ++v)
    operations.emplace_back(graph.start_ns(v), graph.end_ns(v));
  std::ranges::sort(operations);
  until_ns = operations.empty() ? 0 : operations.front().first;
  for (const auto& [start_ns, end_ns] : operations) {
    while (step + 1 < out.steps.size() && out.steps[step].end_ns <= start_ns) ++step;
    if (start_ns >= out.steps[step].start_ns && start_ns < out.steps[step].end_ns)
      ++out.steps[step].operations;
    add(start_ns, end_ns);
  }
}

}  // namespace

Result<LoopSteps> find_steps(const Graph& graph, const Monitor& monitor) {
  monitor.report("looking for steps", 0, graph.operations());
  LoopSteps out;
  TRY(interrupt::check());
  Starts starts = TRY(by_markers(graph, out));
  if (!out.found()) starts = by_kernels(graph, out);
  std::vector<std::int64_t> lengths;
  for (std::size_t i = 0; i < starts.at_ns.size(); ++i) {
    const std::int64_t end_ns = i + 1 < starts.at_ns.size()
                                    ? starts.at_ns[i + 1]
                                    : std::max(starts.end_ns, starts.at_ns[i]);
    out.steps.push_back({starts.at_ns[i], end_ns});
    lengths.push_back(end_ns - starts.at_ns[i]);
  }
  out.median_ns = upper_median(lengths);
  for (std::size_t i = 0; 2 * i < out.steps.size(); ++i) {
    if (out.steps[i].end_ns - out.steps[i].start_ns > 2 * out.median_ns) out.warm = i + 1;
  }
  add_busy_time(graph, out);
  find_rhythm(graph, TRY(find_gaps(graph, {}, monitor)), out);
  return out;
}

}  // namespace rpl
