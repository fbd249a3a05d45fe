// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace rpl {

/// "0.1.0", from the build.
std::string_view version();

/// The day of this version, "2026-11-23".
std::string_view version_date();

}  // namespace rpl
