// SPDX-License-Identifier: MIT
#pragma once

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

}  // namespace rpl::emu
