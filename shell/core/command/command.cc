// SPDX-License-Identifier: MIT
#include "shell/core/command/command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "engine/base/numbers.h"

namespace rpl {
namespace {

struct Chapter {
  Class value;
  std::string_view name, description;
};

constexpr std::array kChapters{
    Chapter{Class::files, "files", "opening, merging and closing recordings"},
    Chapter{Class::running, "running", "running programs and choosing where they run"},
    Chapter{Class::status, "status", "what is recorded, what is open, how the tool is set"},
    Chapter{Class::walking, "walking", "selecting a dispatch and walking what it waited for"},
    Chapter{Class::data, "data", "printing values, rows and queries"},
    Chapter{Class::analysis, "analysis", "finding out what limits the application"},
    Chapter{Class::capture, "capture", "freezing dispatches and replaying them"},
    Chapter{Class::stepping, "stepping", "stepping a kernel or the optimization"},
    Chapter{Class::proposals, "proposals", "proposing, checking, approving changes"},
    Chapter{Class::tuning, "tuning", "searching parameters"},
    Chapter{Class::exporting, "export", "writing files for other tools and for people"},
    Chapter{Class::support, "support", "help, settings, scripts, the shell itself"},
    Chapter{Class::user, "user", "commands defined by you"},
};

const Chapter& chapter_of(Class value) {
  return *std::ranges::find(kChapters, value, &Chapter::value);
}

std::string spelled(const Param& param) {
  std::string name = param.placeholder;
  if (name.empty()) {
    name = param.name;
    std::ranges::transform(name, name.begin(), [](unsigned char c) {
      return static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c);
    });
  }
  if (param.kind == ParamKind::positional) return name + (param.repeated ? " ..." : "");
  if (param.kind == ParamKind::rest) return name;
  if (param.kind == ParamKind::flag) return "--" + param.name;
  if (param.letter != 0) return fmt::format("-{} {}", param.letter, name);
  if (!param.choices.empty()) {
    return fmt::format("--{} {}", param.name, fmt::join(param.choices, "|"));
  }
  return fmt::format("--{} {}", param.name, name);
}

std::string takes(const Param& param) {
  if (!param.choices.empty()) return fmt::format("one of {}", fmt::join(param.choices, ", "));
  switch (param.type) {
    case ParamType::integer:
    case ParamType::number: {
      const std::string number = param.type == ParamType::integer ? "a whole number" : "a number";
      return param.range.any() ? number : fmt::format("{}, {}", number, param.range.text());
    }
    case ParamType::boolean:
      return "on or off";
    case ParamType::string:
      return "text";
  }
  return "a value";
}

std::string shown(const Param& param) {
  const bool dashes = param.kind == ParamKind::option || param.kind == ParamKind::flag;
  return dashes ? "--" + param.name : std::string(param.name);
}

/// A number of the right type, where the range has it.
Result<Value> in_range(const Param& param, Value number) {
  if (param.range.holds(*number.number())) return number;
  return fail(Errc::usage, fmt::format("{} takes {}, not {:.15g}", shown(param), takes(param),
                                       *number.number()));
}

Failure wrong_value(const Param& param, std::string_view text) {
  return fail(Errc::usage, fmt::format("{} takes {}, not '{}'", shown(param), takes(param), text));
}

std::optional<bool> truth(std::string_view text) {
  if (text == "on" || text == "true" || text == "yes" || text == "1") return true;
  if (text == "off" || text == "false" || text == "no" || text == "0") return false;
  return std::nullopt;
}

}  // namespace

std::string Range::text() const {
  if (std::isinf(most)) return fmt::format("{:.15g} or more", least);
  return std::isinf(least) ? fmt::format("at most {:.15g}", most)
                           : fmt::format("{:.15g} to {:.15g}", least, most);
}

std::string_view to_string(Class chapter) { return chapter_of(chapter).name; }

std::string_view to_string(ParamType type) {
  constexpr std::string_view kNames[] = {"string", "integer", "number", "boolean"};
  return kNames[static_cast<std::size_t>(type)];
}

std::string_view description(Class chapter) { return chapter_of(chapter).description; }

std::string dashed(std::string_view name) {
  std::string out(name);
  std::ranges::replace(out, '_', '-');
  return out;
}

std::string underscored(std::string_view name) {
  std::string out(name);
  std::ranges::replace(out, '-', '_');
  return out;
}

std::string Command::schema() const {
  std::string name = underscored(path);
  std::ranges::replace(name, ' ', '.');
  return fmt::format("rpl.{}/{}", name, version);
}

std::string Command::usage() const {
  std::string text = path;
  // The text of a raw command would swallow an option; a line gives it behind a slash.
  const bool behind_slash = raw && !suffix_option.empty();
  if (behind_slash) text += "[/FORMAT]";
  for (const Param& param : params) {
    if (behind_slash && param.name == suffix_option) continue;
    const std::string word = spelled(param);
    const std::string dashes = param.kind == ParamKind::rest && !raw ? "-- " : "";
    text +=
        param.required ? fmt::format(" {}{}", dashes, word) : fmt::format(" [{}{}]", dashes, word);
  }
  return text;
}

const Param* Command::param(std::string_view name) const {
  const std::string wanted = dashed(name);
  const auto found = std::ranges::find(params, std::string_view(wanted), &Param::name);
  return found == params.end() ? nullptr : &*found;
}

Result<Value> parse_value(const Param& param, std::string_view text) {
  if (!param.choices.empty() && std::ranges::find(param.choices, text) == param.choices.end()) {
    return wrong_value(param, text);
  }
  switch (param.type) {
    case ParamType::string:
      return Value(text);
    case ParamType::integer:
      if (const auto number = whole_number<std::int64_t>(text))
        return in_range(param, Value(*number));
      return wrong_value(param, text);
    case ParamType::number:
      if (const auto number = whole_number<double>(text)) return in_range(param, Value(*number));
      return wrong_value(param, text);
    case ParamType::boolean:
      if (const auto state = truth(text)) return Value(*state);
      return wrong_value(param, text);
  }
  return wrong_value(param, text);
}

Result<Value> check_value(const Param& param, const Value& value) {
  if (const auto* text = value.as<std::string>()) return parse_value(param, *text);
  if (const auto* list = value.as<List>(); list && param.repeated) {
    List checked;
    for (const Value& item : *list) checked.push_back(TRY(check_value(param, item)));
    return Value(std::move(checked));
  }
  if (value.as<bool>() && param.type == ParamType::boolean) return value;
  if (value.as<std::int64_t>()) {
    if (param.type == ParamType::integer || param.type == ParamType::number)
      return in_range(param, value);
    if (param.type == ParamType::string) {
      return parse_value(param, std::to_string(*value.as<std::int64_t>()));
    }
  }
  if (const auto* number = value.as<double>()) {
    if (param.type == ParamType::number) return in_range(param, value);
    const auto integer = static_cast<std::int64_t>(*number);
    const bool exact = static_cast<double>(integer) == *number;
    if (param.type == ParamType::integer && exact) return in_range(param, Value(integer));
    if (param.type == ParamType::string) return parse_value(param, fmt::format("{}", *number));
  }
  return fail(Errc::usage, fmt::format("{} takes {}", shown(param), takes(param)));
}

}  // namespace rpl
