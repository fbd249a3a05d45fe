// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/att/read/thread_trace.h"

namespace rpl::att {

/// What *agent_info.csv files in the folder above `folder`, or in the folders beside it, say of the GPUs; values on which GPUs differ stay unknown.
Device read_device(const std::string& folder);

}  // namespace rpl::att
