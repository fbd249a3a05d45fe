// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "engine/base/policy.h"
#include "engine/document/bound.h"
#include "shell/commands/debug/expressions.h"
#include "shell/core/command/define.h"
#include "shell/core/command/line.h"
#include "shell/core/command/registry.h"
#include "shell/core/command/settings.h"
#include "shell/core/session/face.h"
#include "shell/core/session/script_host.h"
#include "shell/core/session/session_log.h"
#include "shell/core/session/values.h"

namespace rpl {
namespace {

std::string takes(const Param& param) {
  if (!param.choices.empty()) {
    std::string text;
    for (const Label& choice : param.choices) text += (text.empty() ? "" : "|") + choice;
    return text;
  }
  switch (param.type) {
    case ParamType::boolean:
      return "on|off";
    case ParamType::integer:
    case ParamType::number: {
      const std::string number = param.type == ParamType::integer ? "whole number" : "number";
      return param.range.any() ? number : fmt::format("{}, {}", number, param.range.text());
    }
    case ParamType::string:
      return "text";
  }
  return "text";
}

/// Yes/no settings read as they are written: on and off.
Value spelled(const Value& value) {
  const bool* state = value.as<bool>();
  return state == nullptr ? value : Value(*state ? "on" : "off");
}

struct SettingRow {
  const Param* param = nullptr;
  Value value;

  [[nodiscard]] Value initial() const { return spelled(param->default_value); }
};

constexpr auto kSettingColumns = bound_to<SettingRow>(
    column<&SettingRow::param, &Param::name>("setting", "its name").whole(),
    column<&SettingRow::value>("value", "what it is now"),
    column<&SettingRow::initial>("default", "what it is at start").if_room(),
    column<&SettingRow::param, &takes>("takes", "the values it may have").if_room(),
    column<&SettingRow::param, &Param::help>("description", "what it does"));

Result<Document> show_settings(const Settings& settings, std::span<const std::string> words) {
  Document document;
  std::vector<SettingRow> rows;
  const auto add_row = [&](const Setting& setting) {
    rows.push_back({&setting.param, spelled(settings.get(setting.param.name))});
  };
  std::string prefix;
  for (const std::string& word : words) prefix += word + " ";
  for (const auto& [name, setting] : settings.all()) {
    if (name.starts_with(prefix)) add_row(setting);
  }
  if (rows.empty() && !words.empty()) {
    const auto [setting, used] = TRY(settings.resolve(words));
    if (used != words.size()) {
      return fail(Errc::usage, fmt::format("'{}' is one setting", setting->param.name),
                  fmt::format("set {} VALUE changes it", setting->param.name));
    }
    add_row(*setting);
    if (setting->comes_to)
      document.notes.push_back(setting->comes_to(settings.get(setting->param.name)));
  }
  document.table(kSettingColumns, rows);
  return document;
}

struct ShowArgs {
  std::vector<std::string> setting;
};

Result<Document> show(const ShowArgs& args, const Settings& settings, const Registry& registry,
                      Face& face) {
  auto shown = show_settings(settings, args.setting);
  if (shown || args.setting.empty()) return shown;
  // `show val` is an abbreviation of another command, which an argument of this one is not.
  std::vector<std::string> names;
  for (const std::string& word : registry.next_words(std::vector<std::string>{"show"})) {
    if (word.starts_with(args.setting[0])) names.push_back("show " + word);
  }
  if (names.size() == 1) return face.evaluate_line(names[0]);
  return shown;
}

struct SetArgs {
  std::string assignment;
};

/// `$x = 1 + 2`: name and expression.
Result<Document> set_variable(std::string_view text, const Debugger& debugger, SessionLog& log) {
  const std::size_t equals = text.find('=');
  std::string name(text.substr(1, equals == std::string_view::npos ? equals : equals - 1));
  while (!name.empty() && name.back() == ' ') name.pop_back();
  const bool plain = !name.empty() && name.find_first_of(" .[\"'") == std::string::npos &&
                     (name[0] < '0' || name[0] > '9') && name != "$";
  if (equals == std::string_view::npos || !plain) {
    return fail(Errc::usage, fmt::format("'{}' is not an assignment", text),
                "usage: set $NAME = EXPRESSION");
  }
  if (debug::is_kernel_name(name)) {
    TRY(needs_stopped(debugger.state));
    return assigned(debugger, std::string(text));
  }
  const Document result = TRY(evaluated(debugger, std::string(text.substr(equals + 1))));
  Value value = TRY(as_value(result));
  if (const Record* record = value.as<Record>(); record != nullptr && record->size() == 1) {
    value = Value(record->front().second);
  }
  log.append(SessionEventKind::setting, "$" + name, {{"value", value}});
  TRY(debugger.values.assign(name, std::move(value)));
  keep_type(debugger, name);
  return Document{};
}

std::string joined(std::span<const Word> words) {
  std::string text;
  for (const Word& word : words) text += (text.empty() ? "" : " ") + word.text;
  return text;
}

/// What follows `var` or `variable`, as GDB takes an expression that a setting may be called like; nothing without these words.
std::optional<std::string> behind_variable(std::string_view text) {
  for (const std::string_view word : {"variable ", "var "}) {
    if (text.starts_with(word)) return std::string(text.substr(word.size()));
  }
  return std::nullopt;
}

/// `in[0] = 1`: an assignment, and not the name of a setting in front of its value.
bool is_assignment(const Settings& settings, std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) return false;
  return !settings.resolve(std::vector{std::string(text.substr(0, text.find(' ')))}) &&
         debug::parse_expression(text).has_value();
}

Result<Document> set(const SetArgs& args, Settings& settings, Debugger debugger, SessionLog& log) {
  debugging(debugger);
  const auto variable = behind_variable(args.assignment);
  const std::string& text = variable ? *variable : args.assignment;
  const bool plain = text.starts_with('$') && text.find_first_of("([=") == text.find('=');
  if (text.starts_with('$') && (plain || text.find('=') == std::string::npos))
    return set_variable(text, debugger, log);
  if (variable || text.starts_with('$') || is_assignment(settings, text))
    return assigned(debugger, text);
  const Line line = TRY(split_line(args.assignment));
  std::vector<std::string> names;
  for (const Word& word : line.words) names.push_back(word.text);
  if (names.empty()) return show_settings(settings, {});
  const auto [setting, used] = TRY(settings.resolve(names));
  const std::string& name = setting->param.name;
  std::string value = joined(std::span(line.words).subspan(used));
  if (value.empty() && setting->param.type == ParamType::boolean) value = "on";
  if (value.empty()) {
    return fail(Errc::usage, fmt::format("{} needs a value: {}", name, takes(setting->param)),
                fmt::format("show {}", name));
  }
  TRY(settings.set(name, std::string_view(value)));
  log.append(SessionEventKind::setting, name,
             {{"value", setting->secret ? Value("…") : settings.get(name)}});
  return Document{};
}

struct WithArgs {
  std::string text;
};

/// `with NAME VALUE -- LINE`: a setting for one line.
Result<Document> with(const WithArgs& args, Settings& settings, Face& face) {
  constexpr std::string_view kBetween = " -- ";
  const std::size_t between = args.text.find(kBetween);
  if (between == std::string::npos)
    return fail(Errc::usage, "'with' needs a setting and a line, with -- between them",
                "with listsize 3 -- list");
  const Line front = TRY(split_line(args.text.substr(0, between)));
  std::vector<std::string> names;
  for (const Word& word : front.words) names.push_back(word.text);
  const auto [setting, used] = TRY(settings.resolve(names));
  const std::string name = setting->param.name;
  const Value before = settings.get(name);
  std::string value = joined(std::span(front.words).subspan(used));
  if (value.empty() && setting->param.type == ParamType::boolean) value = "on";
  TRY(settings.set(name, std::string_view(value)));
  Document out;
  out.exit_code = face.run_line(args.text.substr(between + kBetween.size()));
  TRY(settings.set(name, before));
  return out;
}

}  // namespace

void add_setting_commands(Registry& registry) {
  Command show_command{
      .path = "show",
      .does = kReads,
      .summary = "Show how the tool is set.",
      .help =
          "Lists all settings, or one, or those that begin with a word (`show history`). `set` "
          "changes them. `info` tells about the recording, `show` about the tool.",
      .columns = described(kSettingColumns),
      .scalar = "value",
      .examples = {"show", "show width", "show history size"}};
  add(registry, command<ShowArgs>(std::move(show_command),
                                  {arg("setting", &ShowArgs::setting, "the name of a setting")
                                       .completes(Complete::setting)},
                                  show));

  Command with_command{.path = "with",
                       .does = kReads,
                       .may = kWhatItRuns,
                       .summary = "Run a line with a setting changed for it alone.",
                       .help = "`with NAME VALUE -- LINE`; the setting is then what it was before.",
                       .examples = {"with width 60 -- show width"},
                       .raw = true,
                       .changes_program = true};
  add(registry, command<WithArgs>(std::move(with_command),
                                  {rest("text", &WithArgs::text, "NAME VALUE -- LINE")}, with));

  Command set_command{
      .path = "set",
      .does = kKeeps,
      .may = {Capability::run, Capability::approve, Capability::trust},
      .summary = "Change a setting or a convenience variable.",
      .help =
          "`set NAME VALUE` changes a setting; a setting that is on or off is switched on without "
          "a value. `set $NAME = EXPRESSION` gives a convenience variable the value of an "
          "expression; any command takes it as `$NAME`. While a kernel is stopped `set $v2 = 5`, "
          "`set $pc = 0x1900` and `set var NAME[0] = 1` write its registers and memory: going back "
          "to before takes that back. Alone it lists the settings.",
      .examples = {"set width 100", "set $limit = 2 * 8", "set"},
      .raw = true,
      .raw_text = RawText::expression,
      .changes_program = true};
  add(registry, command<SetArgs>(
                    std::move(set_command),
                    {rest("assignment", &SetArgs::assignment, "NAME VALUE, or $NAME = EXPRESSION")
                         .completes(Complete::setting)},
                    set));
}

}  // namespace rpl
