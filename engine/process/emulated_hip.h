// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

namespace rpl {

/// A folder that comes with this program, absolute: what the environment variable names, else `folder` beside this program or in its
/// ../lib/rpl, else where it was built. Of these the first that has `file`, a path in it; none: std::nullopt.
std::optional<std::string> companion_folder(const char* variable, const std::string& folder, const std::string& file);

/// The folder that has the emulated devices' libamdhip64 and the project's HIP headers (include/hip): $RPL_EMULATED_HIP or "emulated-hip".
std::optional<std::string> emulated_hip_folder(const std::string& file);

}  // namespace rpl
