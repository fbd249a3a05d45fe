// SPDX-License-Identifier: MIT
// doctor: whether the main job can be done here, what is missing for the rest, and the command that fixes it.
#include "shell/commands/profile/doctor.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/base/text_layout.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/loaded.h"
#include "shell/core/inputs/targets.h"
#include "shell/core/session/context.h"

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

std::string verdict_of(const std::vector<std::string>& broken, TargetKind target,
                       std::size_t missing, std::size_t warnings) {
  std::string out;
  if (broken.empty()) {
    const std::string_view device = target == TargetKind::emu ? "the emulated device" : "the GPU";
    out = fmt::format(
        "\nThe main job works here: profile, capture, analyze, propose, approve, replay, on {}.\n",
        device);
  } else {
    out = fmt::format(
        "\nBroken: {}. The main job does not work to its end; recordings can still be read.\n",
        fmt::join(broken, ", "));
  }
  const std::size_t others = missing - broken.size();
  if (others + warnings > 0)
    out += fmt::format("Besides: {} missing, {} to look at.\n", others, warnings);
  return out;
}

Result<Document> doctor(Context& context) {
  const TargetChoice choice = TRY(target_for(context.settings(), Ability::profile));
  TargetKind target = choice.kind;
  const std::vector<Check> all = examine(context, target);
  Document out;
  std::vector<std::string> broken;
  List names;
  for (const Check& one : all) {
    if (one.needed && one.status == CheckStatus::missing) {
      broken.push_back(one.name);
      names.emplace_back(one.name);
    }
    out.rows.push_back({Value(one.group), Value(one.name), Value(to_string(one.status)),
                        Value(one.needed), Value(one.found), Value(one.purpose),
                        Value::known(one.fix)});
  }
  const auto missing =
      static_cast<std::size_t>(std::ranges::count(all, CheckStatus::missing, &Check::status));
  const auto warnings =
      static_cast<std::size_t>(std::ranges::count(all, CheckStatus::warning, &Check::status));
  out.set("works", broken.empty());
  out.set("default_target", to_string(choice.kind));
  out.set("because", choice.because);
  out.set("broken", Value(std::move(names)));
  out.set("missing", static_cast<std::uint64_t>(missing));
  out.set("warnings", static_cast<std::uint64_t>(warnings));
  out.text = checks_text(all, canvas_of(context).width) +
             verdict_of(broken, target, missing, warnings) +
             fmt::format("Programs run on {} ({}).\n", to_string(choice.kind), choice.because);
  if (!broken.empty()) out.exit_code = exit_status(Errc::missing_capability);
  return out;
}

}  // namespace

void add_doctor_command(Registry& registry) {
  add(registry,
      command(
          Command{
              .path = "doctor",
              .chapter = Class::support,
              .summary = "Say what works here, what is missing, and what fixes it.",
              .help = "Looks at what the main job needs (profile, capture, analyze, propose, "
                      "approve, replay) and at what else there is: the emulated device, an "
                      "AMD GPU with ROCm and rocprofv3, the compiler for kernels with its headers "
                      "and device libraries, what disturbs measurements, a cluster, a "
                      "language model, folders, the terminal. A row is ok, missing, warning "
                      "(there, but it spoils something), not needed (missing, and nothing here "
                      "asks for it) or unknown. Below what is missing stands the command that "
                      "fixes it. It ends with 0 when the main job works, on the emulated "
                      "device or a GPU, and with 6 when something is missing that it needs. "
                      "Nothing is asked of a network; two programs are run, for their "
                      "version (the compiler) and their help (rocprofv3).",
              .fields =
                  {{"works", Type::boolean, Unit::none,
                    "whether all that the main job needs is there"},
                   {"default_target", Type::string, Unit::none,
                    "where `profile` runs programs: emu, local, recorded or slurm"},
                   {"because", Type::string, Unit::none,
                    "who chose it: set target, RPL_TARGET, or what the machine has"},
                   {"broken", Type::strings, Unit::none, "what the main job needs and is missing"},
                   {"missing", Type::integer, Unit::count, "rows that are missing, needed or not"},
                   {"warnings", Type::integer, Unit::count, "rows that spoil something"}},
              .columns = {{"group", Type::string, Unit::none,
                           "what belongs together: an AMD GPU, building kernels, files"},
                          {"check", Type::string, Unit::none, "what was looked for"},
                          {"status", Type::string, Unit::none,
                           "ok, missing, warning, not needed, unknown"},
                          {"needed", Type::boolean, Unit::none,
                           "whether the main job cannot be done without it"},
                          {"found", Type::string, Unit::none, "what was found, or what went wrong"},
                          {"purpose", Type::string, Unit::none, "what it is for"},
                          {"fix", Type::string, Unit::none,
                           "a command to type; null where nothing is to be fixed"}},
              .scalar = "works",
              .examples = {"doctor"}},
          doctor));
}

}  // namespace rpl
