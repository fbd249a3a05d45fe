// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/base/result.h"
#include "tests/support/rocprofv3/options.h"

/// What the emulated device left, made into what rocprofv3 would have written for the same options.
namespace rpl::stand_in {

/// Takes from a database what was not asked for, and every mark that it is modelled. Dispatches of a run that counts take four times as long.
Status make_real(const std::string& database, const Options& options);

/// The same for a decoded thread trace.
Status make_real_trace(const std::string& folder);

/// Only names and the node, as after an abort in the middle.
Status leave_half(const std::string& database);

/// PID_kernel_trace.csv beside it.
Status write_kernel_csv(const std::string& database);

/// Takes all dispatches out.
Status leave_no_kernels(const std::string& database);

/// PC samples of the kernel that a decoded thread trace is of: one for every hundred cycles that an instruction took. PID_results.json and
/// PID_pc_sampling_METHOD.csv into `folder`, as far as the formats ask.
Status write_samples(const std::string& thread_trace, const std::string& folder,
                     const std::string& pid, const Options& options);

}  // namespace rpl::stand_in
