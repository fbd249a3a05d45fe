// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/base/monitor.h"
#include "engine/base/result.h"
#include "engine/trace/core/reader.h"
#include "engine/trace/core/trace.h"

namespace rpl {

/// Opens recordings and merges them into one trace, by process (guid). Each path is a rocpd database, an RPD database, a
/// rocprofv3 kernel-trace CSV, a rocprofv3 results JSON, a trace of PyTorch's profiler (Kineto), or a folder; databases and
/// JSON also packed by gzip or zstd. A folder is searched with its subfolders (hidden
/// ones excepted) for databases (*.db, *.rpd), else for *_results.json, else for traces of PyTorch's profiler (*.json), else for *_kernel_trace.csv; what is
/// no recording there is left out and noted. The files are only read; nothing is written beside them.
///
/// Fails with not_found, io, corrupt, unsupported (a schema that this build cannot read) or interrupted. What was odd but
/// readable is in entities().notes.
Result<std::shared_ptr<const Trace>> open_trace(std::span<const std::string> paths,
                                                const OpenOptions& options = {},
                                                const Monitor& monitor = {});

/// The files of a folder that open_trace() would take, sorted; whether they are recordings is not looked at. Fails with not_found where there are none, io, and interrupted.
Result<std::vector<std::string>> recordings_in(const std::string& folder);

}  // namespace rpl
