// SPDX-License-Identifier: MIT
#pragma once

#include "engine/device/cycle/launch_time.h"
#include "engine/device/execute/launch/grid.h"
#include "engine/device/execute/launch/model_recorder.h"

namespace rpl::emu {

/// The constants that a launch is modelled with. Fails with not_found for an unknown GPU, and with usage for one of another architecture.
Result<const cycle::Parameters*> model_of(isa::Arch arch, const ExecuteOptions& options);

/// The constants of the caches that a launch is counted with: as above, else those of the architecture's usual GPU.
const cycle::Parameters& caches_of(isa::Arch arch, const ExecuteOptions& options);

/// Workgroups that a compute unit, and the device, of the cycle model holds at once: by registers, LDS, wave slots and barriers.
std::uint32_t resident_workgroups(const cycle::Parameters& parameters, const Prepared& prepared);
std::uint32_t resident_workgroups_of_device(const Prepared& prepared,
                                            const ExecuteOptions& options);

/// Times a launch: its workgroups run as in counted mode, on one thread; what those of one compute unit execute is kept and timed afterwards, and the
/// device is extrapolated from it. docs/cycle-model.md says how, and what is not modelled.
class ModelledLaunch {
 public:
  /// `state`: what launches before it left in the device's memory side; null: nothing.
  ModelledLaunch(const Prepared& prepared, const cycle::Parameters& parameters,
                 std::shared_ptr<cycle::MemoryState> state);
  [[nodiscard]] ModelRecorder& recorder() { return recorder_; }
  /// What to keep besides `modelled`.
  struct Wishes {
    bool trace = false, record = false;
  };
  /// After the last workgroup. Fills `modelled` and what else is asked for. Fails with interrupted.
  Status finish(const Wishes& wishes, Executed& executed);

 private:
  cycle::LaunchRecord record_of(const Executed& executed);
  static void count_units(const cycle::LaunchTime& timed, const Executed& executed, Modelled& out);
  static void divide_lines_of(const cycle::LaunchTime& timed, const cycle::TrafficCounts& traffic,
                              Executed& executed);
  void count_caches(const cycle::LaunchTime& timed, const Executed& executed,
                    CacheCounts& out) const;

  const Prepared& prepared_;
  const cycle::Parameters& p_;
  std::uint32_t units_, resident_;
  ModelRecorder recorder_;
};

}  // namespace rpl::emu
