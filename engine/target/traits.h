// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/label.h"
#include "engine/base/result.h"
#include "engine/document/document.h"

/// Where programs and captured dispatches run, and what each of these places can do.
namespace rpl {

enum class TargetKind {
  emu,       ///< the emulated devices
  local,     ///< the AMD GPU of this machine
  recorded,  ///< what was recorded before; nothing runs
  slurm,     ///< jobs of a cluster, each of which runs on emu or local
};
std::string_view to_string(TargetKind kind);
std::optional<TargetKind> target_kind(std::string_view name);
bool from_text(std::string_view name, TargetKind& kind);
/// All of them by name, in the order of TargetKind: the choices of every `--target`.
std::vector<Label> target_names();

/// What a command or an option needs of a target.
enum class Ability {
  // Commands.
  profile,
  tune,
  optimize,  ///< the stages that measure proposals; they are verified on the emulated device
  capture,
  replay,
  bench,
  reserve_check,  ///< whether captured addresses are free
  run_kernel,     ///< a kernel of a code object on fresh memory
  // Options.
  debugger,          ///< --stop
  cold_caches,       ///< --cold
  emulated_devices,  ///< --gpu and --devices
  pc_samples,
  all_counters,
  more_records,  ///< counters and traces beside the times
  host_time,     ///< --no-rocprof
  ranks,
  geometry,            ///< another workgroup or grid than the captured one
  several_dispatches,  ///< --slice, and replays of what it captured
  // What the engine asks by itself.
  memory_after,  ///< a replay returns memory, not only where it differs
};

/// What is known of a kind of target before anything runs on it.
struct TargetTraits {
  Provenance times;
  bool deterministic = false;      ///< equal runs take equal time
  bool counts_at_once = false;     ///< any counters in the run that is timed
  std::uint32_t most_devices = 0;  ///< that a program can be given; 0: what the machine has
};
const TargetTraits& traits_of(TargetKind kind);

/// Success, or the sentence that says why a target of this kind cannot do it, with the next step. The only source of such refusals; fails with usage.
Status require(TargetKind kind, Ability ability);

/// Who asked for a target, in the order in which they are heard. Empty, and "auto" as a setting: nobody.
struct TargetWish {
  std::string option;       ///< `--target`
  std::string setting;      ///< `set target`
  std::string environment;  ///< RPL_TARGET
};

struct TargetChoice {
  TargetKind kind = TargetKind::emu;
  std::string because;  ///< "--target", "set target", "RPL_TARGET", or what the machine has
  bool asked = false;   ///< by a person; false: the machine decided
};

/// What a machine has that decides where things run by default.
struct MachineHas {
  bool amd_gpu = false;   ///< one that may be used
  bool recorder = false;  ///< rocprofv3
};

/// The one policy. What a person asked for is taken, or refused as require() does, and never replaced; where nobody asked, the machine decides, and passes over
/// what cannot do it; only then is `machine` looked at. Fails with usage also for a name that is not a target.
Result<TargetChoice> choose_target(const TargetWish& wish, Ability need,
                                   const std::function<MachineHas()>& machine);

}  // namespace rpl
