// SPDX-License-Identifier: MIT
#pragma once

#include "engine/device/cycle/parameters.h"
#include "engine/device/execute/launch/launch.h"
#include "engine/device/record/write_trace.h"

namespace rpl::calibrate {

/// The simulated compute unit of a modelled launch as a thread trace; source lines where the code object has a line table. Fails with usage for a launch that
/// was not modelled with ExecuteOptions::keep_trace.
Result<att::WrittenTrace> modelled_trace(const emu::Executed& executed);

}  // namespace rpl::calibrate
