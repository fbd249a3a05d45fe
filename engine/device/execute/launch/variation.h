// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/device/execute/state/float_mode.h"

namespace rpl::emu {

/// What hardware leaves open: in which order workgroups begin and waves go on, and what lies in storage that nobody wrote. Defaults: the plain
/// launch, zeros everywhere, one workgroup after the other.
struct Variation {
  enum class Order : std::uint8_t { ascending, descending, shuffled };
  std::uint64_t fill =
      0;  ///< seed of what LDS, registers and scratch hold when a workgroup begins; 0: zeros
  Order order = Order::ascending;  ///< in which workgroups begin
  std::uint32_t side_by_side =
      0;  ///< workgroups in flight whose waves go on in drawn order, changing after memory operations too; 0: waves run as far as they get
  std::uint64_t seed = 1;  ///< of what is drawn
  /// How floats of all sizes are rounded when a wave begins; to the nearest: as the kernel asks.
  Rounding rounding = Rounding::nearest_even;
  /// Not 0: the seed by which each float operation of a wave rounds up or down at random.
  std::uint64_t random_rounding = 0;
  /// With random_rounding: each result of float arithmetic moves by one unit in the last place up, down or not at all besides, exact ones and approximations too. (Monte
  /// Carlo arithmetic: D. Stott Parker, UCLA CSD-970002, 1997.)
  bool moved_results = false;

  [[nodiscard]] bool any_mode() const {
    return rounding != Rounding::nearest_even || random_rounding != 0;
  }
  [[nodiscard]] bool one_thread() const {
    return order != Order::ascending || side_by_side != 0 || fill != 0;
  }
};

/// A permutation of 0 to count - 1; empty for the ascending one.
std::vector<std::uint32_t> begin_order(const Variation& variation, std::uint32_t count);

/// Writes what unwritten storage holds: bytes that look random, among them small and usual numbers. Equal seeds and places give equal bytes.
void fill_storage(std::uint64_t seed, std::uint64_t place, std::span<std::byte> storage);

}  // namespace rpl::emu
