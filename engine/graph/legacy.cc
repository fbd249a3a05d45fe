// SPDX-License-Identifier: MIT
#include "engine/graph/legacy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "engine/base/interrupt.h"

namespace rpl {
namespace {

/// The older tool's constants.
constexpr std::int64_t kShortestThreshold_ns = 50'000;
constexpr double kThresholdShare = 0.01;

class LegacyGraph {
 public:
  explicit LegacyGraph(std::span<const LegacyNode> nodes)
      : nodes_(nodes),
        next_(nodes.size(), kNone),
        cross_(nodes.size(), kNone),
        incoming_(nodes.size()),
        length_(nodes.size()),
        parent_(nodes.size(), kNone) {}

  Result<LegacyPath> run() {
    link_queues();
    TRY(link_across());
    TRY(relax());
    follow();
    name_dominant();
    return std::move(path_);
  }

 private:
  std::uint32_t count() const { return static_cast<std::uint32_t>(nodes_.size()); }
  std::int64_t duration(std::uint32_t v) const { return nodes_[v].end_ns - nodes_[v].start_ns; }

  void link_queues() {
    std::map<std::uint32_t, std::uint32_t> last;
    for (std::uint32_t v = 0; v < count(); ++v) {
      const auto [at, fresh] = last.try_emplace(nodes_[v].queue, v);
      if (fresh) continue;
      next_[at->second] = v;
      ++incoming_[v];
      ++path_.serial_edges;
      at->second = v;
    }
  }

  void set_threshold() {
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    std::int64_t last = std::numeric_limits<std::int64_t>::min();
    for (const LegacyNode& node : nodes_) {
      first = std::min(first, node.start_ns);
      last = std::max(last, node.end_ns);
    }
    const double share = kThresholdShare * static_cast<double>(last - first);
    path_.threshold_ns = std::max(kShortestThreshold_ns, static_cast<std::int64_t>(share));
  }

  /// The two dispatches of different queues that ended last so far; of those that ended together the first by node order.
  struct LastEnded {
    std::uint32_t best = kNone, other = kNone;
  };

  void end(LastEnded& last, std::uint32_t v) const {
    if (last.best == kNone) {
      last.best = v;
    } else if (nodes_[v].end_ns > nodes_[last.best].end_ns) {
      if (nodes_[v].queue != nodes_[last.best].queue) last.other = last.best;
      last.best = v;
    } else if (nodes_[v].queue != nodes_[last.best].queue &&
               (last.other == kNone || nodes_[last.other].end_ns < nodes_[v].end_ns)) {
      last.other = v;
    }
  }

  /// Starts rise in node order, so one sweep over ends serves all.
  Status link_across() {
    set_threshold();
    std::vector<std::uint32_t> by_end(nodes_.size());
    std::iota(by_end.begin(), by_end.end(), 0U);
    std::ranges::stable_sort(by_end, {}, [&](std::uint32_t v) { return nodes_[v].end_ns; });
    LastEnded last;
    std::size_t ended = 0;
    for (std::uint32_t v = 0; v < count(); ++v) {
      if (v % 65536 == 0) TRY(interrupt::check());
      for (; ended < by_end.size() && nodes_[by_end[ended]].end_ns <= nodes_[v].start_ns; ++ended) {
        end(last, by_end[ended]);
      }
      std::uint32_t from = last.best;
      if (from != kNone && nodes_[from].queue == nodes_[v].queue) from = last.other;
      if (from == kNone) continue;
      if (nodes_[v].start_ns - nodes_[from].end_ns > path_.threshold_ns) continue;
      cross_[v] = from;
      ++incoming_[v];
      ++path_.cross_edges;
    }
    return {};
  }

  /// Cross successors of each node, in node order.
  void list_successors() {
    first_.assign(nodes_.size() + 1, 0);
    for (const std::uint32_t from : cross_) {
      if (from != kNone) ++first_[from + 1];
    }
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    successors_.resize(path_.cross_edges);
    std::vector<std::uint32_t> at(first_.begin(), first_.end() - 1);
    for (std::uint32_t v = 0; v < count(); ++v) {
      if (cross_[v] != kNone) successors_[at[cross_[v]]++] = v;
    }
  }

  /// Longest paths in Kahn's first-in-first-out order, which decides between equally long ones.
  Status relax() {
    list_successors();
    std::vector<std::uint32_t> ready;
    ready.reserve(nodes_.size());
    for (std::uint32_t v = 0; v < count(); ++v) {
      length_[v] = duration(v);
      if (incoming_[v] == 0) ready.push_back(v);
    }
    for (std::size_t i = 0; i < ready.size(); ++i) {
      if (i % 65536 == 0) TRY(interrupt::check());
      const std::uint32_t u = ready[i];
      if (next_[u] != kNone) reach(ready, u, next_[u]);
      for (std::uint32_t s = first_[u]; s < first_[u + 1]; ++s) reach(ready, u, successors_[s]);
    }
    path_.unprocessed = nodes_.size() - ready.size();
    return {};
  }

  void reach(std::vector<std::uint32_t>& ready, std::uint32_t u, std::uint32_t v) {
    if (length_[u] + duration(v) > length_[v]) {
      length_[v] = length_[u] + duration(v);
      parent_[v] = u;
    }
    if (--incoming_[v] == 0) ready.push_back(v);
  }

  void follow() {
    const auto last = std::ranges::max_element(length_) - length_.begin();
    path_.critical_path_ns = length_[static_cast<std::size_t>(last)];
    for (auto v = static_cast<std::uint32_t>(last); v != kNone; v = parent_[v]) {
      path_.path.push_back(v);
    }
    std::ranges::reverse(path_.path);
  }

  void name_dominant() {
    path_.dominant_row =
        *std::ranges::max_element(path_.path, {}, [&](std::uint32_t v) { return duration(v); });
    std::vector<std::pair<std::uint32_t, std::int64_t>> totals;  // in order of first appearance
    std::map<std::uint32_t, std::size_t> index;
    for (const std::uint32_t v : path_.path) {
      const auto [at, fresh] = index.try_emplace(nodes_[v].symbol, totals.size());
      if (fresh) totals.emplace_back(nodes_[v].symbol, 0);
      totals[at->second].second += duration(v);
    }
    // Shares are compared, not times: with a negative length the order turns round.
    const auto share = [&](const std::pair<std::uint32_t, std::int64_t>& total) {
      const std::int64_t whole = path_.critical_path_ns == 0 ? 1 : path_.critical_path_ns;
      return static_cast<double>(total.second) / static_cast<double>(whole);
    };
    const auto top = std::ranges::max_element(totals, {}, share);
    path_.dominant_symbol = top->first;
    path_.dominant_symbol_ns = top->second;
    if (path_.critical_path_ns != 0) path_.dominant_fraction = share(*top);
  }

  std::span<const LegacyNode> nodes_;
  std::vector<std::uint32_t> next_, cross_;  ///< successor in the queue, predecessor in another
  std::vector<std::uint8_t> incoming_;
  std::vector<std::uint32_t> first_, successors_;
  std::vector<std::int64_t> length_;
  std::vector<std::uint32_t> parent_;
  LegacyPath path_;
};

}  // namespace

Result<LegacyPath> legacy_critical_path(std::span<const LegacyNode> nodes, const Monitor& monitor) {
  if (nodes.empty()) return LegacyPath();
  double sum = 0;
  for (const LegacyNode& node : nodes) {
    sum += std::abs(static_cast<double>(node.end_ns) - static_cast<double>(node.start_ns));
  }
  if (sum > 4e18) {
    return fail(Errc::corrupt, "the recorded durations add up to more than a century",
                "look at the first and last rows with 'info dispatches'");
  }
  if (nodes.size() >= std::size_t{1} << 31) {
    return fail(Errc::limit,
                fmt::format("{} dispatches are too many for the legacy model", nodes.size()),
                "use the default model");
  }
  monitor.report("following the legacy model", 0, nodes.size());
  return LegacyGraph(nodes).run();
}

Result<LegacyPath> legacy_critical_path(const Trace& trace, const Monitor& monitor) {
  std::map<std::string_view, std::uint32_t> names;
  std::vector<std::uint32_t> symbol;
  for (const Kernel& kernel : trace.kernels()) {
    symbol.push_back(
        names.try_emplace(kernel.name, static_cast<std::uint32_t>(symbol.size())).first->second);
  }
  std::vector<LegacyNode> nodes(trace.size());
  for (std::size_t row = 0; row < trace.size(); ++row) {
    if (row % 65536 == 0) TRY(interrupt::check());
    const std::uint32_t kernel = trace.kernel_of(row);
    nodes[row] = {trace.start_ns(row), trace.end_ns(row), trace.lane(row).queue,
                  kernel < symbol.size() ? symbol[kernel] : kNone};
  }
  return legacy_critical_path(nodes, monitor);
}

}  // namespace rpl
