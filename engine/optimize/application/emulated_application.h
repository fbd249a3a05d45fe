// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>

#include "engine/base/monitor.h"
#include "engine/optimize/store/application.h"
#include "engine/source/build/compiler.h"

namespace rpl {

/// What running an application on the emulated devices needs to know.
struct EmulatedApplicationSetup {
  std::string gpu;  ///< "" for what suits the program's code
  std::uint32_t devices = 1;
  std::function<Result<Compiler>()> compiler;  ///< asked only when something is built
  Monitor monitor = {};
};

/// The tools of an application on the emulated devices: times are modelled, equal runs are equal. The program that is rebuilt is compiled for the
/// architecture that the user's program runs on.
ApplicationTools emulated_application_tools(EmulatedApplicationSetup setup);

}  // namespace rpl
