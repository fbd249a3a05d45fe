// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/device/cycle/launch_time.h"

/// The same launch again, by the model, with one mechanism made ideal: what a mechanism costs is the difference.
namespace rpl::cycle {

/// What is made ideal. ideals() has a sentence for each.
enum class Ideal : std::uint8_t {
  coalesced_loads,
  coalesced_stores,
  wide_loads,
  reused_loads,
  no_bank_conflicts,
  no_spills,
  all_lanes,
  balanced_workgroups,
  whole_device,
  unlimited_registers,
  unlimited_lds,
  large_workgroups,
  free_barriers,
  own_lines_for_atomics,
  even_channels,
  no_latency,
  no_division,
  no_transcendentals,
  no_conversions,
  no_double_precision,
  no_addressing,
  no_accumulator_moves,
  no_launch,
  no_end,  ///< how many there are
};
inline constexpr std::size_t kIdeals = static_cast<std::size_t>(Ideal::no_end);

struct IdealInfo {
  Ideal ideal;
  std::string_view name;  ///< "coalesced-loads"
  std::string_view
      sentence;  ///< what is assumed: "every load touches as few lines as its bytes fill"
};
std::span<const IdealInfo> ideals();
inline const IdealInfo& info(Ideal one) { return ideals()[static_cast<std::size_t>(one)]; }

/// What a diagnosis must know of an operation beyond its unit: how its text reads.
struct OperationKind {
  bool load = false, store = false, atomic = false;  ///< of vector memory, scratch not among it
  bool scratch = false, lds = false, barrier = false, flat = false;
  bool division = false;  ///< part of the sequence that an integer division or modulo becomes
  bool transcendental = false, conversion = false, accumulator_move = false;
  bool addressing = false;  ///< integer arithmetic, vector or scalar, and no division
  bool double_precision = false;
  std::uint32_t bytes = 0;  ///< of memory: for a lane
};
/// By operation, of a launch.
std::vector<OperationKind> kinds_of(const LaunchRecord& record,
                                    std::span<const Operation> operations);

/// Whether an instruction of this text can be part of an integer division.
bool may_divide(std::string_view text);

/// What an operation did over the whole launch, exactly.
struct OperationCounts {
  double lanes = 1;  ///< share of its lanes that were active; 1 of what has no lanes
  double bytes = 0;  ///< that its lanes asked memory for
};

struct Counterfactual {
  Ideal ideal = Ideal::no_launch;
  std::uint64_t cycles = 0;  ///< of the launch, were it so
};

/// What a launch is asked about: what it kept, and what is known of its operations.
struct Question {
  const LaunchRecord& record;
  const Parameters& parameters;
  std::span<const OperationKind> kinds;
  std::span<const OperationCounts> counts;
};

/// Every ideal that could matter by what was kept of the launch; those that could not are left out. Fails with interrupted.
Result<std::vector<Counterfactual>> counterfactuals(const Question& question);

/// Several at once: cycles of the launch.
Result<std::uint64_t> cycles_with(const Question& question, std::span<const Ideal> ideal);

}  // namespace rpl::cycle
