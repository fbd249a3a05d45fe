// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/diagnose/inputs.h"
#include "shell/commands/loaded.h"

/// What is known of the kernels of the current recording, from all that is open.
namespace rpl {

struct KernelFacts {
  std::uint32_t kernel = 0;  ///< index into Trace::kernels()
  std::int64_t total_ns = 0;
  diagnose::Facts facts;
};

struct AllFacts {
  std::vector<KernelFacts> kernels;  ///< the longest total first
  std::vector<std::string> notes;
};

/// Gathers occupancy, geometry, gaps, criticality, and what counters and open thread traces say. Fails with `interrupted`, and as
/// architecture files do.
Result<AllFacts> kernel_facts(Context& context, const Loaded& now);

/// Whether anything is open from which a roof could be known: without one there is no headroom.
bool has_roofs(const Trace& trace);

}  // namespace rpl
