// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "engine/trace/core/id_table.h"
#include "engine/trace/import/kineto/kineto_rows.h"

namespace rpl {

/// What correlation ids join: operations of the GPU, the calls that issued them, and what those calls were given. On AMD's GPUs many recordings have grid,
/// workgroup and amounts at the call alone.
class KinetoLinks {
 public:
  /// `rows` must outlive it and keep its calls.
  explicit KinetoLinks(const KinetoRows& rows);

  /// nullptr where no call has the id; 0 is no id.
  [[nodiscard]] const KinetoRows::HostShape* call(std::uint64_t correlation) const;
  [[nodiscard]] const KinetoRows::Given* given(std::uint64_t correlation) const;
  /// The stream that work was put on through the same pointer as `correlation`'s call was given; nullopt where no launch shows it.
  [[nodiscard]] std::optional<KinetoRows::Place> place_by_handle(std::uint64_t correlation) const;

 private:
  const KinetoRows& rows_;
  IdTable call_, given_;
  std::unordered_map<std::uint64_t, KinetoRows::Place> places_;  ///< by stream pointer
};

/// Orders of calls with what CUPTI's records and stream pointers say about them.
struct KinetoOrder {
  KinetoRows::Order order;
  std::optional<KinetoRows::Place> place;
  std::uint64_t event = 0;  ///< one for each record; 0 = unknown
};
std::vector<KinetoOrder> kineto_orders(const KinetoRows& rows, const KinetoLinks& links);

}  // namespace rpl
