// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "engine/device/execute/launch/launch.h"
#include "engine/device/findings/finding.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/session/inputs.h"

namespace rpl {

/// The constants of the GPU that `set emu gpu` names, with what the user's architecture files and `set arch …` say of it; null for none: each
/// architecture's usual GPU. Fails with not_found for an unknown one.
Result<std::shared_ptr<const cycle::Parameters>> emulated_gpu(const Inputs& inputs);
/// Those of the GPU of that name.
Result<std::shared_ptr<const cycle::Parameters>> gpu_model(const Inputs& inputs,
                                                           const std::string& gpu);

/// A run on the emulated device that commands look closer at.
struct EmulatedRun {
  std::shared_ptr<const isa::CodeObject> object;  ///< that `executed` refers to
  std::string of;                                 ///< id of the code object or capture
  std::string kernel;
  emu::Mode mode = emu::Mode::modelled;
  emu::Executed executed;
  std::string thread_trace = {};  ///< id of the one that was made of it; "" for none
  /// The constants that timed it; null: those of the GPU that `executed` names.
  std::shared_ptr<const cycle::Parameters> parameters = nullptr;
  /// Kept by findings_of() when it is asked first.
  std::shared_ptr<std::optional<findings::Findings>> found =
      std::make_shared<std::optional<findings::Findings>>();
};

}  // namespace rpl
