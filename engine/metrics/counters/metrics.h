// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/document/derivation.h"
#include "engine/metrics/counters/expression.h"

namespace rpl {

/// One way to compute a metric: a line of engine/metrics/counters/data/metrics.txt, or of a user's file (user_file.h).
struct MetricRule {
  std::string_view name;  ///< "hbm_read_bytes"
  std::string_view
      unit;  ///< "FLOP", "OP", "B", "share" (0 to 1), "ratio", "cycles", "instructions"
  std::vector<std::string_view> architectures;
  std::optional<Expression> when;  ///< the rule holds only if this is not 0
  Expression formula;
  std::string_view description;
  std::string_view source = {};  ///< "mine.counters:3" for a user's; "" for the program's
};

/// The program's own, in the order of the file.
const std::vector<MetricRule>& built_in_metrics();

/// Formulas refer to formulas at most so deep.
inline constexpr int kMetricLevels = 8;

/// The names of all metrics, or of those of an architecture, in the order of the file; those that only the user has come last.
std::vector<std::string_view> metric_names(std::string_view arch = {});

/// The rules of a metric on an architecture, in the order to try them, the user's first; empty where it cannot be computed.
std::vector<const MetricRule*> metric_rules(std::string_view name, std::string_view arch);

/// What formulas are evaluated with: the counters of a dispatch (or means of a kernel's dispatches) and constants of the GPU.
struct MetricInputs {
  std::string arch;  ///< "gfx942"
  std::map<std::string, double, std::less<>>
      counters;  ///< instances reduced (CounterInfo::instances)
  std::map<std::string, double, std::less<>>
      constants;  ///< CUS, XCCS, SIMDS, MAX_WAVES, XCCS_SUMMED
  std::map<std::string, std::string, std::less<>>
      sources;                                   ///< where a constant comes from, for people
  Provenance provenance = Provenance::recorded;  ///< of the counters
  std::string
      counters_source;  ///< likewise, for all counters: "mean of 3 dispatches in pmc_perf.csv"
};

/// A metric's value, or what would have to be collected for it.
struct MetricValue {
  std::optional<double> value;
  const MetricRule* rule =
      nullptr;  ///< the one used, or the first without condition that lacked something; null: unknown for the architecture
  std::vector<std::string> missing;  ///< counters and constants that were not recorded, sorted
};

/// Why a metric's value cannot be right ("above 1", "negative"); "" for a value that can be, and for an unknown one.
std::string impossible(const MetricValue& value);

/// Evaluates with the first rule that holds and is complete. A negative count is returned as it is: callers mark it.
MetricValue metric(std::string_view name, const MetricInputs& inputs);

/// Where a metric comes from: our tree, and what the older tool computes in its place with a `note` that says why that is wrong
/// (nullopt where it has nothing of the kind).
struct ExplainedMetric {
  Derivation ours;
  std::optional<Derivation> older;
};

/// The tree below a metric. A metric that cannot be computed has no value; its leaves say what was not recorded.
ExplainedMetric explain_metric(std::string_view name, const MetricInputs& inputs);

}  // namespace rpl
