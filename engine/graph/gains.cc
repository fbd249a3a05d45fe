// SPDX-License-Identifier: MIT
// What each of many kernels would save: one pass over the graph for several of them, which share where edges lead to and
// what was recorded, and differ in the times that come of it.
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>

#include "engine/base/interrupt.h"
#include "engine/base/parallel.h"
#include "engine/graph/graph_arrays.h"
#include "engine/graph/node_order.h"
#include "engine/graph/what_if.h"

namespace rpl {
namespace {

/// Kernels of one pass: their times of an operation lie in half a line of the cache. One alone where that would take more memory than the graph.
constexpr std::size_t kMostLanes = 4;
constexpr NodeId kOperationsForLanes = 4'000'000;
/// Starting a thread costs as much as visiting a few thousand operations.
constexpr NodeId kGainsWorthAThread = 50'000;
/// Whole numbers of this size and sums of two of them are exact as doubles, of which processors take the larger of two pairs at once.
constexpr std::int64_t kExact_ns = std::int64_t{1} << 51;

/// A time for each kernel of the pass, from the beginning of the graph.
template <class Time, std::size_t kLanes>
using Lanes = std::array<Time, kLanes>;

template <class Time>
constexpr Time kUnset = std::numeric_limits<Time>::lowest();

/// Times of a graph lie within 73 years, and durations that become shorter do not take them farther; should a recording do so
/// all the same, the sum wraps.
std::int64_t sum(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
double sum(double a, double b) { return a + b; }

template <class Time, std::size_t kLanes>
void latest(Lanes<Time, kLanes>& of, const Lanes<Time, kLanes>& others) {
  for (std::size_t i = 0; i < kLanes; ++i) of[i] = of[i] < others[i] ? others[i] : of[i];
}

/// What all passes have in common: how long after what it waited for each operation ended, as recorded.
class Recorded {
 public:
  static Result<Recorded> of(const GraphArrays& graph) {
    Recorded out;
    out.after_arrival_ns_.resize(graph.operations());
    for (NodeId v = 0; v < graph.operations(); ++v) {
      if (v % interrupt::kRowsBetweenChecks == 0) TRY(interrupt::check());
      out.add(graph, v);
    }
    for (const HostWait& wait : graph.waits) {
      out.look_at(sum(wait.start_ns, -graph.begin_ns));
      out.look_at(sum(wait.end_ns, -graph.begin_ns));
    }
    return out;
  }

  /// From its arrival to its end; from the beginning of the graph where it waited for nothing.
  [[nodiscard]] std::int64_t after_arrival_ns(NodeId v) const { return after_arrival_ns_.get(v); }
  [[nodiscard]] bool exact_as_doubles() const { return exact_; }

 private:
  void add(const GraphArrays& graph, NodeId v) {
    std::int64_t arrival_ns = kUnset<std::int64_t>;
    graph.each_pred(v,
                    [&](NodeId p, EdgeClass) { arrival_ns = std::max(arrival_ns, graph.end(p)); });
    if (graph.launched(v)) {
      arrival_ns = std::max(arrival_ns, graph.launch_ns(v));
      look_at(sum(graph.launch_ns(v), -graph.begin_ns));
    }
    if (arrival_ns == kUnset<std::int64_t>) arrival_ns = graph.begin_ns;
    const std::int64_t after_ns = sum(sum(graph.start(v), -arrival_ns), graph.duration(v));
    after_arrival_ns_.set(v, after_ns);
    look_at(after_ns);
    look_at(sum(graph.end(v), -graph.begin_ns));
  }
  void look_at(std::int64_t ns) { exact_ = exact_ && ns > -kExact_ns && ns < kExact_ns; }

  CompactColumn after_arrival_ns_;
  bool exact_ = true;
};

/// What a pass needs memory for: fresh memory costs as much as a pass, so that one serves all of a thread.
template <class Time, std::size_t kLanes>
struct PassMemory {
  ColumnVector<Lanes<Time, kLanes>> end;
  std::vector<Lanes<Time, kLanes>> wait_shift;  ///< by how much the thread is later after the wait
};

/// One run of the graph for each of up to kLanes kernels, in which its dispatches alone are faster. Everything moves along.
template <class Time, std::size_t kLanes>
class GainPass {
 public:
  GainPass(const GraphArrays& graph, const Recorded& recorded,
           std::span<const std::uint32_t> kernels, double speedup, PassMemory<Time, kLanes>& memory)
      : graph_(graph),
        recorded_(recorded),
        lane_of_(graph.trace->kernels().size(), kNone),
        factor_(1 / speedup),
        end_(memory.end),
        wait_shift_(memory.wait_shift) {
    for (std::size_t i = 0; i < kernels.size(); ++i)
      lane_of_[kernels[i]] = static_cast<std::uint32_t>(i);
    end_.resize(graph.operations());
    wait_shift_.resize(graph.waits.size());
    last_.fill(kUnset<Time>);
  }

  Status run() {
    return NodeOrder::forwards(
        graph_, [this](NodeId v) { operation(v); }, [this](std::uint32_t w) { wait(w); });
  }
  /// The span of kernels[i], from the recorded beginning.
  [[nodiscard]] std::int64_t span_ns(std::size_t i) const {
    return graph_.operations() == 0 ? 0 : static_cast<std::int64_t>(last_[i]);
  }

 private:
  [[nodiscard]] Time from_begin(std::int64_t ns) const {
    return static_cast<Time>(sum(ns, -graph_.begin_ns));
  }

  void operation(NodeId v) {
    Lanes<Time, kLanes> now;
    now.fill(kUnset<Time>);
    bool waited = false;
    graph_.each_pred(v, [&](NodeId p, EdgeClass) {
      waited = true;
      latest(now, end_[p]);
    });
    if (graph_.launched(v)) {
      waited = true;
      Lanes<Time, kLanes> launched;
      launched.fill(from_begin(graph_.launch_ns(v)));
      if (!graph_.launch_wait.empty() && graph_.launch_wait[v] != kNone) {
        const Lanes<Time, kLanes>& shift = wait_shift_[graph_.launch_wait[v]];
        for (std::size_t i = 0; i < kLanes; ++i) launched[i] = sum(launched[i], shift[i]);
      }
      latest(now, launched);
    }
    // What waited for nothing starts when it did.
    if (!waited) now.fill(0);
    const Time after_arrival = static_cast<Time>(recorded_.after_arrival_ns(v));
    Lanes<Time, kLanes>& end = end_[v];
    for (std::size_t i = 0; i < kLanes; ++i) end[i] = sum(now[i], after_arrival);
    if (v < graph_.dispatches()) {
      const std::uint32_t kernel = graph_.trace->kernel_of(v);
      const std::uint32_t lane = kernel < lane_of_.size() ? lane_of_[kernel] : kNone;
      if (lane != kNone) {
        const std::int64_t duration_ns = graph_.duration(v);
        end[lane] = sum(end[lane], static_cast<Time>(faster(duration_ns) - duration_ns));
      }
    }
    latest(last_, end);
  }

  [[nodiscard]] std::int64_t faster(std::int64_t duration_ns) const {
    return std::llround(static_cast<double>(duration_ns) * factor_);
  }

  void wait(std::uint32_t w) {
    const HostWait& wait = graph_.waits[w];
    std::int64_t recorded_ns = wait.start_ns;
    Lanes<Time, kLanes> now;
    now.fill(from_begin(wait.start_ns));
    if (wait.previous != kNone) {
      const Lanes<Time, kLanes>& before = wait_shift_[wait.previous];
      for (std::size_t i = 0; i < kLanes; ++i) now[i] = sum(now[i], before[i]);
    }
    for (const NodeId p : graph_.waited_by(wait)) {
      recorded_ns = std::max(recorded_ns, graph_.end(p));
      latest(now, end_[p]);
    }
    const Time recorded = from_begin(recorded_ns);
    for (std::size_t i = 0; i < kLanes; ++i) wait_shift_[w][i] = sum(now[i], -recorded);
  }

  const GraphArrays& graph_;
  const Recorded& recorded_;
  std::vector<std::uint32_t> lane_of_;  ///< by kernel
  double factor_;
  ColumnVector<Lanes<Time, kLanes>>& end_;
  std::vector<Lanes<Time, kLanes>>& wait_shift_;
  Lanes<Time, kLanes> last_;
};

template <class Time, std::size_t kLanes>
Result<std::vector<double>> gains_by(const Graph& graph, const Recorded& recorded,
                                     std::span<const std::uint32_t> kernels, double speedup) {
  const std::int64_t recorded_ns = graph.span_ns().second - graph.span_ns().first;
  std::vector<double> gains(kernels.size());
  const std::size_t passes = (kernels.size() + kLanes - 1) / kLanes;
  std::atomic<std::size_t> next = 0;
  const auto work = [&]() -> Status {
    PassMemory<Time, kLanes> memory;
    for (std::size_t i = next++; i < passes; i = next++) {
      const auto some = kernels.subspan(i * kLanes, std::min(kLanes, kernels.size() - i * kLanes));
      GainPass<Time, kLanes> pass(graph.arrays(), recorded, some, speedup, memory);
      TRY(pass.run());
      for (std::size_t k = 0; k < some.size() && recorded_ns != 0; ++k) {
        gains[i * kLanes + k] =
            static_cast<double>(recorded_ns - pass.span_ns(k)) / static_cast<double>(recorded_ns);
      }
    }
    return {};
  };
  const bool two = passes > 1 && graph.operations() > kGainsWorthAThread;
  const std::size_t threads = worthwhile_threads(two ? 2 : 1);
  std::vector<Status> ends(threads);
  in_parallel(threads, threads, [&](std::size_t i) { ends[i] = work(); });
  for (Status& end : ends) TRY(std::move(end));
  return gains;
}

}  // namespace

Result<std::vector<double>> simulated_gains(const Graph& graph,
                                            std::span<const std::uint32_t> kernels,
                                            double speedup) {
  // What all passes have in common costs as much as half of the slack.
  if (kernels.empty()) return std::vector<double>();
  const Recorded recorded = TRY(Recorded::of(graph.arrays()));
  if (graph.operations() > kOperationsForLanes)
    return gains_by<std::int64_t, 1>(graph, recorded, kernels, speedup);
  return recorded.exact_as_doubles()
             ? gains_by<double, kMostLanes>(graph, recorded, kernels, speedup)
             : gains_by<std::int64_t, kMostLanes>(graph, recorded, kernels, speedup);
}

}  // namespace rpl
