// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/capture/capture.h"
#include "engine/capture/launch_plan.h"
#include "engine/device/execute/launch/launch.h"

namespace rpl {

using MemoryImage = std::vector<std::vector<std::byte>>;  ///< by region of a capture

/// One run of a captured dispatch. The capture must outlive the call.
struct ReplayJob {
  const Capture* capture = nullptr;
  std::shared_ptr<const isa::CodeObject> object = nullptr;  ///< null: the captured one
  std::string kernel = {};                                  ///< empty: the captured name
  MemoryImage memory = {};  ///< what the regions hold first; empty: `before` of the capture
  LaunchPlan launch = {};   ///< empty: as it was captured
  emu::ExecuteOptions execute = {};
};

struct ReplayRun {
  MemoryImage memory;  ///< afterwards
  emu::Executed executed;
};

/// Puts every region at its captured address and runs the dispatch once on the emulated device. Deterministic: equal jobs give equal memory, counts and modelled times.
/// `model`: constants of the cycle model for jobs that name none; null: those of the usual GPU. Refuses a variant whose explicit parameters are
/// not the captured kernel's (usage) before anything runs; otherwise fails as emu::execute does, and a fault names the region.
Result<ReplayRun> replay_once(const ReplayJob& job,
                              std::shared_ptr<const cycle::Parameters> model = nullptr);

/// How a kernel of `object` fits the captured arguments: number, offset, size and kind of the explicit parameters, and the largest
/// workgroup, of `launch`. Its architecture may be another one: it was compiled again for the device that is there. Fails with not_found or ambiguous
/// for the name, usage for a kernel of another shape.
Result<const isa::Kernel*> kernel_that_fits(const Capture& capture, const isa::CodeObject& object,
                                            std::string_view kernel, const LaunchPlan& launch = {});

}  // namespace rpl
