// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/optimize/store/application.h"
#include "shell/core/inputs/open_loop.h"

namespace rpl {

/// The tools of whole applications on the target that the loop measures on: the emulated devices, or with `target local` this machine's GPU under rocprofv3.
/// `gpu`: of `--gpu`, for the emulated ones alone. Fails with usage, and with missing_capability without recorder or capture tool.
Result<ApplicationTools> application_tools(Context& context, const OpenLoop& open,
                                           const std::string& gpu);

}  // namespace rpl
