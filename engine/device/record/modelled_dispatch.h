// SPDX-License-Identifier: MIT
#pragma once

#include "engine/att/read/modelled_dispatch.h"
#include "engine/device/execute/launch/launch.h"

namespace rpl::calibrate {

/// What the model says of a whole launch, as thread traces carry it. Fails with usage for a launch that was not modelled.
Result<att::ModelledDispatch> modelled_dispatch(const emu::Executed& executed);

}  // namespace rpl::calibrate
