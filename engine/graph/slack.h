// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "engine/graph/graph.h"

namespace rpl {

/// By how much each operation could end later without the trace ending later, all recorded waits kept
/// (docs/graph-model.md, "Slack"). Four bytes an operation, eight when a value exceeds 4.29 s.
class Slack {
 public:
  /// Linear in edges. Fails with `interrupted` only.
  static Result<Slack> compute(const Graph& graph, const Monitor& monitor = {});

  [[nodiscard]] std::int64_t at(NodeId operation) const {
    return narrow_.empty() ? wide_[operation] : std::int64_t{narrow_[operation]};
  }
  [[nodiscard]] std::size_t size() const { return narrow_.empty() ? wide_.size() : narrow_.size(); }
  [[nodiscard]] std::size_t bytes() const {
    return narrow_.capacity() * sizeof(std::uint32_t) + wide_.capacity() * sizeof(std::int64_t);
  }

 private:
  ColumnVector<std::uint32_t> narrow_;
  ColumnVector<std::int64_t> wide_;
};

}  // namespace rpl
