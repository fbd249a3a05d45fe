// SPDX-License-Identifier: MIT
#include "shell/core/command/settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cassert>

#include "engine/document/json.h"
#include "shell/core/command/gdb_words.h"
#include "shell/core/command/nearest.h"

namespace rpl {
namespace {

ParamType type_of(const Value& value) {
  if (value.as<bool>()) return ParamType::boolean;
  if (value.as<std::int64_t>()) return ParamType::integer;
  return value.is_number() ? ParamType::number : ParamType::string;
}

}  // namespace

void Settings::add(Setting setting) {
  values_[setting.param.name] = setting.param.default_value;
  settings_[setting.param.name] = std::move(setting);
}

void Settings::add(Label name, Value initial, Label help,
                   std::function<Status(const Value&)> check) {
  const ParamType type = type_of(initial);
  // In messages its name stands without dashes.
  add({.param = {.name = name,
                 .kind = ParamKind::positional,
                 .type = type,
                 .help = help,
                 .default_value = std::move(initial)},
       .check = std::move(check)});
}

void Settings::add(Label name, Value initial, Range range, Label help) {
  add(name, std::move(initial), help);
  settings_.find(name)->second.param.range = range;
}

void Settings::add(Label name, const char* initial, std::vector<Label> choices, Label help) {
  add(name, Value(initial), help);
  settings_.find(name)->second.param.choices = std::move(choices);
}

void Settings::guard(std::string_view name, Capabilities needs) {
  settings_.find(name)->second.needs = needs;
}

void Settings::keep_secret(std::string_view name) { settings_.find(name)->second.secret = true; }

std::string Settings::without_secret(std::string_view line) const {
  for (const auto& [name, setting] : settings_) {
    if (!setting.secret) continue;
    // Wherever the name stands: a line may be one of Lua, a definition, or an option of the program. Its last word may be cut short as at the prompt.
    const std::string_view family = std::string_view(name).substr(0, name.rfind('-') + 2);
    const std::size_t at = line.find(family);
    if (at == std::string_view::npos) continue;
    const std::size_t end = line.find_first_of(" \t'\",=)", at + family.size());
    if (end == std::string_view::npos) continue;
    const bool same = std::string_view(name).starts_with(line.substr(at, end - at));
    if (same) return std::string(line.substr(0, end)) + " …";
  }
  return std::string(line);
}

Status Settings::set(std::string_view name, const Value& value) {
  const auto found = settings_.find(name);
  if (found == settings_.end()) {
    return fail(Errc::not_found, fmt::format("no setting '{}'", name), "'show' lists them");
  }
  TRY(check_allowed(found->second.needs, fmt::format("setting '{}'", found->first)));
  // A setting that is unset at first can be so again.
  if (value.is_null() && found->second.param.default_value.is_null()) {
    values_.find(name)->second = value;
    return {};
  }
  const auto refused = [&](Error error) {
    const Value& initial = found->second.param.default_value;
    const auto* text = initial.as<std::string>();
    return Failure(std::move(error).or_hint(fmt::format("'set {} {}' restores the default", name,
                                                        initial.is_null() ? "none"
                                                        : text != nullptr ? *text
                                                                          : to_json(initial))));
  };
  auto checked = check_value(found->second.param, value);
  if (!checked) return refused(std::move(checked).error());
  if (found->second.check) {
    if (auto status = found->second.check(*checked); !status)
      return refused(std::move(status).error().in(name));
  }
  values_.find(name)->second = std::move(*checked);
  return {};
}

const Value& Settings::get(std::string_view name) const {
  const auto found = values_.find(name);
  assert(found != values_.end() && "settings are declared in add_core_settings");
  return found->second;
}

std::int64_t Settings::integer(std::string_view name) const {
  return *get(name).as<std::int64_t>();
}

double Settings::number(std::string_view name) const { return *get(name).number(); }

bool Settings::on(std::string_view name) const { return *get(name).as<bool>(); }

const std::string& Settings::text(std::string_view name) const {
  static const std::string empty;
  const auto* text = get(name).as<std::string>();
  return text ? *text : empty;
}

Result<std::pair<const Setting*, std::size_t>> Settings::resolve(
    std::span<const std::string> words) const {
  std::string typed;
  for (std::size_t count = 1; count <= words.size(); ++count) {
    typed += (count == 1 ? "" : " ") + words[count - 1];
    if (const auto exact = settings_.find(typed); exact != settings_.end()) {
      return std::pair{&exact->second, count};
    }
  }
  std::vector<std::string> names, candidates;
  for (const auto& [name, held] : settings_) {
    names.push_back(name);
    if (!words.empty() && name.starts_with(words[0])) candidates.push_back(name);
  }
  // `set print pretty on` is about another setting than the one that begins with the same word.
  const bool another =
      candidates.size() == 1 && words.size() > 1 && candidates[0].starts_with(words[0] + " ");
  if ((candidates.size() != 1 || another) && !words.empty()) {
    std::vector<std::string> line{"set"};
    line.insert(line.end(), words.begin(), words.end());
    if (auto answer = gdb_answer_to(line)) return Failure(std::move(*answer));
  }
  if (candidates.size() == 1) return std::pair{&settings_.at(candidates[0]), std::size_t{1}};
  if (!candidates.empty()) {
    return fail(Errc::ambiguous,
                fmt::format("ambiguous setting '{}': {}", words[0], fmt::join(candidates, ", ")),
                "type a few more letters");
  }
  const std::string hint = did_you_mean(nearest(words.empty() ? "" : words[0], names));
  return fail(Errc::usage, fmt::format("no setting '{}'", typed),
              hint.empty() ? "'show' lists them" : hint);
}

void add_core_settings(Settings& settings) {
  settings.add("listsize", 10, within(1, 1000), "lines that list shows");
  settings.add("height", 0, at_least(0),
               "lines of the screen, as GDB has it; what is longer is paged as `pager` says");
  settings.add("breakpoint pending", "auto", {"auto", "on", "off"},
               "whether break takes a name that no open code object has: on waits for one");
  settings.add("print demangle", true,
               "show mangled names of kernels as the source has them (JSON and CSV keep them)");
  settings.add("width", 0, at_least(0), "columns of the terminal; 0 asks the terminal");
  settings.add("rows", 50, at_least(0),
               "most rows shown on a terminal before a table is cut; 0 shows all");
  settings.add("history size", 5000, at_least(0), "lines kept in the history file");
  settings.add("history values", 1000, at_least(0),
               "results that are kept ($1, $2, ...); 0 keeps all");
  settings.add("history bytes", std::int64_t{64} << 20U, at_least(0),
               "memory that kept results take at most; 0 keeps all");
  settings.add("pager", true, "show results longer than the screen in $RPL_PAGER, $PAGER or less");
  settings.add("confirm", true, "ask before something that cannot be undone");
  settings.add("next", true, "say after a result what is worth typing next");
  settings.add("trace-back", false, "show the Lua stack of a script's error");
  settings.add("color", "auto", {"auto", "on", "off"}, "colour in text");
  settings.add("build compiler", {},
               "program that compiles HIP sources; empty looks for hipcc of ROCm, then clang-19, "
               "clang-22, clang-21, clang-20: the first that knows the architecture");
  settings.add("build headers", "auto", {"auto", "installed", "own"},
               "whose HIP headers clang compiles with: installed ones, rpl's own, or auto: "
               "installed ones where there are any");
  settings.add("build debug", "off", {"off", "lines", "full"},
               "what `build` records for the debugger: nothing, source lines, which leave the code "
               "as it is, or variables as well, with which clang may order a few instructions "
               "otherwise");
  settings.add("build cache", true,
               "keep code objects by content, and take one that was built before from an equal "
               "source with equal options");
  settings.add("build confined-seconds", 60, at_least(1),
               "processor time of a compiler that works on what an agent, a model or a rule wrote");
  settings.add("optimize min-improvement", 0.01,
               "gain below which nothing is accepted, a fraction");
  settings.add("optimize scope", "extended", {"v1", "extended"},
               "which rules propose: extended is the whole catalogue of rules.md, v1 unrolls loops "
               "alone");
  settings.add("optimize assume-captured", false,
               "let rules take what holds for captured launches (sizes, disjoint pointers) to "
               "hold for all");
  settings.add("optimize resource-gate", "warn", {"on", "warn", "off"},
               "a faster kernel that needs 20 % more VGPRs, 30 % more LDS, 10 % more DRAM traffic "
               "or loses 15 % occupancy: on rejects it, warn says so");
  settings.add("optimize check-cmd", {},
               "your own check of a proposal that verify let through, for /bin/sh: a status other "
               "than 0 rejects; RPL_CHECK_… name its files; empty: none");
  settings.guard("build compiler", {Capability::run});
  settings.guard("build confined-seconds", {Capability::run});
  settings.guard("optimize check-cmd", {Capability::run});
  settings.add("optimize seed", 0, at_least(0),
               "what verification draws inputs with; 0: a secret seed for each search and each "
               "final verification, kept in the evidence");
  settings.add("graphics", "auto", {"auto", "ascii", "unicode"},
               "characters of drawings: plain ASCII or Unicode blocks");
}

}  // namespace rpl
