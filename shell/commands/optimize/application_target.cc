// SPDX-License-Identifier: MIT
#include "shell/commands/optimize/application_target.h"

#include "engine/optimize/application/emulated_application.h"
#include "engine/optimize/application/local_application.h"
#include "shell/commands/profile/profile_run.h"
#include "shell/core/session/context.h"

namespace rpl {

Result<ApplicationTools> application_tools(Context& context, const OpenLoop& open,
                                           const std::string& gpu) {
  if (open.target.kind == TargetKind::local) {
    if (!gpu.empty()) TRY(require(TargetKind::local, Ability::emulated_devices));
    return local_application_tools({
      .recorder = TRY(profile::find_recorder(profile::this_machine()))
      , .compiler = open.compiler, .monitor = context.monitor()
    });
  }
  const EmulatedDevices devices = TRY(emulated_devices(context, gpu, 0));
  return emulated_application_tools({.gpu = devices.gpu,
                                     .devices = devices.count,
                                     .compiler = open.compiler,
                                     .monitor = context.monitor()});
}

}  // namespace rpl
