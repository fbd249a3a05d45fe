// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>

#include "engine/document/bound.h"
#include "engine/optimize/measure/samples.h"

namespace rpl {

enum class Verdict { improved, regression, equivalent, undecided };
std::string_view to_string(Verdict verdict);

struct DecisionRule {
  double min_improvement = 0.01;  ///< a fraction
  double noise_floor = 0;         ///< of an A/A calibration, see noise_floor(); 0 for modelled time
  double confidence = 0.95;  ///< of the interval; over all looks together where there are several
};

/// When an undecided measurement is looked at: after `first` processes, then after each `step` more, until `last`. With last ≤ first it is
/// looked at once. Odd numbers give the narrowest intervals.
struct Looks {
  std::uint32_t first = 5, step = 4, last = 13;

  [[nodiscard]] std::uint32_t count() const;
  /// Processes at look `index`, from 0.
  [[nodiscard]] std::uint32_t processes(std::uint32_t index) const;
};

/// Fewer processes of measured time decide nothing: with n of them chance puts all on one side of the truth in 2 of 2^n cases.
inline constexpr std::size_t kFewestProcesses = 5;

struct Decision {
  Verdict verdict = Verdict::undecided;
  double ratio = 1;  ///< baseline time / candidate time: above 1 is faster
  double ci_low = 1, ci_high = 1;
  double confidence = 0.95;   ///< of the interval: more than the rule's where looks share its error
  double floor = 0;           ///< what the gain must exceed, a fraction
  std::uint64_t samples = 0;  ///< dispatches that counted, of both sides
  std::uint32_t looks = 1;    ///< at which look it was decided
  std::string design;         ///< "5 processes × 6 blocks × 8 dispatches"
};

/// The decision rule. The first block of each process is dropped unless it is the only one; each block gives the log ratio of its medians;
/// processes, and blocks within them, are drawn with replacement (hierarchical bootstrap, percentile interval; computed exactly, see Spread).
/// Of modelled times the interval is the band of the model's error. `improved` only when the whole interval is above 1 + floor, `regression` when it is below 1 / (1 + floor), `equivalent` when it lies between
/// the two, else `undecided`. The floor is the largest of noise floor, 1 % and min_improvement; where the model's band is known, min_improvement where
/// it is above 1 %, else 0: then the interval must exclude 1. Fewer than kFewestProcesses processes of measured
/// time have the interval 0 to infinity. Fails with corrupt for a design without samples and for times that are not positive and finite.
Result<Decision> decide(const Samples& samples, const DecisionRule& rule = {});

/// The part of the error 1 − confidence that look `index` may spend. Cumulative spending α(t) = α ln(1 + (e − 1) t) at the share t of the
/// processes of the last look (the Pocock-type function of K. K. G. Lan and D. L. DeMets, Discrete sequential boundaries for clinical
/// trials, Biometrika 70, 1983); each look gets what is new since the one before, so that by the union bound all looks together err no more
/// often than one that spends everything.
double spent_at(const Looks& looks, std::uint32_t index, double confidence);

/// Looks at the samples in order, each look with what it may spend, until one decides. Processes behind that look do not count.
Result<Decision> decide_in_looks(const Samples& samples, const DecisionRule& rule,
                                 const Looks& looks);

/// The median over all dispatches of one side that count: those of warm-up blocks do not. 0 without any.
double median_ns(const Samples& samples, std::vector<double> MeasuredBlock::* side);

/// A measurement and what it said.
struct Measurement {
  Samples samples;
  Decision decision;
  std::string time_source;
};

/// Measures until a look decides or the last one is done.
Result<Measurement> measure(Sampler& sampler, const DecisionRule& rule = {},
                            const Looks& looks = {});

/// The 95th percentile of |ratio − 1| in sessions of `processes` processes of an A/A measurement, by the same bootstrap: what this target shows
/// between a kernel and itself. Fails as decide() does, and with usage for fewer than kFewestProcesses processes of measured time.
Result<double> noise_floor(const Samples& a_a, std::uint32_t processes);

/// Several candidates for one place.
struct Tournament {
  std::vector<Measurement> measured;  ///< by candidate
  std::optional<std::size_t> best;    ///< improved with the highest ratio; none: none is
  std::optional<Measurement>
      again;  ///< of the best one: fresh processes, nothing of the first measurement
  /// The best one, when the second measurement says improved, too. What was lucky the first time is seldom lucky twice.
  [[nodiscard]] std::optional<std::size_t> winner() const;
};
Result<Tournament> measure_several(std::span<Sampler* const> candidates,
                                   const DecisionRule& rule = {}, const Looks& looks = {});

/// The rule of rocm-perf-lab's first version, for comparison: one run against one run, accepted when it saves 2 %. The baseline's run is the
/// first dispatch that counts of the first process, the candidate's that of the second process, or of the same where there is one.
struct OlderDecision {
  bool accepted = false;
  double saved = 0;  ///< (baseline − candidate) / baseline
};
OlderDecision older_decision(const Samples& samples, double threshold = 0.02);

/// Decisions and what they were made from, as records: kept in sessions, read back by those who recompute them.
/// verdict, ratio, ci_low, ci_high, confidence, floor, samples, looks, design. An infinite limit is null.
Record to_record(const Decision& decision);

/// What a decision follows from alone: rule, looks and samples.
struct DecisionInput {
  DecisionRule rule;
  Looks looks;
  Samples samples;
};
Columns<DecisionInput> bound(const DecisionInput*);
/// Fails with corrupt or limit, naming the field.
Result<DecisionInput> decision_input_from(const Value& value);
/// What of it the list beside it does not say: how many blocks and times there may be.
Status check_input(const DecisionInput& input);
inline Result<Decision> decide(const DecisionInput& input) {
  return decide_in_looks(input.samples, input.rule, input.looks);
}

}  // namespace rpl
