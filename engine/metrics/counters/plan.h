// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/metrics/counters/catalogue.h"
#include "engine/metrics/counters/counter_sets.h"

namespace rpl {

/// The counters of one run of the application.
struct CounterPass {
  std::vector<std::string> counters;                  ///< in the order to ask for them
  std::map<std::string, unsigned, std::less<>> used;  ///< slots taken of each block
};

struct CounterPlan {
  std::string arch;
  std::vector<CounterPass> passes;
  std::size_t least =
      0;  ///< no plan can have fewer: slots of the fullest block / its limit, rounded up
  bool groups_kept = true;  ///< every group is within one pass
  std::vector<std::string>
      unlimited;  ///< counters of blocks whose limit is not known; they stand in the first pass
};

/// Distributes counters over passes: first fit, the groups with the greatest need first. Groups are broken up only when keeping them
/// costs a pass. A counter that several groups name is counted once. Fails with usage for no counters or more than
/// kMaxPlannedCounters, not_found for a counter that the architecture does not have (the hint names near ones), limit for a counter
/// that fits no pass, unsupported for an architecture whose counters are not known.
Result<CounterPlan> plan_passes(const arch::Gpu& gpu, std::span<const CounterGroup> groups);

inline constexpr std::size_t kMaxPlannedCounters = 4096;

}  // namespace rpl
