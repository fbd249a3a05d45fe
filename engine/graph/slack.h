// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "engine/graph/graph.h"

namespace rpl {

/// What the dispatches of one kernel have in common.
struct KernelSlack {
  std::uint64_t calls = 0;
  std::int64_t total_ns = 0;   ///< negative durations as 0
  std::uint64_t critical = 0;  ///< of the calls, those without slack
  std::int64_t least_ns = std::numeric_limits<std::int64_t>::max(), most_ns = 0;  ///< slack
  double sum_ns = 0;                                                              ///< of the slack
};

/// By how much each operation could end later without the trace ending later, all recorded waits kept
/// (docs/graph-model.md, "Slack"). Four bytes an operation, eight when a value exceeds 4.29 s.
class Slack {
 public:
  /// Linear in edges. `meanwhile` is called once, by a second thread where there are enough operations. Fails with `interrupted` only.
  static Result<Slack> compute(const Graph& graph, const Monitor& monitor = {},
                               const std::function<void()>& meanwhile = {});

  [[nodiscard]] std::int64_t at(NodeId operation) const {
    return narrow_.empty() ? wide_[operation] : std::int64_t{narrow_[operation]};
  }
  /// By Trace::kernels().
  [[nodiscard]] std::span<const KernelSlack> kernels() const { return kernels_; }
  [[nodiscard]] std::size_t size() const { return narrow_.empty() ? wide_.size() : narrow_.size(); }
  [[nodiscard]] std::size_t bytes() const {
    return narrow_.capacity() * sizeof(std::uint32_t) + wide_.capacity() * sizeof(std::int64_t);
  }

 private:
  template <class Word>
  static Result<bool> find(const GraphArrays& graph, const std::function<void()>& meanwhile,
                           ColumnVector<Word>& column, std::vector<KernelSlack>& kernels);

  ColumnVector<std::uint32_t> narrow_;
  ColumnVector<std::int64_t> wide_;
  std::vector<KernelSlack> kernels_;
};

}  // namespace rpl
