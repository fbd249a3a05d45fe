// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/device/execute/launch/kernel_run.h"
#include "shell/commands/kernel/triton_launch.h"

namespace rpl {

/// How a kernel of a source is launched, in the words of `kernel run`. A line of the source says it:
///
///     // launch: --grid 1024 --workgroup 64 --arg f32:random(1):1024 --arg i32:1024
///
/// for all its kernels, or `// launch NAME: …` for one. In LLVM IR the line begins with a semicolon.
struct LaunchComment {
  std::string kernel;  ///< empty: for every kernel without one of its own
  std::string grid, programs, workgroup;
  std::vector<std::string> arguments;
  std::optional<std::int64_t> dynamic_lds = {};  ///< bytes
};

/// The words behind "launch:". Fails with usage, naming the word that `kernel run` would not take.
Result<LaunchComment> parse_launch(std::string_view words);
/// All of a source, in its order. Fails as parse_launch() does, with the line.
Result<std::vector<LaunchComment>> launch_comments(std::string_view source);
/// The one for a kernel; null when there is none.
const LaunchComment* launch_for(const std::vector<LaunchComment>& all, std::string_view kernel);

/// The launch on `object`; what it leaves out is what `triton` says. Fails with usage where the arguments do not fit the kernel, not_found for the kernel, limit for buffers that this machine has no room for.
Result<emu::KernelRun> run_of_launch(const LaunchComment& launch,
                                     std::shared_ptr<const isa::CodeObject> object,
                                     const std::string& kernel, const TritonLaunch& triton = {});

}  // namespace rpl
