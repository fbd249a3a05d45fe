// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/arch/resolve.h"
#include "engine/isa/traits/architecture.h"
#include "shell/core/command/define.h"
#include "shell/core/session/inputs.h"

/// Which GPU a command assumes: what the user says over what the recording says over the architecture files.
namespace rpl {

class Trace;

/// Options of commands whose results depend on peaks. Such commands derive their arguments from it.
struct HardwareArgs {
  double clock_mhz = 0, memory_bandwidth_gbps = 0;  ///< 0: not given
};

/// Names that say which GPU is emulated, for texts: so many products and an architecture, "MI300X, MI250X, gfx90a".
std::string emulated_gpus(std::size_t products = isa::kArchCount);

/// "gfx942" and "MI300X", joined by `between`: how an architecture and a product are named, for texts.
std::string example_names(std::string_view between);

/// What the option --gpu of commands that run programs on emulated devices says: names of some, and the default.
Label emulated_gpu_help();

/// The options --clock-mhz and --memory-bandwidth-gbps.
std::vector<Bound> hardware_options();

/// The same behind a command's own.
template <class Args>
std::vector<Bound> with_hardware(std::vector<Bound> own) {
  return joined(std::move(own), inherited<Args, HardwareArgs>(hardware_options()));
}

/// The architecture files of the program and of the user (~/.config/rpl/arch, `set arch file`).
Result<arch::Catalogue> arch_catalogue(const Inputs& inputs);

/// The GPU that an architecture or a product names. Fails with not_found, or as a user's file does.
Result<arch::Gpu> hardware_named(const Inputs& inputs, const std::string& name,
                                 const HardwareArgs& args);
/// The GPU that agent `agent` of the recording is; kNone: a GPU of which nothing is recorded.
Result<arch::Gpu> hardware_of(const Inputs& inputs, const Trace& trace, std::uint32_t agent,
                              const HardwareArgs& args);
/// The GPU on which most of the dispatches ran (the first of equals), kNone when no dispatch names one.
std::uint32_t busiest_agent(const Trace& trace);

}  // namespace rpl
