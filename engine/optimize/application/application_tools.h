// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

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

/// What recordings and captures of an application say, whichever target made them.
/// What a recording says of one run; empty kernels when none ran. `databases` are of its processes. Fails as open_trace() does.
Result<ApplicationRun> read_application_run(const std::vector<std::string>& databases,
                                            const Monitor& monitor = {});

/// ApplicationRun::span_ns alone. Fails likewise, and with not_found when nothing ran.
Result<std::int64_t> read_application_span(const std::vector<std::string>& databases,
                                           const Monitor& monitor = {});

/// The file that the line table of a captured kernel names for its first instruction with a line, absolute. Fails with not_found without a table, or when
/// the file is not there.
Result<std::string> source_of_capture(const std::string& capture, const std::string& kernel);

/// Marks a capture that was just made with what checks itself in it: whether a kernel that does nothing would fail on it. Fails as reading the capture does;
/// a mark that cannot be written loses nothing.
Status note_self_check(const std::string& folder);

}  // namespace rpl
