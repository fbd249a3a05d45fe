// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace rpl::cycle {

/// What is made ideal. ideals() has a sentence for each.
enum class Ideal : std::uint8_t {
  coalesced_loads,
  coalesced_stores,
  wide_loads,
  wide_stores,
  reused_loads,
  reused_stores,
  aligned_accesses,
  no_bank_conflicts,
  no_spills,
  no_scratch_lines,
  all_lanes,
  fewer_scalars,
  balanced_workgroups,
  whole_device,
  unlimited_registers,
  unlimited_lds,
  large_workgroups,
  free_barriers,
  own_lines_for_atomics,
  even_channels,
  one_die,
  exact_waits,
  no_latency,
  no_lds_latency,
  matrix_units,
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
  std::string_view
      sentence;  ///< what is assumed: "every load touches as few lines as its bytes fill"
};
std::span<const IdealInfo> ideals();
inline const IdealInfo& info(Ideal one) { return ideals()[static_cast<std::size_t>(one)]; }

}  // namespace rpl::cycle
