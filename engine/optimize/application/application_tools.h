// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "engine/base/monitor.h"
#include "engine/optimize/store/application.h"
#include "engine/source/build/compiler.h"
#include "engine/target/target.h"

namespace rpl {

/// The tools of an application on a target. Where times are a clock's, `run` records API calls as well, for the critical path, and `time` kernels and copies
/// alone. The program that is rebuilt is compiled for the architecture that the user's program runs on. `compiler` is asked only when something is built.
/// Fails as Target::prepare() does, before anything has run.
Result<ApplicationTools> application_tools(std::shared_ptr<Target> target,
                                           std::function<Result<Compiler>()> compiler,
                                           Monitor monitor = {});

}  // namespace rpl
