// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/device/execute/launch/launch.h"

namespace rpl::emu {

/// A count under the name that the hardware's counter of the same meaning has.
struct HardwareCounter {
  std::string name;  ///< "SQ_INSTS_VALU", as rocprofv3 lists it; summed over instances
  std::uint64_t value = 0;
  bool modelled = false;  ///< comes from the cycle model's caches; otherwise counted exactly
  std::string meaning;
};

/// The names of all that a launch with ExecuteOptions::count_boundary counts on an architecture, in the order of hardware_counters().
std::vector<HardwareCounter> known_hardware_counters(isa::Arch arch);

/// The counters of a run in counted mode; with the cycle model those of its caches too; none in functional mode. Which
/// instructions a counter takes was read off the recordings of a vector copy on MI200 and MI300X (docs/emulator.md,
/// "Against silicon") where the public descriptions are silent.
std::vector<HardwareCounter> hardware_counters(const Executed& executed);

/// What a launch computed on one unit in one type.
struct UnitOperations {
  std::string unit;  ///< "vector f32", "matrix f16", as in rooflines
  std::uint64_t operations = 0;
};

/// Operations of a run that was counted, exactly: of active lanes on the vector ALU, where a multiply-add is two and a packed instruction counts each
/// of its parts; of the whole product on the matrix units, of sparse ones what is multiplied. The vector ALU's integers, conversions, comparisons and
/// minima are none, as in the hardware's counters, and neither are those that an integer division borrows from the float units, which the hardware's counters take for float work. Units that did nothing are absent; the others come in the order of their names.
std::vector<UnitOperations> unit_operations(const Executed& executed);

/// What one instruction computes: for a lane, of a matrix instruction for the wave; 0 for nothing of the kind. `unit` is set with it.
std::uint64_t operations_of(const isa::Instruction& instruction, std::string& unit);

}  // namespace rpl::emu
