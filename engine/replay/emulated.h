// SPDX-License-Identifier: MIT
#pragma once

#include "engine/capture/capture.h"
#include "engine/device/execute/launch/kernel_run.h"
#include "engine/replay/replay.h"

namespace rpl {

/// A captured dispatch as a launch that can be run and stopped like any other: memory, code and arguments lie where they were captured.
/// `variant`: another build instead of the captured one, or null. Fails as replay_once() does before anything runs, and as require_one_dispatch().
Result<emu::KernelRun> launch_of(std::shared_ptr<const Capture> capture,
                                 std::shared_ptr<const isa::CodeObject> variant,
                                 const std::string& kernel, const LaunchPlan& plan = {});

/// What the regions of a capture hold after such a launch, whose code lies at `load_base`. Fails with interrupted only.
Result<MemoryImage> image_of(const emu::Memory& memory, const Capture& capture,
                             const isa::CodeObject& object, std::uint64_t load_base);

/// Runs a kernel on fresh memory, as emu::run_kernel, and returns the dispatch with memory before and after. `outcome` may be null; `tool` is
/// left empty. Fails as run_kernel does.
Result<Capture> capture_run(const emu::KernelRun& run, emu::KernelOutcome* outcome = nullptr);

}  // namespace rpl
