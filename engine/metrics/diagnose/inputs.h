// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/document/document.h"

/// What is known of a kernel, before anything is concluded from it.
namespace rpl::diagnose {

/// One thing that may be known. inputs() describes each; rules name them.
enum class Input : std::uint8_t {
  hbm_share,
  l2_share,
  vl1d_share,
  lds_share,
  compute_share,
  roof_share,
  all_roofs_share,
  intensity_ratio,
  valu_utilization,
  mfma_utilization,
  active_lanes,
  measured_occupancy,
  counter_wait_share,
  lds_conflict_rate,
  wait_share,
  barrier_share,
  stall_share,
  issue_share,
  branch_share,
  sampled_wait_share,
  sampled_lanes,
  occupancy_limit,
  next_occupancy,
  grid_fill,
  workgroup_lanes,
  duration_ns,
  gap_share,
  critical_share,
};
inline constexpr std::size_t kInputs = static_cast<std::size_t>(Input::critical_share) + 1;

/// What has to be recorded for an input.
enum class Collect : std::uint8_t { trace, counters, thread_trace, samples, plain_times };
std::string_view to_string(Collect what);
/// The command that records it; KERNEL and APP stand for names.
std::string_view command_for(Collect what);

struct InputInfo {
  Input input;
  std::string_view name;  ///< "hbm_share"
  double largest;         ///< values above are impossible, as are negative ones; infinity: no bound
  Collect collect;
  std::string_view description;
};
const InputInfo& info(Input input);
inline std::string_view to_string(Input input) { return info(input).name; }
std::optional<Input> input_named(std::string_view name);

/// A value and where it comes from.
struct Known {
  double value = 0;
  std::string source;  ///< "roofline: 3 dispatches of pmc_perf.csv"
  Provenance provenance = Provenance::recorded;
  /// The true value may be larger, as that of a rate whose time includes the counting: no rule that asks for at most something may use it.
  bool lower_bound = false;
};

/// The facts of one kernel. What several sources say, the most trustworthy one says: measured over recorded over modelled over estimated,
/// then what is no mere bound, then the first source by name, then the smaller value. So the order in which facts are added does not matter.
class Facts {
 public:
  /// An impossible value (negative, not finite, above what the input can be) is not taken; rejected() tells.
  void add(Input input, double value, std::string source,
           Provenance provenance = Provenance::recorded, bool lower_bound = false);

  /// The amounts behind a rate are counted, but the recording has no time to divide them by.
  void add_untimed(Input input) { untimed_[static_cast<std::size_t>(input)] = true; }
  /// Whether nothing but a time lacks for an input.
  [[nodiscard]] bool untimed(Input input) const {
    return untimed_[static_cast<std::size_t>(input)] && find(input) == nullptr;
  }
  [[nodiscard]] bool any_untimed() const;

  [[nodiscard]] const Known* find(Input input) const;
  [[nodiscard]] std::optional<double> value(Input input) const;
  /// "hbm_share is 1.37, above its largest possible value 1 (roofline)", in the order of Input.
  [[nodiscard]] std::vector<std::string> rejected() const;
  void forget(Input input) { known_[static_cast<std::size_t>(input)].reset(); }

 private:
  std::array<std::optional<Known>, kInputs> known_{};
  std::array<std::vector<std::string>, kInputs> rejected_{};
  std::array<bool, kInputs> untimed_{};
};

/// Adds roof_share and all_roofs_share. The vector L1 has no part in them: its counter counts look-ups.
Facts with_derived(Facts facts);

}  // namespace rpl::diagnose
