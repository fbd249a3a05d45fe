// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "engine/device/cycle/counterfactual.h"

namespace rpl::findings {

/// Why a kernel is slow: one closed list for every command, document and gate. docs/diagnosis.md shows it; a test holds both together.
enum class Cause : std::uint8_t {
  uncoalesced_load,
  uncoalesced_store,
  misaligned_access,
  channel_camping,
  xcd_placement,
  bank_conflicts,
  spills,
  contended_atomics,
  load_imbalance,
  small_grid,
  small_workgroups,
  unused_lanes,
  divergence,
  barriers,
  register_limited,
  lds_limited,
  invariant_loads,
  redundant_loads,
  redundant_stores,
  narrow_loads,
  dependency_chain,
  strict_waits,
  matrix_units_idle,
  integer_division,
  transcendentals,
  double_precision,
  conversions,
  accumulator_moves,
  host_memory,
  page_migration,
  flat_access,
  instruction_cache,
  address_translation,
  dependent_loads,
  address_arithmetic,
  short_dispatch,
  bandwidth_used_up,
  compute_used_up,
  // Of whole applications, by their timeline (engine/graph/application).
  launch_bound,
  host_sync_bound,
  pageable_copies,
  repeated_copies,
  exposed_copies,
  copy_bound,
  stream_serialization,
  idle_device,
  allocation_in_loop,
  module_loading_in_loop,
  collective_wait,
  straggler_rank,
  nothing_of_note,
};
inline constexpr std::size_t kCauses = static_cast<std::size_t>(Cause::nothing_of_note) + 1;

struct CauseInfo {
  Cause cause;
  std::string_view name;  ///< "uncoalesced-load"
  std::optional<cycle::Ideal>
      ideal;  ///< what it is worth is the difference to this; none: it is worth nothing by itself
  /// What stands behind others, worth as much or not: a symptom (waits, address arithmetic) that a cause with a place explains better.
  bool symptom;
  /// Instructions that are the cause where they stand, as often as they run; null: what is counted is more than that.
  bool cycle::OperationKind::* instructions;
  std::string_view
      counted;  ///< the evidence: of `instructions` their share, "of the instructions divide"; else how much of the cause there is; "": other numbers say more
  std::string_view says;  ///< what is so, in a sentence without an end
  std::string_view
      remedy;  ///< what to do, in the imperative; PLACE stands for the line or the instruction
};
std::span<const CauseInfo> causes();
inline const CauseInfo& info(Cause one) { return causes()[static_cast<std::size_t>(one)]; }
/// The remedy for a cause at a place: a line, an instruction, a call, or all of something ("the kernel"), within which it is then.
std::string remedy_at(Cause cause, std::string_view place);
std::optional<Cause> cause_named(std::string_view name);
bool from_text(std::string_view name, Cause& out);
inline std::string_view to_string(Cause one) { return info(one).name; }

}  // namespace rpl::findings
