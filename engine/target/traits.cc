// SPDX-License-Identifier: MIT
#include "engine/target/traits.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace rpl {
namespace {

constexpr std::size_t kKinds = 4;
constexpr std::array<Label, kKinds> kNames = {"emu", "local", "recorded", "slurm"};

constexpr std::array<TargetTraits, kKinds> kTraits = {{
    {.times = Provenance::modelled,
     .deterministic = true,
     .counts_at_once = true,
     .most_devices = 8},
    {.times = Provenance::measured},
    {.times = Provenance::recorded},
    {.times = Provenance::measured},
}};

/// Why not, and what to do instead. Without a message: it can.
struct Refusal {
  std::string_view message = {}, next = {};
};

/// What the machine takes where nobody asked.
enum class Default {
  recorder,  ///< its GPU, if there is rocprofv3 as well
  gpu,       ///< its GPU
  local,     ///< the GPU, whether it is there or not: the question is about one
};

struct AbilityRow {
  Ability ability;
  Default by_default;
  std::array<Refusal, kKinds> refusals;  ///< by TargetKind
};

constexpr Refusal kCan{};
constexpr std::string_view kOneOfTwo = "--target emu, or --target local with an AMD GPU";
constexpr Refusal kNoDispatches{"recordings and jobs of a cluster run no captured dispatches",
                                kOneOfTwo};
constexpr Refusal kNoCaptures{"captures are made where the program runs: on emu or local",
                              kOneOfTwo};
constexpr Refusal kNoProposals{"proposals are measured on emu or local",
                               "target emu, or target local with an AMD GPU"};
constexpr Refusal kEmulatedAlone{"a kernel without its program runs on the emulated device alone",
                                 "target emu; or freeze a dispatch of the program: capture run"};
constexpr Refusal kDebuggerElsewhere{"the debugger stops kernels on the emulated device",
                                     "--target emu, or leave --stop out"};
constexpr Refusal kOwnDevices{
    "--gpu and --devices choose emulated devices; a program on hardware takes what is there",
    "leave them out, or --target emu; HIP_VISIBLE_DEVICES=0 chooses GPUs"};
constexpr Refusal kNoRanks{"--ranks is for jobs of a cluster", "--target slurm"};
constexpr Refusal kRecordedAlready{
    "a recorded profile holds what it was recorded with: nothing can be added to it",
    "open its database: info profile, roofline, critpath"};

constexpr std::array kAbilities = {
    AbilityRow{Ability::profile, Default::recorder, {kCan, kCan, kCan, kCan}},
    AbilityRow{Ability::tune, Default::recorder, {kCan, kCan, kCan, kCan}},
    AbilityRow{Ability::optimize, Default::recorder, {kCan, kCan, kNoProposals, kNoProposals}},
    AbilityRow{Ability::capture, Default::gpu, {kCan, kCan, kNoCaptures, kNoCaptures}},
    AbilityRow{Ability::replay, Default::gpu, {kCan, kCan, kNoDispatches, kNoDispatches}},
    AbilityRow{Ability::bench, Default::gpu, {kCan, kCan, kNoDispatches, kNoDispatches}},
    AbilityRow{Ability::reserve_check, Default::local, {kCan, kCan, kNoDispatches, kNoDispatches}},
    AbilityRow{
        Ability::run_kernel, Default::gpu, {kCan, kEmulatedAlone, kEmulatedAlone, kEmulatedAlone}},
    AbilityRow{Ability::debugger,
               Default::gpu,
               {kCan, kDebuggerElsewhere, kDebuggerElsewhere, kDebuggerElsewhere}},
    AbilityRow{Ability::cold_caches,
               Default::gpu,
               {Refusal{"--cold is of --target local",
                        "on the emulated device every run begins with empty caches"},
                kCan, kNoDispatches, kNoDispatches}},
    AbilityRow{Ability::emulated_devices, Default::gpu, {kCan, kOwnDevices, kCan, kCan}},
    AbilityRow{Ability::pc_samples,
               Default::recorder,
               {Refusal{"the emulated device has no PC samples: a thread trace says more there",
                        "--att KERNEL, or --target local"},
                kCan, kRecordedAlready, kCan}},
    AbilityRow{Ability::all_counters,
               Default::recorder,
               {kCan,
                Refusal{"all counters of a GPU take dozens of runs",
                        "name sets: roofline, memory, lds, occupancy, stalls; counters list"},
                kRecordedAlready, kCan}},
    AbilityRow{Ability::more_records, Default::recorder, {kCan, kCan, kRecordedAlready, kCan}},
    AbilityRow{Ability::host_time,
               Default::recorder,
               {kCan, kCan, kCan,
                Refusal{"--no-rocprof measures a process of this machine",
                        "leave --target slurm out, or put srun before rpl"}}},
    AbilityRow{Ability::ranks, Default::recorder, {kNoRanks, kNoRanks, kNoRanks, kCan}},
    AbilityRow{Ability::geometry,
               Default::gpu,
               {kCan,
                Refusal{"replaying on a GPU keeps the captured geometry",
                        "leave --workgroup and --grid out, or tune a program with --cmd-template"},
                kNoDispatches, kNoDispatches}},
    AbilityRow{Ability::several_dispatches,
               Default::gpu,
               {kCan,
                Refusal{"a GPU captures and replays one dispatch at a time",
                        "--target emu, or one dispatch: capture run KERNEL --dispatch N -- ./app"},
                kNoDispatches, kNoDispatches}},
    AbilityRow{
        Ability::memory_after,
        Default::gpu,
        {kCan, Refusal{"memory of a replay on an AMD GPU stays in its own process", "--target emu"},
         kNoDispatches, kNoDispatches}},
};

const AbilityRow& row_of(Ability ability) {
  return *std::ranges::find(kAbilities, ability, &AbilityRow::ability);
}

const Refusal& refusal_of(TargetKind kind, Ability ability) {
  return row_of(ability).refusals[static_cast<std::size_t>(kind)];
}

Result<TargetChoice> taken(const std::string& name, const char* because, Ability need) {
  const auto kind = target_kind(name);
  if (!kind)
    return fail(Errc::usage, fmt::format("{} is '{}', which is not a target", because, name),
                "emu, local, recorded or slurm");
  TRY(require(*kind, need));
  return TargetChoice{.kind = *kind, .because = because, .asked = true};
}

TargetChoice by_machine(Ability need, const std::function<MachineHas()>& look) {
  const AbilityRow& row = row_of(need);
  if (!refusal_of(TargetKind::local, need).message.empty())
    return {.kind = TargetKind::emu, .because = "nothing else can do it"};
  if (row.by_default == Default::local)
    return {.kind = TargetKind::local, .because = "it is about a GPU"};
  const MachineHas machine = look();
  if (!machine.amd_gpu) return {.kind = TargetKind::emu, .because = "no AMD GPU is here"};
  if (row.by_default == Default::gpu)
    return {.kind = TargetKind::local, .because = "an AMD GPU is here"};
  if (!machine.recorder)
    return {.kind = TargetKind::emu, .because = "an AMD GPU is here, but no rocprofv3"};
  return {.kind = TargetKind::local, .because = "an AMD GPU and rocprofv3 are here"};
}

}  // namespace

std::string_view to_string(TargetKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

std::optional<TargetKind> target_kind(std::string_view name) {
  const auto found = std::ranges::find(kNames, name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<TargetKind>(found - kNames.begin());
}

bool from_text(std::string_view name, TargetKind& kind) {
  const auto found = target_kind(name);
  if (found) kind = *found;
  return found.has_value();
}

std::vector<Label> target_names() { return {kNames.begin(), kNames.end()}; }

const TargetTraits& traits_of(TargetKind kind) { return kTraits[static_cast<std::size_t>(kind)]; }

Status require(TargetKind kind, Ability ability) {
  const Refusal& why = refusal_of(kind, ability);
  if (why.message.empty()) return {};
  return fail(Errc::usage, std::string(why.message), std::string(why.next));
}

Result<TargetChoice> choose_target(const TargetWish& wish, Ability need,
                                   const std::function<MachineHas()>& machine) {
  if (!wish.option.empty()) return taken(wish.option, "--target", need);
  if (!wish.setting.empty() && wish.setting != "auto")
    return taken(wish.setting, "set target", need);
  if (!wish.environment.empty()) return taken(wish.environment, "RPL_TARGET", need);
  return by_machine(need, machine);
}

}  // namespace rpl
