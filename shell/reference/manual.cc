// SPDX-License-Identifier: MIT
#include "shell/reference/manual.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "engine/document/bound.h"
#include "shell/core/session/values.h"

namespace rpl {
namespace {

constexpr std::size_t kPageWidth = 78;

std::string spelled(const Param& param) {
  const bool dashes = param.kind == ParamKind::option || param.kind == ParamKind::flag;
  return (dashes ? "--" : "") + param.name;
}

/// "default 20; text|json; may be repeated": what else is to be said about a parameter.
std::string remarks(const Param& param) {
  std::vector<std::string> parts;
  if (param.required) parts.emplace_back("required");
  if (!param.default_value.is_null()) {
    parts.push_back("default " + as_text(param.default_value));
  }
  if (!param.choices.empty()) parts.push_back(fmt::format("{}", fmt::join(param.choices, "|")));
  if (!param.range.any()) parts.push_back(param.range.text());
  if (param.repeated) parts.emplace_back("may be repeated");
  return fmt::format("{}", fmt::join(parts, "; "));
}

struct Entry {
  std::string name, kind, description;
};

std::string section(std::string_view title, const std::vector<Entry>& entries) {
  if (entries.empty()) return {};
  std::size_t name = 0, kind = 0;
  for (const Entry& entry : entries) {
    name = std::max(name, entry.name.size());
    kind = std::max(kind, entry.kind.size());
  }
  std::string text = fmt::format("\n{}\n", title);
  for (const Entry& entry : entries) {
    text += fmt::format("  {:<{}}  {:<{}}  {}\n", entry.name, name, entry.kind, kind,
                        entry.description);
  }
  return text;
}

std::vector<Entry> param_entries(const Command& command) {
  std::vector<Entry> entries;
  for (const Param& param : command.params) {
    const std::string more = remarks(param);
    entries.push_back({spelled(param), std::string(type_words(param)),
                       param.help + (more.empty() ? "" : fmt::format(" ({})", more))});
  }
  return entries;
}

/// A column, and behind it what is nested in it: "runs[].total_ns". A record that may contain itself is described once.
void add_column(std::vector<Entry>& entries, const std::string& before, const Column& column,
                std::vector<const BoundColumn*>& around) {
  const BoundList nested = column.nested == nullptr ? BoundList() : column.nested();
  const bool list = nested.size() != 0 && column.values.value_or(column.type) != Type::record;
  std::string kind(list && !column.values ? "list" : to_string(column.type));
  if (column.unit != Unit::none) kind += fmt::format(", {}", to_string(column.unit));
  entries.push_back({before + std::string(column.name), kind, column.description});
  if (nested.size() == 0 || std::ranges::find(around, nested.first) != around.end()) return;
  around.push_back(nested.first);
  const std::string inside =
      entries.back().name + (column.values ? ".*" : "") + (list ? "[]." : ".");
  for (const BoundColumn& field : nested) add_column(entries, inside, field.about, around);
  around.pop_back();
}

std::vector<Entry> column_entries(const std::vector<Column>& columns) {
  std::vector<Entry> entries;
  std::vector<const BoundColumn*> around;
  for (const Column& column : columns) add_column(entries, "", column, around);
  return entries;
}

/// A cell of a Markdown table: a bar would end it.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

std::string markdown_table(std::string_view title, const std::vector<Entry>& entries) {
  if (entries.empty()) return {};
  std::string text = fmt::format("\n**{}**\n\n| name | type | |\n|---|---|---|\n", title);
  for (const Entry& entry : entries) {
    text +=
        fmt::format("| `{}` | {} | {} |\n", entry.name, cell(entry.kind), cell(entry.description));
  }
  return text;
}

std::string markdown_command(const Command& command) {
  std::string text = fmt::format("\n## {}\n\n{}\n\n```\n{}\n```\n\n{}\n", command.path,
                                 command.summary, command.usage(), command.help);
  if (!command.aliases.empty()) {
    text += fmt::format("\nAlso spelled: `{}`.\n", fmt::join(command.aliases, "`, `"));
  }
  text += manual_tables(command);
  text +=
      fmt::format("\nDocument: [`{}`](../schemas/{}.json)", command.schema(), schema_file(command));
  if (!command.scalar.empty()) text += fmt::format("; `/q` prints `{}`", command.scalar);
  text += ".\n";
  if (command.examples.empty()) return text;
  return text + fmt::format("\n```\n{}\n```\n", fmt::join(command.examples, "\n"));
}

/// "`kernel`, `calls`, `total_ns`"; "" of nothing.
std::string names_of(const std::vector<Column>& columns) {
  std::string names;
  for (const Column& column : columns)
    names += fmt::format("{}`{}`", names.empty() ? "" : ", ", column.name);
  return names;
}

/// What a program has to know before it runs the command by itself.
std::string_view effect_of(const Command& command) {
  if (command.changes_sources) return "writes into sources: a person decides";
  if (command.destroys) return "removes what cannot be had again";
  return "";
}

std::string reference_entry(const Command& command) {
  std::string text = fmt::format("\n### {}\n\n{}\n\n```\n{}\n```\n", command.path, command.summary,
                                 command.usage());
  std::vector<std::string> facts;
  if (!command.fields.empty()) facts.push_back("record: " + names_of(command.fields));
  if (!command.columns.empty()) facts.push_back("rows: " + names_of(command.columns));
  if (!command.scalar.empty()) facts.push_back(fmt::format("`/q`: `{}`", command.scalar));
  if (const std::string_view effect = effect_of(command); !effect.empty())
    facts.push_back(fmt::format("**{}**", effect));
  for (const std::string& fact : facts)
    text += fmt::format("{}- {}\n", &fact == &facts.front() ? "\n" : "", fact);
  return text;
}

constexpr std::array kAll{Class::files,     Class::running,  Class::status,    Class::walking,
                          Class::data,      Class::analysis, Class::capture,   Class::stepping,
                          Class::proposals, Class::tuning,   Class::exporting, Class::support,
                          Class::user};

}  // namespace

std::string wrapped_text(const std::string& text) {
  std::istringstream lines(text);
  std::string out;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("    ")) {
      out += line + "\n";
      continue;
    }
    std::istringstream words(line);
    std::size_t column = 0;
    for (std::string word; words >> word;) {
      const bool fits = column == 0 || column + 1 + word.size() <= kPageWidth;
      if (!fits) out += '\n';
      if (!fits) column = 0;
      out += (column == 0 ? "" : " ") + word;
      column += (column == 0 ? 0 : 1) + word.size();
    }
    out += '\n';
  }
  return out;
}

std::string manual_tables(const Command& command) {
  return markdown_table("Parameters", param_entries(command)) +
         markdown_table("Record", column_entries(command.fields)) +
         markdown_table("Table", column_entries(command.columns));
}

std::span<const Class> all_chapters() { return kAll; }

std::vector<const Command*> listed_commands(const Registry& registry, Class chapter) {
  std::vector<const Command*> found;
  for (const auto& [path, command] : registry.all()) {
    if (command->chapter == chapter && !command->hidden) found.push_back(command.get());
  }
  return found;
}

std::string schema_file(std::string schema) {
  std::ranges::replace(schema, '/', '-');
  return schema;
}

std::string schema_file(const Command& command) { return schema_file(command.schema()); }

std::string_view type_words(const Param& param) {
  switch (param.type) {
    case ParamType::string:
      return "text";
    case ParamType::integer:
      return "whole number";
    case ParamType::number:
      return "number";
    case ParamType::boolean:
      return param.kind == ParamKind::flag ? "flag" : "on or off";
  }
  return "text";
}

std::string manual_text(const Command& command) {
  std::string text = fmt::format("{}: {}\n\n  {}\n\n{}", command.path, command.summary,
                                 command.usage(), wrapped_text(command.help));
  if (!command.aliases.empty()) {
    text += fmt::format("\nalso spelled: {}\n", fmt::join(command.aliases, ", "));
  }
  text += section("parameters", param_entries(command));
  text += section("returns", column_entries(command.fields));
  text += section(command.fields.empty() ? "returns rows of" : "with rows of",
                  column_entries(command.columns));
  if (!command.scalar.empty()) text += fmt::format("\n/q prints {}\n", command.scalar);
  if (!command.examples.empty()) text += "\nexamples\n";
  for (const Label& example : command.examples) text += "  " + example + "\n";
  return text;
}

std::string manual_chapter(const Registry& registry, Class chapter) {
  const auto commands = listed_commands(registry, chapter);
  if (commands.empty()) return {};
  std::string text = fmt::format(
      "# {}: {}\n\n"
      "Generated by `rpl maint docs` from the definitions of the commands.\n",
      to_string(chapter), description(chapter));
  for (const Command* command : commands) text += markdown_command(*command);
  return text;
}

std::string manual_index(const Registry& registry) {
  std::string text =
      "# Commands\n\nGenerated by `rpl maint docs` from the definitions of the commands.\n\n"
      "| class | commands |\n|---|---|\n";
  for (const Class chapter : all_chapters()) {
    const auto commands = listed_commands(registry, chapter);
    if (commands.empty()) continue;
    std::vector<std::string> names;
    for (const Command* command : commands) names.push_back(fmt::format("`{}`", command->path));
    text += fmt::format("| [{}]({}.md): {} | {} |\n", to_string(chapter), to_string(chapter),
                        description(chapter), fmt::join(names, ", "));
  }
  return text;
}

std::string manual_reference(const Registry& registry) {
  std::string text =
      "# Every command, briefly\n\n"
      "Generated by `rpl maint reference` from the definitions of the commands. "
      "[SKILL.md](SKILL.md) says how to call them; options, units and what the\n"
      "numbers mean are in [docs/commands](../commands/README.md), or in `rpl help COMMAND "
      "--json`. Record and rows are what `--json` has.\n";
  for (const Class chapter : all_chapters()) {
    const auto commands = listed_commands(registry, chapter);
    if (commands.empty() || chapter == Class::user) continue;
    text += fmt::format("\n## {}: {}\n", to_string(chapter), description(chapter));
    for (const Command* command : commands) text += reference_entry(*command);
  }
  return text;
}

}  // namespace rpl
