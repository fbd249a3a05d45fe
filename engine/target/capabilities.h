// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/target/traits.h"

namespace rpl::profile {

/// The machine as it is looked at; tests put a folder of their own in the place of its root.
struct MachineView {
  std::string root;  ///< stands before /dev, /sys, /proc and /opt; empty: the machine itself
  std::string path;  ///< PATH; its folders are below `root` too
  std::string library_path;  ///< LD_LIBRARY_PATH, likewise
  std::string decoder_path;  ///< ROCPROF_ATT_LIBRARY_PATH, likewise
};
/// This machine, or what RPL_MACHINE_ROOT names.
MachineView this_machine();

enum class CapabilityState {
  available,
  missing,
  disturbing,  ///< there, but in a state that spoils measurements or lacks a part
  unknown,     ///< the system does not say
};
std::string_view to_string(CapabilityState state);

/// One thing that profiling may need.
struct Capability {
  std::optional<TargetKind> target;  ///< none: it disturbs times on any of them
  std::string name;                  ///< "/dev/kfd"
  CapabilityState state = CapabilityState::unknown;
  std::string detail;  ///< what was found, or what is not possible without it
  std::string fix;     ///< a command to type; empty where none would help

  [[nodiscard]] std::string_view target_name() const {
    return target ? to_string(*target) : "measuring";
  }
};

/// Looks at everything once: about a hundred small files. `emulated_library`: where the emulated devices' library is, empty for nowhere.
std::vector<Capability> capabilities(const MachineView& machine,
                                     const std::string& emulated_library);

/// Whether the machine's only GPUs are NVIDIA's.
bool has_other_gpu(const MachineView& machine);

/// What spoils times there, with what fixes it: governor, clocks, other processes on the GPU.
std::vector<std::string> disturbances(const MachineView& machine);

/// What of it decides where things run by default: an AMD GPU that may be used, and rocprofv3.
MachineHas machine_has(const std::vector<Capability>& all);

}  // namespace rpl::profile
