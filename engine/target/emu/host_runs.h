// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "engine/base/result.h"
#include "engine/target/profile.h"

namespace rpl::profile {

struct EmulatedDevices {
  std::string gpu = {};  ///< "MI300X", "gfx90a"; "" for what suits the program's code
  std::uint32_t count = 1;
};

/// Runs the program and measures the host's time of the whole process, start and loading included. Runs after one that failed are left out; `exit` is of the
/// last. HIP programs get these devices when they can run on them: most of the time is then the emulator's. Fails as run() does.
Result<ProfileRun> profile_from_outside(const ProfileRequest& request,
                                        const std::optional<EmulatedDevices>& devices);

}  // namespace rpl::profile
