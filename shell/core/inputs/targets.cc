// SPDX-License-Identifier: MIT
#include "shell/core/inputs/targets.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "engine/target/capabilities.h"
#include "engine/target/emu/emulated_target.h"
#include "engine/target/local/local_target.h"
#include "engine/target/recorded/recorded_target.h"
#include "engine/target/slurm/slurm_target.h"
#include "shell/core/command/settings.h"
#include "shell/core/inputs/emulated_run.h"
#include "shell/core/session/folders.h"
#include "shell/core/session/jobs.h"

namespace rpl {
namespace {

Result<TargetChoice> chosen(TargetWish wish, Ability need) {
  const char* environment = std::getenv("RPL_TARGET");
  wish.environment = environment == nullptr ? "" : environment;
  return choose_target(wish, need, [] {
    return profile::machine_has(profile::capabilities(profile::this_machine(), ""));
  });
}

/// What `auto` comes to, and why.
std::string choice_text(const Value& setting) {
  const auto choice = chosen(
      {.option = "", .setting = *setting.as<std::string>(), .environment = ""}, Ability::profile);
  if (!choice) return choice.error().message;
  return fmt::format("programs run on {} ({})", to_string(choice->kind), choice->because);
}

}  // namespace

Result<TargetChoice> target_for(const Settings& settings, Ability need, const std::string& option) {
  return chosen({.option = option, .setting = settings.text("target"), .environment = ""}, need);
}

Result<std::unique_ptr<Target>> open_target(const Inputs& inputs, const Jobs& jobs,
                                            TargetKind kind) {
  if (kind == TargetKind::emu) {
    EmulatedOptions options;
    options.model = TRY(emulated_gpu(inputs));
    return std::make_unique<EmulatedTarget>(std::move(options));
  }
  TRY(require(kind, Ability::replay));
  const std::vector<std::string>& program = jobs.program;
  return std::make_unique<LocalTarget>(
      LocalOptions{.program = program.empty() ? std::string() : program[0]});
}

profile::EmulatedDevices emulated_devices(const Settings& settings, const ProgramPlace& place) {
  profile::EmulatedDevices out{.gpu = place.gpu};
  const std::string set = settings.text("emu gpu");
  if (out.gpu.empty() && set != "none") out.gpu = set;
  const std::int64_t count = place.devices != 0
                                 ? place.devices
                                 : static_cast<std::int64_t>(settings.number("emu devices"));
  out.count = static_cast<std::uint32_t>(count);
  return out;
}

TargetKind runs_on(const Settings& settings, TargetKind kind) {
  if (kind != TargetKind::slurm) return kind;
  return target_kind(settings.text("slurm runs")).value_or(TargetKind::local);
}

Result<std::unique_ptr<Target>> open_target(const Settings& settings, SessionLog& log,
                                            TargetKind kind, const ProgramPlace& place) {
  const TargetKind on = runs_on(settings, kind);
  if (!place.gpu.empty() || place.devices != 0) TRY(require(on, Ability::emulated_devices));
  const auto devices = emulated_devices(settings, place);
  switch (kind) {
    case TargetKind::emu:
      return std::make_unique<EmulatedTarget>(EmulatedOptions{.devices = devices});
    case TargetKind::local:
      return std::make_unique<LocalTarget>();
    case TargetKind::recorded:
      return std::make_unique<RecordedTarget>(
          std::filesystem::path(TRY(numbered_folder(log, "profiles", Numbered::free)))
              .parent_path()
              .string());
    case TargetKind::slurm:
      return std::make_unique<SlurmTarget>(JobOptions{.slurm = slurm_options(settings),
                                                      .runs_on = on,
                                                      .ranks = place.ranks,
                                                      .devices = devices.count});
  }
  return fail(Errc::internal, "no such target");
}

void add_target_settings(Settings& settings) {
  Setting target;
  target.param.name = "target";
  target.param.type = ParamType::string;
  target.param.default_value = Value("auto");
  target.param.help =
      "where every command runs that has no --target of its own; auto: RPL_TARGET, else the AMD "
      "GPU of this machine, else emu";
  target.param.choices = target_names();
  target.param.choices.insert(target.param.choices.begin(), "auto");
  target.comes_to = choice_text;
  settings.add(std::move(target));
}

}  // namespace rpl
