// SPDX-License-Identifier: MIT
#include "shell/core/inputs/targets.h"

#include <fmt/format.h>

#include <cstdlib>

#include "engine/target/capabilities.h"

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
