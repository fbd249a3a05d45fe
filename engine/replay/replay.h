// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/capture/capture.h"
#include "engine/capture/fusion_plan.h"
#include "engine/capture/launch_plan.h"
#include "engine/device/execute/launch/launch.h"

namespace rpl {

using MemoryImage = std::vector<std::vector<std::byte>>;  ///< by region of a capture

/// One run of a capture: of all its dispatches, in order, on the same memory. The capture must outlive the call.
struct ReplayJob {
  const Capture* capture = nullptr;
  std::shared_ptr<const isa::CodeObject> object =
      nullptr;              ///< of all dispatches; null: the captured one
  std::string kernel = {};  ///< of the first dispatch; empty: the captured name
  MemoryImage memory = {};  ///< what the regions hold first; empty: `before` of the capture
  LaunchPlan launch = {};   ///< of the first dispatch; empty: as it was captured
  FusionPlan fusion = {};   ///< one dispatch of `object` runs in place of the first two; else empty
  /// `max_instructions` holds for the sum of the dispatches, `max_waves` for each.
  emu::ExecuteOptions execute = {};
};

struct ReplayRun {
  MemoryImage memory;  ///< after the last dispatch
  /// Of several dispatches: counts, modelled cycles and times are sums, without gaps between two dispatches; copies and fills between them count with the time that they had when they were captured. Races are those of all; what add_dispatch() does not sum, `path` and
  /// `program` among it, is that of the first; `path` has the pages that any of them wrote.
  emu::Executed executed;
  std::vector<double> each_ns =
      {};  ///< modelled time by dispatch; empty where nothing was modelled
};

/// Puts every region at its captured address and runs the dispatches once on the emulated device. Deterministic: equal jobs give equal memory, counts and modelled times.
/// For the cycle model a dispatch finds in the device's caches what those before it in the same run left there (cycle::MemoryState).
/// `model`: constants of the cycle model for jobs that name none; null: those of the usual GPU. Refuses a variant whose explicit parameters are
/// not the captured kernel's (usage) before anything runs; otherwise fails as emu::execute does; a fault names the kernel and the region.
Result<ReplayRun> replay_once(const ReplayJob& job,
                              std::shared_ptr<const cycle::Parameters> model = nullptr);

/// How a kernel of `object` fits the captured arguments of the first dispatch: number, offset, size and kind of the explicit parameters, and the largest
/// workgroup, of `launch`. Its architecture may be another one: it was compiled again for the device that is there. Fails with not_found or ambiguous
/// for the name, usage for a kernel of another shape.
Result<const isa::Kernel*> kernel_that_fits(const Capture& capture, const isa::CodeObject& object,
                                            std::string_view kernel, const LaunchPlan& launch = {});
/// The kernel that takes the place of the first two dispatches: each parameter has the size and the kind of the argument that it gets. Fails with usage otherwise, and for a capture
/// of one dispatch.
Result<const isa::Kernel*> fused_kernel_that_fits(const Capture& capture,
                                                  const isa::CodeObject& captured,
                                                  const isa::CodeObject& object,
                                                  const FusionPlan& fusion);
/// The same for one dispatch of a capture whose code object is `captured`.
Result<const isa::Kernel*> kernel_that_fits(const DispatchView& dispatch,
                                            const isa::CodeObject& captured,
                                            const isa::CodeObject& object, std::string_view kernel,
                                            const LaunchPlan& launch = {});

}  // namespace rpl
