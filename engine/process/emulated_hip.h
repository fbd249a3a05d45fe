// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

namespace rpl {

/// A folder that comes with this program, absolute: what the environment variable names, else `folder` beside this program (as built), or in its
/// ../lib/rpl or ../share/rpl (as installed). Of these the first that has `file`, a path in it; none: std::nullopt.
std::optional<std::string> companion_folder(const char* variable, const std::string& folder,
                                            const std::string& file);

/// The same for a program in another folder.
std::optional<std::string> companion_folder_of(const std::string& program_folder,
                                               const char* variable, const std::string& folder,
                                               const std::string& file);

/// The command that brings a companion that is gone: it builds `target` where this program lies in a build folder, else it installs the package again.
std::string companion_command(const std::string& target);

/// The folder that has the emulated devices' libamdhip64 and the project's HIP headers (include/hip): $RPL_EMULATED_HIP or "emulated-hip".
std::optional<std::string> emulated_hip_folder(const std::string& file);

}  // namespace rpl
