// SPDX-License-Identifier: MIT
#include "shell/server/call.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/document/json.h"

namespace rpl {
namespace {

// What only makes sense where somebody types: history, definitions, output that is text. Programs that drive rpl have a shell of their own.
constexpr std::array<std::string_view, 16> kForPrompts{
    "alias",  "background", "complete",     "define",   "display",      "document",
    "echo",   "history",    "info display", "quit",     "record start", "record stop",
    "repeat", "shell",      "trust",        "undisplay"};

Record schema_of(const Param& param) {
  Record one{{"type", Value(to_string(param.type))}};
  if (!param.choices.empty()) {
    List choices;
    for (const Label& choice : param.choices) choices.emplace_back(std::string(choice));
    one.emplace_back("enum", Value(std::move(choices)));
  }
  if (!std::isinf(param.range.least)) one.emplace_back("minimum", Value(param.range.least));
  if (!std::isinf(param.range.most)) one.emplace_back("maximum", Value(param.range.most));
  Record out = param.repeated ? Record{{"type", Value("array")}, {"items", Value(std::move(one))}}
                              : std::move(one);
  out.emplace_back("description", Value(std::string(param.help)));
  if (!param.default_value.is_null()) out.emplace_back("default", param.default_value);
  return out;
}

Record described(std::string_view type, std::string_view text) {
  return {{"type", Value(type)}, {"description", Value(text)}};
}

bool writes_a_file(const Command& command) {
  return std::ranges::any_of(
      command.params, [](const Param& param) { return param.name == std::string_view("output"); });
}

Record annotations_of(const Command& command) {
  const bool reads = only_reads(command);
  return {{"title", Value(std::string(command.path))},
          {"readOnlyHint", Value(reads)},
          {"destructiveHint", Value(command.changes_sources || command.destroys ||
                                    command.param("auto-approve") != nullptr)},
          {"idempotentHint", Value(reads)},
          // Language models are the only ones outside of what the person works with.
          {"openWorldHint", Value(command.path.find("llm") != std::string::npos)}};
}

Value tool_of(const Command& command) {
  std::string description = command.summary;
  if (command.changes_sources)
    description += " Only where a person has allowed it: `set mcp approve on`.";
  return Value(Record{{"name", Value(tool_name(command))},
                      {"title", Value(std::string(command.path))},
                      {"description", Value(std::move(description))},
                      {"inputSchema", Value(tool_input_schema(command))},
                      {"annotations", Value(annotations_of(command))}});
}

}  // namespace

std::string tool_name(const Command& command) {
  std::string name = command.path;
  std::ranges::replace_if(name, [](char c) { return c == ' ' || c == '-'; }, '_');
  return name;
}

bool is_tool(const Command& command) {
  return !command.hidden &&
         std::ranges::find(kForPrompts, std::string_view(command.path)) == kForPrompts.end();
}

const Command* tool_named(const Registry& registry, std::string_view name) {
  for (const auto& [path, command] : registry.all()) {
    if (is_tool(*command) && tool_name(*command) == name) return command.get();
  }
  return nullptr;
}

bool only_reads(const Command& command) {
  // A raw text is a program: Lua.
  if (command.changes_program || command.changes_sources || command.destroys ||
      command.is_user_defined || writes_a_file(command))
    return false;
  if (command.raw) return command.path == "sql";
  switch (command.chapter) {
    case Class::status:
    case Class::data:
    case Class::analysis:
      return true;
    case Class::support:
      return command.path.starts_with("show") || command.path == "help" ||
             command.path == "apropos" || command.path == "explain";
    default:
      return command.path.ends_with(" list") || command.path.ends_with(" info") ||
             command.path == "lineage" || command.path == "audit";
  }
}

Record tool_input_schema(const Command& command) {
  Record properties;
  List required;
  for (const Param& param : command.params) {
    const std::string name = underscored(param.name);
    properties.emplace_back(name, Value(schema_of(param)));
    if (param.required) required.emplace_back(name);
  }
  const auto add = [&](const char* name, Record schema) {
    if (command.param(name) == nullptr) properties.emplace_back(name, Value(std::move(schema)));
  };
  if (!command.raw)
    add("trace", described("string", "recording to work on: id or path; default: the current one"));
  if (!command.columns.empty()) add("limit", described("integer", "at most so many rows; 0: all"));
  Record out{{"type", Value("object")},
             {"properties", Value(std::move(properties))},
             {"additionalProperties", Value(false)}};
  if (!required.empty()) out.emplace_back("required", Value(std::move(required)));
  return out;
}

std::vector<ToolKey> tool_keys(const Command& command) {
  std::vector<ToolKey> out;
  for (const Param& param : command.params) {
    ToolKey key{.name = underscored(param.name),
                .type = std::string(to_string(param.type)),
                .help = std::string(param.help),
                .required = param.required,
                .repeated = param.repeated};
    for (const Label& choice : param.choices) key.choices.emplace_back(std::string(choice));
    out.push_back(std::move(key));
  }
  // Beyond what the schema tells, what take_standing() knows.
  const std::pair<const char*, const char*> standing[] = {
      {"trace", "string"}, {"att", "string"}, {"capture", "string"}, {"limit", "integer"}};
  for (const auto& [name, type] : standing) {
    if (command.param(name) == nullptr) out.push_back({.name = name, .type = type});
  }
  return out;
}

JsonText tool_list(const Registry& registry) {
  List tools;
  for (const auto& [path, command] : registry.all()) {
    if (is_tool(*command)) tools.push_back(tool_of(*command));
  }
  return json_text(Value(Record{{"tools", Value(std::move(tools))}}));
}

}  // namespace rpl
