// SPDX-License-Identifier: MIT
// doctor: whether the main job can be done here, what is missing for the rest, and the command that fixes it.
#include "shell/commands/profile/doctor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/text.h"
#include "engine/document/bound.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/loaded.h"
#include "shell/core/inputs/targets.h"

namespace rpl {
namespace {

std::string checks_text(const std::vector<Check>& all, std::size_t width) {
  std::string out, before;
  constexpr std::size_t kFoundAt = 37;
  for (const Check& one : all) {
    if (one.group != before) out += fmt::format("{}{}\n", before.empty() ? "" : "\n", one.group);
    before = one.group;
    const bool is_fine = one.status == CheckStatus::ok;
    std::string lines = wrapped(
        is_fine ? one.found : fmt::format("{} (for: {})", one.found, one.purpose), kFoundAt, width);
    lines.replace(0, kFoundAt, fmt::format("  {:<10}  {:<21}  ", to_string(one.status), one.name));
    out += lines;
    if (!one.fix.empty())
      out += fmt::format("              {}\n", one.fix);  // to be copied: never broken into lines
  }
  return out;
}

constexpr auto kCheckColumns = bound_to<Check>(
    column<&Check::group>("group", "what belongs together: an AMD GPU, building kernels, files"),
    column<&Check::name>("check", "what was looked for"),
    column<&Check::status>("status", "ok, missing, warning, not needed, unknown"),
    column<&Check::needed>("needed", "whether the main job cannot be done without it"),
    column<&Check::found>("found", "what was found, or what went wrong"),
    column<&Check::purpose>("purpose", "what it is for"),
    column<&Check::fix>("fix", "a command to type; null where nothing is to be fixed").or_null());

struct Verdict {
  TargetChoice choice;
  std::vector<std::string> broken;
  std::size_t missing = 0, warnings = 0;

  [[nodiscard]] bool works() const { return broken.empty(); }
};

constexpr auto kVerdictFields = bound_to<Verdict>(
    column<&Verdict::works>("works", "whether all that the main job needs is there"),
    column<&Verdict::choice, &TargetChoice::kind>(
        "default_target", "where `profile` runs programs: emu, local, recorded or slurm"),
    column<&Verdict::choice, &TargetChoice::because>(
        "because", "who chose it: set target, RPL_TARGET, or what the machine has"),
    column<&Verdict::broken>("broken", "what the main job needs and is missing"),
    column<&Verdict::missing>("missing", "rows that are missing, needed or not"),
    column<&Verdict::warnings>("warnings", "rows that spoil something"));

std::string verdict_of(const Verdict& found, TargetKind target) {
  std::string out;
  if (found.works()) {
    const std::string_view device = target == TargetKind::emu ? "the emulated device" : "the GPU";
    out = fmt::format(
        "\nThe main job works here: profile, capture, analyze, propose, approve, replay, on {}.\n",
        device);
  } else {
    out = fmt::format(
        "\nBroken: {}. The main job does not work to its end; recordings can still be read.\n",
        fmt::join(found.broken, ", "));
  }
  const std::size_t others = found.missing - found.broken.size();
  if (others + found.warnings > 0)
    out += fmt::format("Besides: {} missing, {} to look at.\n", others, found.warnings);
  return out;
}

Result<Document> doctor(const Settings& settings, SessionLog& log, Face& face, Screen screen) {
  Verdict verdict{TRY(target_for(settings, Ability::profile)), {}};
  TargetKind target = verdict.choice.kind;
  const std::vector<Check> all = examine(settings, log, face, target);
  for (const Check& one : all) {
    if (one.needed && one.status == CheckStatus::missing) verdict.broken.push_back(one.name);
    verdict.missing += one.status == CheckStatus::missing ? 1 : 0;
    verdict.warnings += one.status == CheckStatus::warning ? 1 : 0;
  }
  Document out;
  out.put(kVerdictFields, verdict);
  out.table(kCheckColumns, all);
  out.text = checks_text(all, screen.width) + verdict_of(verdict, target) +
             fmt::format("Programs run on {} ({}).\n", to_string(verdict.choice.kind),
                         verdict.choice.because);
  if (!verdict.works()) out.exit_code = exit_status(Errc::missing_capability);
  return out;
}

}  // namespace

void add_doctor_command(Registry& registry) {
  add(registry,
      command(
          Command{
              .path = "doctor",
              .does = kReads,
              .chapter = Class::support,
              .summary = "Say what works here, what is missing, and what fixes it.",
              .help =
                  "Looks at what the main job needs (profile, capture, analyze, propose, approve, "
                  "replay) and at what else there is: the emulated device, an AMD GPU with ROCm "
                  "and rocprofv3, the compiler for kernels with its headers and device libraries, "
                  "what disturbs measurements, a cluster, a language model, folders, the terminal. "
                  "A row is ok, missing, warning (there, but it spoils something), not needed "
                  "(missing, and nothing here asks for it) or unknown. Below what is missing "
                  "stands the command that fixes it. It ends with 0 when the main job works, on "
                  "the emulated device or a GPU, and with 6 when something is missing that it "
                  "needs. Nothing is asked of a network; two programs are run, for their version "
                  "(the compiler) and their help (rocprofv3).",
              .fields = described(kVerdictFields),
              .columns = described(kCheckColumns),
              .scalar = "works",
              .examples = {"doctor"}},
          doctor));
}

}  // namespace rpl
