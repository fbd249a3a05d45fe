// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace rpl {

/// "0.1.0", from the build.
std::string_view version();

}  // namespace rpl
