// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/metrics/roofline/points.h"
#include "shell/core/inputs/hardware.h"
#include "shell/core/inputs/loaded.h"

/// What the commands about counters and rooflines compute from the current recording.
namespace rpl {

/// Options that say which kernels, whose times and whose ceilings.
struct RooflineArgs : HardwareArgs {
  std::string kernel, times, ceilings, measured;
  double peak_gflops = 0;    ///< 0: not given
  std::int64_t device = -1;  ///< row of roofline.csv; -1: the first
};

struct RooflineView {
  Loaded loaded;
  arch::Gpu gpu;                        ///< of the first kernel
  Ceilings ceilings;                    ///< of `gpu`
  std::vector<KernelRoofline> kernels;  ///< the most time first
  std::vector<std::string> names;       ///< full names of `kernels`
  std::vector<std::string>
      missing;  ///< counters that some kernel would need for what is unknown, sorted
  std::vector<std::string> notes;  ///< whose times, what is missing, what was left out
  Provenance provenance = Provenance::none;
};

/// Kernels with counters, their amounts, times and points. Empty, with a note that says what to collect, for a recording without
/// counters. Kernels on another architecture than the first one are left out with a note: they have other roofs.
Result<RooflineView> roofline_view(const Inputs& inputs, const RooflineArgs& args);

/// Ceilings as the options say: spec, measured (the named roofline.csv or the one beside the recording) or user.
Result<Ceilings> ceilings_for(const Loaded& loaded, const arch::Gpu& gpu, const RooflineArgs& args);
/// The same for what is not a recording: `measured_beside` is the roofline.csv to take where none is named, "" for none.
Result<Ceilings> ceilings_for(const std::string& measured_beside, const arch::Gpu& gpu,
                              const RooflineArgs& args);

/// The command that plans what `missing` needs: "counters plan A B --arch gfx942".
std::string plan_command(const std::vector<std::string>& missing, const std::string& arch);

/// "mean of 3 dispatches in pmc_perf.csv".
std::string counters_source(const Loaded& loaded, const KernelMeasurement& measured);

/// The options of RooflineArgs itself, without those of HardwareArgs.
std::vector<Bound> roofline_options();

/// The options of RooflineArgs behind a command's own.
template <class Args>
std::vector<Bound> with_roofline(std::vector<Bound> own) {
  return with_hardware<Args>(
      joined(std::move(own), inherited<Args, RooflineArgs>(roofline_options())));
}

/// roofline.json: what `roofline` returns.
Result<Document> roofline_document(const Inputs& inputs, const RooflineArgs& args);

}  // namespace rpl
