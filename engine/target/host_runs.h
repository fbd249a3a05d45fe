// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/process/run.h"

namespace rpl::profile {

/// A program of any kind, to be timed from outside.
struct HostRequest {
  std::vector<std::string> argv;
  std::string cwd = {};  ///< where it starts, from which a relative path to it counts; "": here
  std::size_t runs = 1;
  std::chrono::milliseconds timeout{0};  ///< of one run
  /// HIP programs get the emulated devices when they can run on them: `gpu` as in EmulatedRequest. Nothing is recorded.
  bool emulated_device = true;
  std::string gpu = {};
  std::uint32_t devices = 1;
  std::function<void(OutputStream, std::string_view)> on_line = {};
};

struct HostRuns {
  std::vector<double> wall_ms;      ///< from the start of the process to its end, by run
  Exit last;                        ///< of the last run
  bool on_emulated_device = false;  ///< the time is then mostly that of the emulator
};

/// Runs the program and measures the host's time of the whole process, start and loading included. Runs after one that failed are left
/// out. Fails as run() does.
Result<HostRuns> time_program(const HostRequest& request);

}  // namespace rpl::profile
