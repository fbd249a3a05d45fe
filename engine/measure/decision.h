// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace rpl {

/// Device times of one block: the baseline (a) and the candidate (b), each dispatched k times.
struct MeasuredBlock {
  bool a_first = true;
  std::vector<double> a_ns, b_ns;
};

/// The raw samples of one A/B design: processes, each with blocks of alternating order.
struct Samples {
  std::vector<std::vector<MeasuredBlock>> processes;
  /// Modelled time: equal runs are equal, one process and one block say everything.
  bool deterministic = false;
};

enum class Verdict { improved, regression, equivalent, undecided };
std::string_view to_string(Verdict verdict);

struct DecisionRule {
  double min_improvement = 0.01;  ///< a fraction
  double noise_floor = 0;         ///< 95th percentile of A/A log ratios, as a fraction; 0 for modelled time
  double confidence = 0.95;
  std::uint32_t resamples = 2000;
  std::uint64_t seed = 1;
};

struct Decision {
  Verdict verdict = Verdict::undecided;
  double ratio = 1;  ///< baseline time / candidate time: above 1 is faster
  double ci_low = 1, ci_high = 1;
  double floor = 0;            ///< what the gain must exceed, a fraction
  std::uint64_t samples = 0;   ///< dispatches that counted, of both sides
  std::string design;          ///< "5 processes × 6 blocks × 8 dispatches"
};

/// The decision rule. The first block of each process is dropped unless it is the only one; each block gives the log ratio of its medians;
/// processes, and blocks within them, are drawn with replacement (hierarchical bootstrap, percentile interval). `improved` only when the whole
/// interval is above 1 + floor, `regression` when it is below 1 / (1 + floor), `equivalent` when it lies between the two, else `undecided`.
/// The floor is the largest of noise floor, 1 % and min_improvement. The seed makes it repeatable. Fails with corrupt for a design without
/// samples and for times that are not positive and finite.
Result<Decision> decide(const Samples& samples, const DecisionRule& rule = {});

}  // namespace rpl
