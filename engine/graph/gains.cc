// SPDX-License-Identifier: MIT
// What each of many kernels would save: one pass over the graph for several of them, which share where edges lead to and
// what was recorded, and differ in the times that come of it.
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>

#include "engine/base/parallel.h"
#include "engine/graph/graph_arrays.h"
#include "engine/graph/node_order.h"
#include "engine/graph/what_if.h"

namespace rpl {
namespace {

/// Kernels of one pass: their times of an operation lie in half a line of the cache. One alone where that would take more memory than the graph.
constexpr std::size_t kMostLanes = 4;
constexpr NodeId kOperationsForLanes = 4'000'000;
constexpr std::int64_t kNever_ns = std::numeric_limits<std::int64_t>::min();
/// Starting a thread costs as much as visiting a few thousand operations.
constexpr NodeId kGainsWorthAThread = 50'000;

/// A time for each kernel of the pass.
template <std::size_t kLanes>
using Lanes = std::array<std::int64_t, kLanes>;

/// Times of a graph lie within 73 years, and durations that become shorter do not take them farther; should a recording do so
/// all the same, the sum wraps.
std::int64_t sum(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

template <std::size_t kLanes>
void latest(Lanes<kLanes>& of, const Lanes<kLanes>& others) {
  for (std::size_t i = 0; i < kLanes; ++i) of[i] = std::max(of[i], others[i]);
}

/// What a pass needs memory for: fresh memory costs as much as a pass, so that one serves all of a thread.
template <std::size_t kLanes>
struct PassMemory {
  ColumnVector<Lanes<kLanes>> end;
  std::vector<Lanes<kLanes>> wait_shift;  ///< by how much the thread is later after the wait
};

/// One run of the graph for each of up to kLanes kernels, in which its dispatches alone are faster. Everything moves along.
template <std::size_t kLanes>
class GainPass {
 public:
  GainPass(const GraphArrays& graph, std::span<const std::uint32_t> kernels, double speedup,
           PassMemory<kLanes>& memory)
      : graph_(graph),
        lane_of_(graph.trace->kernels().size(), kNone),
        factor_(1 / speedup),
        end_(memory.end),
        wait_shift_(memory.wait_shift) {
    for (std::size_t i = 0; i < kernels.size(); ++i)
      lane_of_[kernels[i]] = static_cast<std::uint32_t>(i);
    end_.resize(graph.operations());
    wait_shift_.resize(graph.waits.size());
    last_.fill(kNever_ns);
  }

  Status run() {
    return NodeOrder::forwards(
        graph_, [this](NodeId v) { operation(v); }, [this](std::uint32_t w) { wait(w); });
  }
  /// The span of kernels[i], from the recorded beginning.
  [[nodiscard]] std::int64_t span_ns(std::size_t i) const {
    return graph_.operations() == 0 ? 0 : sum(last_[i], -graph_.begin_ns);
  }

 private:
  void operation(NodeId v) {
    const std::int64_t start_ns = graph_.start(v), duration_ns = graph_.duration(v);
    std::int64_t arrival_ns = kNever_ns;
    Lanes<kLanes> now;
    now.fill(kNever_ns);
    graph_.each_pred(v, [&](NodeId p, EdgeClass) {
      arrival_ns = std::max(arrival_ns, graph_.end(p));
      latest(now, end_[p]);
    });
    if (graph_.launched(v)) {
      const std::int64_t launch_ns = graph_.launch_ns(v);
      arrival_ns = std::max(arrival_ns, launch_ns);
      Lanes<kLanes> launched;
      launched.fill(launch_ns);
      if (!graph_.launch_wait.empty() && graph_.launch_wait[v] != kNone) {
        const Lanes<kLanes>& shift = wait_shift_[graph_.launch_wait[v]];
        for (std::size_t i = 0; i < kLanes; ++i) launched[i] = sum(launched[i], shift[i]);
      }
      latest(now, launched);
    }
    // What waited for nothing starts when it did.
    if (arrival_ns == kNever_ns) now.fill(arrival_ns = start_ns);
    const std::int64_t from_arrival_ns = sum(sum(start_ns, -arrival_ns), duration_ns);
    Lanes<kLanes>& end = end_[v];
    for (std::size_t i = 0; i < kLanes; ++i) end[i] = sum(now[i], from_arrival_ns);
    if (v < graph_.dispatches()) {
      const std::uint32_t kernel = graph_.trace->kernel_of(v);
      const std::uint32_t lane = kernel < lane_of_.size() ? lane_of_[kernel] : kNone;
      if (lane != kNone) end[lane] = sum(end[lane], faster(duration_ns) - duration_ns);
    }
    latest(last_, end);
  }

  [[nodiscard]] std::int64_t faster(std::int64_t duration_ns) const {
    return std::llround(static_cast<double>(duration_ns) * factor_);
  }

  void wait(std::uint32_t w) {
    const HostWait& wait = graph_.waits[w];
    std::int64_t recorded_ns = wait.start_ns;
    Lanes<kLanes> now;
    now.fill(wait.start_ns);
    if (wait.previous != kNone) {
      const Lanes<kLanes>& before = wait_shift_[wait.previous];
      for (std::size_t i = 0; i < kLanes; ++i) now[i] = sum(now[i], before[i]);
    }
    for (const NodeId p : graph_.waited_by(wait)) {
      recorded_ns = std::max(recorded_ns, graph_.end(p));
      latest(now, end_[p]);
    }
    for (std::size_t i = 0; i < kLanes; ++i) wait_shift_[w][i] = sum(now[i], -recorded_ns);
  }

  const GraphArrays& graph_;
  std::vector<std::uint32_t> lane_of_;  ///< by kernel
  double factor_;
  ColumnVector<Lanes<kLanes>>& end_;
  std::vector<Lanes<kLanes>>& wait_shift_;
  Lanes<kLanes> last_;
};

template <std::size_t kLanes>
Result<std::vector<double>> gains_by(const Graph& graph, std::span<const std::uint32_t> kernels,
                                     double speedup) {
  const std::int64_t recorded_ns = graph.span_ns().second - graph.span_ns().first;
  std::vector<double> gains(kernels.size());
  const std::size_t passes = (kernels.size() + kLanes - 1) / kLanes;
  std::atomic<std::size_t> next = 0;
  const auto work = [&]() -> Status {
    PassMemory<kLanes> memory;
    for (std::size_t i = next++; i < passes; i = next++) {
      const auto some = kernels.subspan(i * kLanes, std::min(kLanes, kernels.size() - i * kLanes));
      GainPass<kLanes> pass(graph.arrays(), some, speedup, memory);
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
  return graph.operations() > kOperationsForLanes ? gains_by<1>(graph, kernels, speedup)
                                                  : gains_by<kMostLanes>(graph, kernels, speedup);
}

}  // namespace rpl
