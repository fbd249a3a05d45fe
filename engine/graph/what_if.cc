// SPDX-License-Identifier: MIT
#include "engine/graph/what_if.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <thread>

#include "engine/graph/graph_arrays.h"
#include "engine/graph/node_order.h"

namespace rpl {
namespace {

constexpr std::int64_t kUnknown_ns = std::numeric_limits<std::int64_t>::min();

/// Slower than this would let the simulated times overflow.
constexpr double kLeastSpeedup = 1e-6;

/// A span beyond this is cut: about 146 years.
std::int64_t plus(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return b > 0 ? std::numeric_limits<std::int64_t>::max() / 2
               : std::numeric_limits<std::int64_t>::min() / 2;
}

using Factors = std::vector<double>;  ///< of the duration, by kernel

Result<Factors> factors_of(const Graph& graph, std::span<const KernelChange> changes) {
  Factors factors(graph.trace().kernels().size(), 1.0);
  std::vector<bool> named(factors.size());
  for (const KernelChange& change : changes) {
    if (change.kernel >= factors.size()) {
      return fail(Errc::usage, fmt::format("there is no kernel with index {}", change.kernel),
                  "list them with 'info kernels'");
    }
    if (!(change.speedup >= kLeastSpeedup)) {
      return fail(Errc::usage, fmt::format("a speedup of {} is not possible", change.speedup),
                  "give a number above 0; 2 is twice as fast, below 1 is slower");
    }
    if (named[change.kernel]) {
      return fail(
          Errc::usage,
          fmt::format("kernel '{}' is changed twice", graph.trace().kernels()[change.kernel].name),
          "give one speedup for each kernel");
    }
    named[change.kernel] = true;
    factors[change.kernel] = 1.0 / change.speedup;
  }
  return factors;
}

enum class Uncertain { moves, stays };

/// One run of the graph with changed durations.
class Simulation {
 public:
  Simulation(const GraphArrays& graph, const Factors& factors, Uncertain uncertain)
      : graph_(graph), factors_(factors), uncertain_(uncertain) {
    end_.resize(graph.operations());
    wait_shift_.resize(graph.waits.size());
  }

  Status run() {
    return NodeOrder::forwards(
        graph_, [this](NodeId v) { operation(v); }, [this](std::uint32_t w) { wait(w); });
  }
  /// The span, from the recorded beginning.
  [[nodiscard]] std::int64_t span_ns() const {
    return graph_.operations() == 0 ? 0 : plus(last_end_ns_, -graph_.begin_ns);
  }
  [[nodiscard]] std::uint64_t changed() const { return changed_; }
  [[nodiscard]] std::uint64_t pinned() const { return pinned_; }

 private:
  struct Arrivals {
    std::int64_t recorded_ns = kUnknown_ns, now_ns = kUnknown_ns;
    bool inferred = false;  ///< the recorded one is of an inferred edge
  };

  Arrivals arrivals(NodeId v) const {
    Arrivals at;
    graph_.each_pred(v, [&](NodeId p, EdgeClass edge_class) {
      const std::int64_t end_ns = graph_.end(p);
      if (end_ns > at.recorded_ns) {
        at.recorded_ns = end_ns;
        at.inferred = edge_class == EdgeClass::inferred;
      }
      at.now_ns = std::max(at.now_ns, end_[p]);
    });
    if (!graph_.launched(v)) return at;
    const std::int64_t launch_ns = graph_.launch_ns(v);
    if (launch_ns >= at.recorded_ns) at.inferred = false;
    at.recorded_ns = std::max(at.recorded_ns, launch_ns);
    const std::uint32_t w = graph_.launch_wait.empty() ? kNone : graph_.launch_wait[v];
    at.now_ns = std::max(at.now_ns, w == kNone ? launch_ns : plus(launch_ns, wait_shift_[w]));
    return at;
  }

  void operation(NodeId v) {
    const Arrivals at = arrivals(v);
    const std::int64_t recorded_ns = graph_.start(v);
    std::int64_t start_ns = recorded_ns;
    if (at.recorded_ns != kUnknown_ns) {
      start_ns = plus(at.now_ns, recorded_ns - at.recorded_ns);
      // Only evidence lets an operation start earlier than it was seen to.
      const bool unexplained = !graph_.launched(v) && recorded_ns > at.recorded_ns;
      if (start_ns < recorded_ns && (at.inferred || unexplained)) {
        ++pinned_;
        if (uncertain_ == Uncertain::stays) start_ns = recorded_ns;
      }
    }
    end_[v] = plus(start_ns, duration(v));
    last_end_ns_ = std::max(last_end_ns_, end_[v]);
  }

  std::int64_t duration(NodeId v) {
    const std::int64_t recorded_ns = graph_.duration(v);
    if (v >= graph_.dispatches()) return recorded_ns;
    const std::uint32_t kernel = graph_.trace->kernel_of(v);
    if (kernel >= factors_.size() || factors_[kernel] == 1.0) return recorded_ns;
    ++changed_;
    const double scaled = static_cast<double>(recorded_ns) * factors_[kernel];
    return scaled < 4e18 ? std::llround(scaled) : std::numeric_limits<std::int64_t>::max() / 2;
  }

  void wait(std::uint32_t w) {
    const HostWait& wait = graph_.waits[w];
    const std::int64_t before = wait.previous == kNone ? 0 : wait_shift_[wait.previous];
    std::int64_t recorded_ns = wait.start_ns;
    std::int64_t now_ns = plus(wait.start_ns, before);
    for (const NodeId p : graph_.waited_by(wait)) {
      recorded_ns = std::max(recorded_ns, graph_.end(p));
      now_ns = std::max(now_ns, end_[p]);
    }
    wait_shift_[w] = plus(now_ns, -recorded_ns);
  }

  const GraphArrays& graph_;
  const Factors& factors_;
  Uncertain uncertain_;
  ColumnVector<std::int64_t> end_;
  std::vector<std::int64_t> wait_shift_;  ///< by how much the thread is later after the wait
  std::int64_t last_end_ns_ = kUnknown_ns;
  std::uint64_t changed_ = 0, pinned_ = 0;
};

double gain(std::int64_t before_ns, std::int64_t after_ns) {
  if (before_ns == 0) return 0;
  return static_cast<double>(before_ns - after_ns) / static_cast<double>(before_ns);
}

/// All kernels at an end of their bands: the changed ones at the upper one, the others at the lower one, or the other way round.
std::vector<KernelChange> at_ends(const Graph& graph, std::span<const KernelChange> changes,
                                  bool changed_upper) {
  std::vector<KernelChange> out;
  const auto kernels = graph.trace().kernels();
  for (std::uint32_t kernel = 0; kernel < kernels.size(); ++kernel) {
    const bool changed = std::ranges::find(changes, kernel, &KernelChange::kernel) != changes.end();
    const Kernel& one = kernels[kernel];
    const double factor = one.time_low <= 0          ? 1
                          : changed == changed_upper ? one.time_high
                                                     : one.time_low;
    out.push_back({kernel, 1 / factor});
  }
  return out;
}

/// What the changes save of the span that these durations give.
Result<double> gain_from(const Graph& graph, std::vector<KernelChange> durations,
                         std::span<const KernelChange> changes) {
  const double before = 1 - TRY(simulated_gain(graph, durations));
  for (const KernelChange& change : changes) durations[change.kernel].speedup *= change.speedup;
  const double after = 1 - TRY(simulated_gain(graph, durations));
  return before > 0 ? (before - after) / before : 0;
}

}  // namespace

Result<std::optional<GainRange>> gain_in_bands(const Graph& graph,
                                               std::span<const KernelChange> changes) {
  const auto kernels = graph.trace().kernels();
  if (std::ranges::none_of(kernels, [](const Kernel& kernel) { return kernel.time_low > 0; }))
    return std::nullopt;
  const double one = TRY(gain_from(graph, at_ends(graph, changes, false), changes)),
               other = TRY(gain_from(graph, at_ends(graph, changes, true), changes));
  return GainRange{std::min(one, other), std::max(one, other)};
}

Result<double> simulated_gain(const Graph& graph, std::span<const KernelChange> changes) {
  const Factors factors = TRY(factors_of(graph, changes));
  Simulation moving(graph.arrays(), factors, Uncertain::moves);
  TRY(moving.run());
  return gain(graph.span_ns().second - graph.span_ns().first, moving.span_ns());
}

Result<WhatIf> what_if(const Graph& graph, std::span<const KernelChange> changes,
                       const WhatIfOptions& options, const Monitor& monitor) {
  const Factors factors = TRY(factors_of(graph, changes));
  monitor.report("re-simulating", 0, graph.operations());
  Simulation moving(graph.arrays(), factors, Uncertain::moves);
  Simulation staying(graph.arrays(), factors, Uncertain::stays);
  Status other;
  if (options.threads < 2) {
    TRY(moving.run());
    TRY(staying.run());
  } else {
    std::jthread thread([&] { other = staying.run(); });
    Status own = moving.run();
    thread.join();
    TRY(std::move(own));
    TRY(std::move(other));
  }
  WhatIf result;
  result.before_ns = graph.span_ns().second - graph.span_ns().first;
  result.after_ns = moving.span_ns();
  result.gain = gain(result.before_ns, result.after_ns);
  const double pinned = gain(result.before_ns, staying.span_ns());
  result.gain_low = std::min(result.gain, pinned);
  result.gain_high = std::max(result.gain, pinned);
  result.changed_dispatches = moving.changed();
  result.uncertain_operations = moving.pinned();
  return result;
}

}  // namespace rpl
