// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/diagnose/inputs.h"
#include "shell/commands/roofline_view.h"

/// What is known of the kernels of the current recording, from all that is open.
namespace rpl {

struct KernelFacts {
  std::string id;    ///< "k7f3a2c"; "att1" for a kernel of which only a thread trace is open
  std::string name;  ///< in full
  std::int64_t total_ns = 0;
  diagnose::Facts facts;
};

struct AllFacts {
  std::vector<KernelFacts> kernels;  ///< the longest total first
  std::vector<std::string> notes;
};

/// Gathers occupancy, geometry, gaps, criticality, and what counters and open thread traces say. A thread trace belongs to the kernel of its
/// name; one of another kernel stands alone. `now` is null while no trace is open; `args` say whose times and ceilings. Fails with `interrupted`, and as architecture files do.
Result<AllFacts> kernel_facts(Context& context, const Loaded* now, const RooflineArgs& args);

/// Adds what the counters of the current trace say. Fails as roofline_view() does.
Status add_counters(Context& context, const RooflineArgs& args, AllFacts& all);

/// Adds what the open thread traces say to the kernels of `all`, or as kernels of their own.
void add_thread_traces(Context& context, AllFacts& all);

/// Whether the times of a recording were taken while counters were read, which serialises dispatches.
bool is_counting_run(const Trace& trace);

/// Whether anything is open from which a roof could be known: without one there is no headroom.
bool has_roofs(const Trace& trace);

}  // namespace rpl
