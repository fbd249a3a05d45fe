// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/target/emu/host_runs.h"
#include "engine/target/slurm/options.h"
#include "engine/target/target.h"
#include "shell/core/command/define.h"
#include "shell/core/session/inputs.h"

namespace rpl {

class Jobs;
class SessionLog;

/// Where a command runs: choose_target() with the setting `target`, RPL_TARGET and this machine. `option`: of its `--target`, empty for none.
Result<TargetChoice> target_for(const Settings& settings, Ability need,
                                const std::string& option = {});

/// The option `--target` of a command.
template <class Args>
Bound target_option(std::string Args::* member) {
  return option("target", member,
                "where it runs; default: `set target`, RPL_TARGET, else what this machine has")
      .one_of(target_names());
}
/// The option `--devices` of a command whose program may run on emulated ones.
template <class Args>
Bound devices_option(std::int64_t Args::* member) {
  return option("devices", member, "how many of them; 0: `set emu devices`")
      .in(within(0, static_cast<double>(traits_of(TargetKind::emu).most_devices)));
}
/// The target that captured dispatches run on: the emulated device of `set emu gpu`, or the GPU, on which replays run in processes that are this program
/// again.
Result<std::unique_ptr<Target>> open_target(const Inputs& inputs, const Jobs& jobs,
                                            TargetKind kind);

/// Options that say what a program runs on.
struct ProgramPlace {
  std::string gpu = {};  ///< of the emulated devices; "": `set emu gpu`, else what suits its code
  std::int64_t devices = 0;  ///< how many of them; 0: `set emu devices`
  std::size_t ranks = 1;     ///< of a job on a cluster
};
/// The target that a program runs on. Fails with usage for options that it does not take.
Result<std::unique_ptr<Target>> open_target(const Settings& settings, SessionLog& log,
                                            TargetKind kind, const ProgramPlace& place);
/// The emulated devices of these options, whose ranges are checked with the options.
profile::EmulatedDevices emulated_devices(const Settings& settings, const ProgramPlace& place);
/// What a target runs a program on in the end: of a cluster what `set slurm runs` says of its nodes.
TargetKind runs_on(const Settings& settings, TargetKind kind);

/// What `set slurm …` and `target slurm` say.
cluster::SlurmOptions slurm_options(const Settings& settings);

/// Words as a shell splits them, nothing else of a shell. Fails with usage for a pipeline.
Result<std::vector<std::string>> template_words(const std::string& text, std::string_view option);

}  // namespace rpl
