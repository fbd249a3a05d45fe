// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

#include "engine/emu/grid.h"

namespace rpl::emu {

/// Runs a launch in the order that the cycle model gives: compute units one after another, their resident waves
/// interleaved by the cycle at which each can issue. What is not modelled: instruction fetch, TLBs, the order of
/// requests between compute units (they share the L2 in the order they are run), and clocks other than the nominal one.
Result<std::pair<Counts, Modelled>> execute_modelled(Memory& memory, const Prepared& prepared,
                                                     const ExecuteOptions& options);

/// Workgroups that the device of the cycle model holds at once.
std::uint32_t resident_workgroups_of_device(const Prepared& prepared);

}  // namespace rpl::emu
