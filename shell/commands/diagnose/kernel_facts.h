// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/att/read/modelled_dispatch.h"
#include "engine/device/findings/finding.h"
#include "engine/metrics/diagnose/inputs.h"
#include "engine/metrics/recorded/machine_code.h"
#include "shell/commands/diagnose/occupancy_kernels.h"
#include "shell/commands/diagnose/roofline_view.h"

/// What is known of the kernels of the current recording, from all that is open.
namespace rpl {

struct KernelFacts {
  std::string
      id;  ///< "k7f3a2c"; "att1" for a kernel of which only a thread trace is open; "run" for the last modelled run
  std::string name;  ///< in full
  std::int64_t total_ns = 0;
  diagnose::Facts facts;
  bool modelled =
      false;  ///< timed by the cycle model in this program or in another run of it: no recorder can add to it
  std::string occupancy_command =
      {};  ///< of what was modelled: what shows its limits, "occupancy --arch MI300X --vgpr 24 …"
  /// Why a long dispatch of it took its time, of the emulated device: Kernel::findings.
  std::optional<findings::Findings> findings = {};
  std::optional<MetricInputs> counters = {};           ///< of a recording of a GPU
  std::uint32_t scratch_bytes = 0;                     ///< of a work-item, as recorded
  std::vector<findings::ListedInstruction> code = {};  ///< of an open thread trace of it
};

struct AllFacts {
  std::vector<KernelFacts> kernels;  ///< the longest total first
  std::vector<std::string> notes;
};

/// Gathers occupancy, geometry, gaps, criticality, and what counters and open thread traces say. A thread trace belongs to the kernel of its
/// name; one of another kernel, or a modelled one of a kernel that a GPU ran, stands alone. `now` is null while no trace is open; `args` say whose times and ceilings. Fails with `interrupted`, and as architecture files do.
Result<AllFacts> kernel_facts(const Inputs& inputs, const Loaded* now, const RooflineArgs& args);

/// Adds what the counters of the current trace say. Fails as roofline_view() does.
Status add_counters(const Inputs& inputs, const RooflineArgs& args, AllFacts& all);

/// Adds what the open thread traces say to the kernels of `all`, or as kernels of their own. Fails as architecture files do.
Status add_thread_traces(const Inputs& inputs, const RooflineArgs& args, AllFacts& all);

/// The id of the last `kernel run` among kernels.
inline constexpr std::string_view kRunId = "run";
/// Whether the last `kernel run` was modelled, and no open thread trace is of it: then it is a kernel of its own.
bool has_modelled_run(const Workspace& workspace);
/// Adds the last `kernel run`. Fails as architecture files do.
Status add_modelled_run(const Inputs& inputs, const RooflineArgs& args, AllFacts& all);

/// Adds shares of roofs, utilization, lanes, waves and occupancy of a modelled dispatch to its kernel, whose id is the source, with the peaks of its GPU.
/// Fails with not_found for an unknown GPU, and as architecture files do.
Status add_modelled_dispatch(const Inputs& inputs, const att::ModelledDispatch& dispatch,
                             const RooflineArgs& args, KernelFacts& kernel);
/// Adds how many waves fit, whether the grid fills the device, and whether workgroups fill their waves.
void add_occupancy(const KernelOccupancy& found, diagnose::Facts& facts);

/// Whether the times of a recording were taken while counters were read, which serialises dispatches.
bool is_counting_run(const Trace& trace);

/// Whether anything is open from which a roof could be known: without one there is no headroom.
bool has_roofs(const Trace& trace);

}  // namespace rpl
