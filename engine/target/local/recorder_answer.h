// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/base/result.h"

namespace rpl::profile {

/// What a rocprofv3 says of itself.
struct RecorderAnswer {
  std::vector<std::string> features;  ///< of those that rpl asks for: "rocpd databases", "counters"
  std::vector<std::string> lacks;     ///< the others
};

/// Runs `program --help`, for at most 30 seconds. Fails with missing_capability when that fails: with what it printed last, such as that its Python is gone.
Result<RecorderAnswer> ask_recorder(const std::string& program);

}  // namespace rpl::profile
