// SPDX-License-Identifier: MIT
#pragma once

#include "engine/device/cycle/parameters.h"
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
  ModelledLaunch(const Prepared& prepared, const cycle::Parameters& parameters);
  [[nodiscard]] ModelRecorder& recorder() { return recorder_; }
  /// After the last workgroup. Fills `modelled` and, when asked for, `trace`. Fails with interrupted.
  Status finish(bool keep_trace, Executed& executed);

 private:
  struct Simulated;
  Status simulate(const Executed& executed, bool keep_trace, Simulated& out);
  [[nodiscard]] double extrapolated(const Simulated& simulated) const;
  void count_units(const Simulated& simulated, const Executed& executed, Modelled& out) const;
  void divide_lines_of(const Simulated& simulated, Executed& executed) const;
  void count_caches(const Simulated& simulated, const Executed& executed, CacheCounts& out) const;

  const Prepared& prepared_;
  const cycle::Parameters& p_;
  std::uint32_t units_, resident_, of_unit_, kept_;  ///< `of_unit_`: workgroups of the busiest unit
  ModelRecorder recorder_;
};

}  // namespace rpl::emu
