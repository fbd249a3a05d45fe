// SPDX-License-Identifier: MIT
#pragma once

#include "engine/capture/capture.h"
#include "engine/device/execute/launch/kernel_run.h"

namespace rpl {

/// Runs a kernel on fresh memory, as emu::run_kernel, and returns the dispatch with memory before and after. `outcome` may be null; `tool` is
/// left empty. Fails as run_kernel does.
Result<Capture> capture_run(const emu::KernelRun& run, emu::KernelOutcome* outcome = nullptr);

}  // namespace rpl
