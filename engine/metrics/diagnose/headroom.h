// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "engine/document/derivation.h"
#include "engine/metrics/diagnose/diagnose.h"

namespace rpl::diagnose {

/// What part of a roof a benchmark reaches: the least of the recorded ones, 4886 of 8192 GB/s on an MI350X. Better kernels exist.
inline constexpr double kReachable = 0.6;
/// Dispatches shorter than this have no steady state that could reach a roof.
inline constexpr double kSteadyNs = 10000;

/// How much of a kernel's time could be saved, as an interval of its share, 0 to 1.
struct Headroom {
  /// What the changes at hand should give: the larger of the next occupancy step and of reaching kReachable of the nearest roof. 0
  /// where neither applies. An estimate, not a promise. Null while `high` is.
  std::optional<double> low;
  /// What no change of this kernel can exceed while it does the same work: 1 - roof_share. Null while no roof is known: waits alone
  /// bound nothing, because other waves may hide them.
  std::optional<double> high;
  /// 1 - roof_share: what is left to the physical floor of this work, whoever does it. Null while no roof is known.
  std::optional<double> physical;
  std::optional<double>
      waits;  ///< what would be gained if no wait stalled; an upper bound of that cause
  std::optional<double> step;  ///< what the next occupancy step should give
  std::string
      cause;  ///< what makes `low`: "next occupancy step", "reachable part of the roof", "" for nothing
  std::string why_unknown;  ///< "" when `high` is known

  /// Upper end of what the whole trace gains: criticality x high. Null while either is unknown.
  std::optional<double> priority;
};

Headroom headroom(const Facts& facts);

/// The trees behind `low` and `high`, with the older tool's formula as a note.
Derivation explain_headroom_high(const Facts& facts);
Derivation explain_headroom_low(const Facts& facts);
/// What the older tool computes in its place: 0.8 x stall_fraction, where stall_fraction counts stall twice. Without a thread trace it has no value.
Derivation older_headroom(const Facts& facts);

/// An input as the leaf of a tree.
Derivation derivation_of(Input input, const Facts& facts);

/// One row of the table of advice: for a label (nullopt: for any), if the condition holds.
struct Advice {
  std::optional<Label> label;
  std::optional<Input> input;  ///< nullopt: always
  Rule::Test test;
  double threshold;
  std::string_view action;   ///< what to try, in a sentence without an end
  std::string_view command;  ///< what to type to look closer; KERNEL stands for the kernel's id
};
std::span<const Advice> advice_table();

/// The rows that apply to a diagnosis, in the order of the table.
std::vector<const Advice*> advise(const Diagnosis& diagnosis, const Facts& facts);

}  // namespace rpl::diagnose
