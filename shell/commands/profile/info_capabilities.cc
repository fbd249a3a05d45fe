// SPDX-License-Identifier: MIT
// info capabilities: what this machine can do, and the command that fixes what it cannot.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/text.h"
#include "engine/document/bound.h"
#include "engine/target/capabilities.h"
#include "engine/target/emu/emulated_run.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/loaded.h"
#include "shell/core/inputs/targets.h"

namespace rpl {
namespace {

std::string_view heading_of(std::optional<TargetKind> target) {
  if (target == TargetKind::emu) return "emu: the emulated device, without a GPU";
  if (target == TargetKind::recorded) return "recorded: what others recorded";
  if (target == TargetKind::local) return "local: an AMD GPU of this machine";
  return "measuring: what disturbs times";
}

std::string_view mark_of(profile::CapabilityState state) {
  switch (state) {
    case profile::CapabilityState::available:
      return "yes";
    case profile::CapabilityState::missing:
      return "no";
    case profile::CapabilityState::disturbing:
      return "but";
    case profile::CapabilityState::unknown:
      return "?";
  }
  return "";
}

std::string picture(const std::vector<profile::Capability>& all, const TargetChoice& choice,
                    std::size_t width) {
  std::string_view before;
  std::string out =
      fmt::format("programs run on {} ({})\n\n", to_string(choice.kind), choice.because);
  constexpr std::size_t kIndent = 31;
  for (const profile::Capability& one : all) {
    if (one.target_name() != before)
      out += fmt::format("{}{}{}\n", before.empty() ? "" : "\n", heading_of(one.target),
                         one.target == choice.kind ? " (default)" : "");
    before = one.target_name();
    std::string lines = wrapped(one.detail, kIndent, width);
    lines.replace(0, kIndent, fmt::format("  {:<3}  {:<22}  ", mark_of(one.state), one.name));
    out += lines;
    if (!one.fix.empty())
      out += fmt::format("       {}\n", one.fix);  // to be copied: never broken into lines
  }
  return out;
}

using profile::Capability;

constexpr auto kCapabilityColumns = bound_to<Capability>(
    column<&Capability::target_name>(
        "target", "emu, recorded or local; measuring: what disturbs any of them"),
    column<&Capability::name>("name", "what was looked for"),
    column<&Capability::state>(
        "state",
        "available, missing, disturbing (there, but spoiling times or lacking a part), unknown"),
    column<&Capability::detail>("detail", "what was found, or what is not possible without it"),
    column<&Capability::fix>("fix", "a command to type; null where none would help").or_null());

struct Machine {
  TargetChoice choice;
  std::int64_t missing = 0;
};

constexpr auto kMachineFields = bound_to<Machine>(
    column<&Machine::choice, &TargetChoice::kind>(
        "default_target", "where `profile` runs programs: emu, local, recorded or slurm"),
    column<&Machine::choice, &TargetChoice::because>(
        "because", "who chose it: set target, RPL_TARGET, or what the machine has"),
    column<&Machine::missing>("missing", "items that are missing"));

Result<Document> info_capabilities(const Settings& settings, Screen screen) {
  const auto all =
      profile::capabilities(profile::this_machine(), profile::emulated_library().value_or(""));
  const TargetChoice choice = TRY(target_for(settings, Ability::profile));
  Document out;
  out.put(kMachineFields, Machine{choice, std::ranges::count(all, profile::CapabilityState::missing,
                                                             &Capability::state)});
  out.table(kCapabilityColumns, all);
  out.text = picture(all, choice, screen.width);
  return out;
}

}  // namespace

void add_capability_commands(Registry& registry) {
  add(registry,
      command(
          Command{
              .path = "info capabilities",
              .does = kReads,
              .chapter = Class::status,
              .summary = "Show what this machine can do, and what fixes what it cannot.",
              .help =
                  "Looks for what each target needs: the emulated device (emu), recordings of "
                  "others (recorded), an AMD GPU with ROCm (local): its driver and device files "
                  "with their permissions, ROCm's version, rocprofv3, the thread trace decoder, "
                  "the permission to count. Below it stands what disturbs measurements: governor, "
                  "clocks, other processes on the GPU. Under each missing item is the command that "
                  "fixes it. Nothing is run for it; it reads small files.",
              .fields = described(kMachineFields),
              .columns = described(kCapabilityColumns),
              .scalar = "default_target",
              .examples = {"info capabilities"}},
          info_capabilities));
}

}  // namespace rpl
