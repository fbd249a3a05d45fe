// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>
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

/// A rule that holds, with the number that made it hold.
struct Evidence {
  const Rule* rule = nullptr;
  Known fact;
  bool counts = true;  ///< false for the lesser rules of a group
};

/// What one label has for and against it.
struct Score {
  Label label = Label::insufficient;
  int points = 0;
  bool complete = false;           ///< a rule holds in each of its groups
  std::vector<Evidence> evidence;  ///< rules that hold, in the order of the table
};

/// Inputs that are not known and would decide something.
struct Need {
  Collect collect = Collect::trace;
  std::vector<Input> inputs;
  std::string_view command;
};

struct Diagnosis {
  Label label = Label::insufficient;
  double confidence = 0;      ///< 0 to 1; 0 for insufficient data
  std::vector<Score> scores;  ///< of all labels, in their order
  std::vector<Need>
      needs;  ///< for insufficient data: what would decide; otherwise what would make it surer
  std::vector<std::string> notes;  ///< facts that are impossible and were left out

  /// The evidence of the label; empty for insufficient data.
  [[nodiscard]] const std::vector<Evidence>& evidence() const;
  /// "high", "medium", "low"; "none" for insufficient data.
  [[nodiscard]] std::string_view confidence_word() const;
};

/// Applies the table: each label's points are the best held rule of each group, all held supports and all held rules against it. The label
/// with most points wins (the first in the order of Label among equals) if each of its groups holds and it has kEnough points. Confidence is
/// its share of the points it could have (and of those that unknown inputs might speak against it), less half the share that the runner-up has of its points. Depends on nothing but the values.
Diagnosis diagnose(const Facts& facts);

/// "device memory is near its peak: hbm_share 0.81 >= 0.6"
std::string evidence_text(const Evidence& evidence);

}  // namespace rpl::diagnose
