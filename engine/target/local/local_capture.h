// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/capture/wish.h"
#include "engine/intercept/report.h"
#include "engine/process/run.h"

namespace rpl::profile {

/// A program to run on this machine's GPU with the capture tool in its HSA runtime.
struct LocalCaptureRequest {
  std::vector<std::string> argv;
  CaptureWish wish;
  std::chrono::milliseconds drain{0},
      dispatch{
          0};  ///< how long the tool waits at most for earlier work, and for the dispatch; 0: as it likes
  std::chrono::milliseconds timeout{0};  ///< for the program; 0: none
  std::function<void(OutputStream, std::string_view)> on_line = {};
};

struct LocalCaptureOutcome {
  Exit exit;
  std::vector<intercept::Report>
      reports;  ///< one of each process that started the HSA runtime and left in good order, by pid
};

/// The capture tool's file: in the folder RPL_CAPTURE_TOOL, or beside this program. Fails with missing_capability.
Result<std::string> capture_tool();

/// Runs the program with the tool in front. What the program does to itself is its exit; fails as run() does.
Result<LocalCaptureOutcome> run_with_capture_tool(const LocalCaptureRequest& request);

}  // namespace rpl::profile
