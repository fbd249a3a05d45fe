// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/base/result.h"
#include "engine/target/capture.h"

namespace rpl::profile {

/// The capture tool's file: in the folder RPL_CAPTURE_TOOL, or beside this program. Fails with missing_capability.
Result<std::string> capture_tool();

/// Runs the program on this machine's GPU with the tool in its HSA runtime; processes are those that started the runtime and left in good order, by pid.
/// What the program does to itself is its exit; fails as run() does.
Result<CaptureRun> run_with_capture_tool(const CaptureRequest& request);

}  // namespace rpl::profile
