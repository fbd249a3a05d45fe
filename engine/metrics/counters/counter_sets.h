// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

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

}  // namespace rpl
