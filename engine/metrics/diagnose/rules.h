// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "engine/metrics/diagnose/inputs.h"

namespace rpl::diagnose {

/// What limits a kernel: one enumeration for every command and document.
enum class Label : std::uint8_t {
  memory_bandwidth,
  latency,
  under_occupied,
  divergence,
  compute,
  insufficient,
};
inline constexpr std::array kLabels{Label::memory_bandwidth, Label::latency, Label::under_occupied,
                                    Label::divergence, Label::compute};
/// "memory-bandwidth bound", "latency bound", …
std::string_view to_string(Label label);

/// One row of the table on which a diagnosis rests. docs/diagnosis.md shows all of them; a test holds both together.
struct Rule {
  std::string_view id;  ///< "hbm-near-roof"
  Label label;          ///< the label it speaks for (or, with negative points, against)
  /// 1, 2: a label needs a rule that holds in each of its groups, and only the best of a group counts. 0: supports, all count.
  int group;
  Input input;
  enum class Test : std::uint8_t { at_least, at_most } test;
  double threshold;  ///< inclusive
  int points;
  std::string_view says;  ///< what it means when it holds
};
std::span<const Rule> rules();

/// Whether a rule holds for a fact; one that is only a lower bound proves no "at most".
bool holds(const Rule& rule, const Known& fact);
/// Whether a fact can tell if the rule holds.
bool can_tell(const Rule& rule, const Known& fact);

/// Points that a label must have.
inline constexpr int kEnough = 4;
/// Confidence from which on it is called medium, and high.
inline constexpr double kMedium = 0.4, kHigh = 0.7;

/// The most points that a label can have: the best of each group and all supports.
int possible_points(Label label);

}  // namespace rpl::diagnose
