// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>

#include "engine/base/monitor.h"
#include "engine/build/compiler.h"
#include "engine/optimize/application.h"

namespace rpl {

/// What running an application on the emulated devices needs to know.
struct EmulatedApplicationSetup {
  std::string gpu;            ///< "" for what suits the program's code
  std::uint32_t devices = 1;
  std::function<Result<Compiler>()> compiler;  ///< asked only when something is built
  Monitor monitor = {};
};

/// The tools of an application on the emulated devices: times are modelled, equal runs are equal. The program that is built anew is compiled for the
/// architecture that the user's program runs on.
ApplicationTools emulated_application_tools(EmulatedApplicationSetup setup);

/// What a recording says of one run; empty kernels when none ran. `databases` are of its processes. Fails as open_trace() does.
Result<ApplicationRun> read_application_run(const std::vector<std::string>& databases, const Monitor& monitor = {});

/// The file that the line table of a captured kernel names for its first instruction with a line, absolute. Fails with not_found without a table, or when
/// the file is not there.
Result<std::string> source_of_capture(const std::string& capture, const std::string& kernel);

}  // namespace rpl
