// SPDX-License-Identifier: MIT
#include "shell/commands/optimize/application_target.h"

#include "engine/optimize/application/emulated_application.h"
#include "engine/optimize/application/local_application.h"
#include "shell/commands/profile/profile_run.h"

namespace rpl {

Result<ApplicationTools> application_tools(Context& context, LoopContext& loop,
                                           const std::string& gpu) {
  const auto compiler = [&loop] { return loop.compiler(); };
  if (measures_locally(context)) {
    if (!gpu.empty())
      return fail(Errc::usage, "--gpu is for emulated devices",
                  "leave it out, or 'target emu'; HIP_VISIBLE_DEVICES=0 chooses GPUs");
    return local_application_tools({
      .recorder = TRY(profile::find_recorder(profile::this_machine()))
      , .compiler = compiler, .monitor = context.monitor
    });
  }
  const EmulatedDevices devices = TRY(emulated_devices(context, gpu, 0));
  return emulated_application_tools({.gpu = devices.gpu,
                                     .devices = devices.count,
                                     .compiler = compiler,
                                     .monitor = context.monitor});
}

}  // namespace rpl
