// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "engine/base/monitor.h"
#include "engine/optimize/store/application.h"
#include "engine/source/build/compiler.h"
#include "engine/target/local/recorder.h"

namespace rpl {

/// What running an application on the GPU of this machine needs to know.
struct LocalApplicationSetup {
  profile::Recorder recorder;
  std::function<Result<Compiler>()> compiler;  ///< asked only when something is built
  Monitor monitor = {};
};

/// The tools of an application on this machine's GPU: every run is one under rocprofv3, captures are made by the capture tool in the program's HSA runtime.
/// `run` records API calls as well, for the critical path; `time` kernels and copies alone. The program that is rebuilt is compiled for the architecture
/// that the unchanged one ran on. Fails with missing_capability without the capture tool, before anything has run.
Result<ApplicationTools> local_application_tools(LocalApplicationSetup setup);

}  // namespace rpl
