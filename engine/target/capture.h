// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "engine/capture/wish.h"
#include "engine/process/run.h"

namespace rpl {

/// A program to run while one of its dispatches is frozen.
struct CaptureRequest {
  std::vector<std::string> argv;
  CaptureWish wish;
  std::chrono::milliseconds drain{0},
      dispatch{
          0};  ///< on a GPU: how long earlier work and the dispatch may take; 0: as long as usual
  std::chrono::milliseconds timeout{0};  ///< for the program; 0: none
  std::function<void(OutputStream, std::string_view)> on_line = {};
};

/// What a process of the program tells of its capture.
struct ProcessCapture {
  std::string folder, failure;  ///< one is empty at least
  std::uint64_t matches = 0;
  std::map<std::string, std::uint64_t> dispatches;  ///< by mangled name
  bool watched = true;  ///< false: its runtime could not be looked into, `failure` says why
};

struct CaptureRun {
  Exit exit = {};
  std::string gpu;                        ///< product or name of the device; "" for unknown
  std::vector<ProcessCapture> processes;  ///< those that used the GPU
};

}  // namespace rpl
