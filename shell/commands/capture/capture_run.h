// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/capture/capture.h"
#include "engine/capture/wish.h"
#include "engine/document/document.h"
#include "engine/process/run.h"

namespace rpl {

class Context;

struct CaptureRunArgs {
  std::string kernel;
  std::vector<std::string> program;
  std::string output, target, gpu, grid, scope = "reachable";
  std::int64_t dispatch = 1, longer_us = 0, limit_mib = 0, devices = 0, timeout_s = 0, drain_s = 0,
               dispatch_s = 0;
  bool quiet = false;
};

/// What a process of the program tells of its capture, on whatever target.
struct ProcessCapture {
  std::string folder, failure;  ///< one is empty at least
  std::uint64_t matches = 0;
  std::map<std::string, std::uint64_t> dispatches;  ///< by mangled name
};

/// Checks a capture that was just made or received, keeps the result in its folder and says where it is weak.
void note_self_check(const std::string& folder, const Capture& capture, Document& out);

/// The wish with its folder chosen. Fails with usage, denied where the folder exists.
Result<CaptureWish> wish_of(Context& context, const CaptureRunArgs& args);
/// The document of a capture that was made, or why none of the processes has one. `gpu` is the device's product or name.
Result<Document> captured(Context& context, const CaptureRunArgs& args, const CaptureWish& wish,
                          const Exit& exit, const std::vector<ProcessCapture>& processes,
                          const std::string& gpu);
/// On this machine's GPU.
Result<Document> capture_locally(Context& context, const CaptureRunArgs& args);

}  // namespace rpl
