// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "engine/base/result.h"
#include "engine/metrics/counters/catalogue.h"

namespace rpl {

/// Counters that belong into one pass, because something is made of their ratio or difference.
using CounterGroup = std::vector<std::string>;

struct CounterSetInfo {
  std::string_view name;     ///< "roofline"
  std::string_view purpose;  ///< what it is for, a phrase
};

/// The named sets of engine/metrics/counters/data/sets.txt, in its order.
std::vector<CounterSetInfo> counter_sets();

/// The groups of a named set for an architecture. Fails with not_found for an unknown name, unsupported where the architecture has
/// none of it.
Result<std::vector<CounterGroup>> counter_set(std::string_view name, std::string_view arch);

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

/// The input files of rocprofv3 -i, by format.
enum class PlanFormat {
  text,  ///< one `pmc: A B` a line; rocprofv3 up to ROCm 7.2
  yaml,  ///< jobs with a list each
  json,  ///< the same
};

/// "txt", "yaml", "json", and file names that end in them. Fails with usage.
Result<PlanFormat> plan_format(std::string_view name);

/// The plan as an input file: one job for each pass.
std::string plan_text(const CounterPlan& plan, PlanFormat format);

}  // namespace rpl
