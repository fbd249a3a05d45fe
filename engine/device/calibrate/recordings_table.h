// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/base/result.h"

namespace rpl::calibrate {

/// The page of docs that holds the model against the recorded thread traces of gfx950 in `folder`: constants fitted to three of them, cycles by class of
/// instruction of all. Deterministic. Fails with not_found where the recordings are not there, and as reading them does.
Result<std::string> recordings_table(const std::string& folder);

}  // namespace rpl::calibrate
