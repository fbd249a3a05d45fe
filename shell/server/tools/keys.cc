// SPDX-License-Identifier: MIT
#include "shell/server/tools/keys.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "engine/document/json.h"
#include "shell/core/command/nearest.h"
#include "shell/core/command/registry.h"

namespace rpl {
namespace {

/// Words that agents use for one another.
constexpr std::array<std::string_view, 22> kSameMeaning = {
    "path paths file files filename folder recording trace traces att",
    "kernel kernels name changes kernel_name symbol function",
    "topic help command subject",
    "code text script lua content",
    "line lines command commands cmd input",
    "what ref reference expression value field number",
    "sql query statement select",
    "before baseline old first a",
    "after candidate candidates new second b",
    "limit top count rows max n max_rows",
    "speedup factor times faster",
    "program application app argv args cmd command",
    "source src file path",
    "object code_object file path",
    "capture capture_dir dir folder",
    "action what kind mode stage operation",
    "view kind by mode type",
    "proposal id patch",
    "find old old_str before",
    "replace new new_str after",
    "more handle cursor next",
    "output out o directory dir",
};

const ToolKey* key_named(std::span<const ToolKey> keys, std::string_view name) {
  const auto found = std::ranges::find(keys, name, &ToolKey::name);
  return found == keys.end() ? nullptr : &*found;
}

std::string shown(const ToolKey& key) {
  if (!key.choices.empty()) return fmt::format("one of {}", fmt::join(key.choices, ", "));
  if (key.repeated) return key.type == "string" ? "an array of strings" : "an array";
  if (key.type == "integer") return "a whole number";
  if (key.type == "boolean") return "true or false";
  if (key.type == "object") return "an object";
  return key.type == "number" ? "a number" : "a string";
}

std::string example(const ToolKey& key) {
  const std::string value = key.type == "integer" || key.type == "number" ? "1"
                            : key.type == "boolean"                       ? "true"
                            : key.type == "object"                        ? "{}"
                                                                          : "\"…\"";
  return fmt::format("{{\"{}\": {}}}", key.name, key.repeated ? "[" + value + "]" : value);
}

std::string known_keys(std::span<const ToolKey> keys) {
  if (keys.empty()) return "it takes no keys: {}";
  std::vector<std::string> names;
  for (const ToolKey& key : keys) names.push_back(key.name);
  return fmt::format("its keys are {}", fmt::join(names, ", "));
}

/// The key that somebody meant by `name`.
const ToolKey* meant(std::span<const ToolKey> keys, std::string_view name) {
  for (const std::string_view words : kSameMeaning) {
    const std::vector<std::string> group = split_words(words);
    if (std::ranges::find(group, name) == group.end()) continue;
    for (const std::string& word : group) {
      if (const ToolKey* key = key_named(keys, word)) return key;
    }
  }
  std::vector<std::string> names;
  for (const ToolKey& key : keys) names.push_back(key.name);
  const auto near = nearest(name, names);
  return near.empty() ? nullptr : key_named(keys, near.front());
}

bool fits(const ToolKey& key, const Value& value) {
  // Numbers as text, and a whole number as a double, are taken by those who read them.
  if (value.as<std::string>() != nullptr) return key.type != "object";
  if (key.type == "integer" || key.type == "number") return value.is_number();
  if (key.type == "boolean") return value.as<bool>() != nullptr;
  if (key.type == "object") return value.as<Record>() != nullptr;
  return value.is_number();
}

Status check_value_of(std::string_view tool, const ToolKey& key, const Value& value) {
  const auto wrong = [&] {
    return fail(Errc::usage, fmt::format("the key '{}' of {} takes {}", key.name, tool, shown(key)),
                example(key));
  };
  if (const auto* list = value.as<List>()) {
    if (!key.repeated) return wrong();
    for (const Value& one : *list) {
      if (!fits(key, one)) return wrong();
    }
    return {};
  }
  if (!fits(key, value)) return wrong();
  const auto* text = value.as<std::string>();
  if (key.choices.empty() || text == nullptr) return {};
  return std::ranges::find(key.choices, *text) == key.choices.end() ? Status(wrong()) : Status();
}

}  // namespace

Record keys_schema(std::span<const ToolKey> keys) {
  Record properties;
  List required;
  for (const ToolKey& key : keys) {
    Record one{{"type", Value(key.type)}};
    if (!key.choices.empty())
      one.emplace_back("enum", Value(List(key.choices.begin(), key.choices.end())));
    Record out = key.repeated ? Record{{"type", Value("array")}, {"items", Value(std::move(one))}}
                              : std::move(one);
    if (!key.help.empty()) out.emplace_back("description", Value(key.help));
    properties.emplace_back(key.name, Value(std::move(out)));
    if (key.required) required.emplace_back(key.name);
  }
  Record out{{"type", Value("object")},
             {"properties", Value(std::move(properties))},
             {"additionalProperties", Value(false)}};
  if (!required.empty()) out.emplace_back("required", Value(std::move(required)));
  return out;
}

Status check_keys(std::string_view tool, std::span<const ToolKey> keys, const Record& given) {
  for (const auto& [name, value] : given) {
    const ToolKey* key = key_named(keys, name);
    if (key == nullptr) {
      const ToolKey* other = meant(keys, name);
      return fail(Errc::usage, fmt::format("{} has no key '{}'", tool, name),
                  other == nullptr ? known_keys(keys)
                                   : fmt::format("the key is '{}', {}: {}", other->name,
                                                 shown(*other), example(*other)));
    }
    if (!value.is_null()) TRY(check_value_of(tool, *key, value));
  }
  for (const ToolKey& key : keys) {
    const auto is_it = [&](const auto& one) {
      return one.first == key.name && !one.second.is_null();
    };
    if (!key.required || std::ranges::any_of(given, is_it)) continue;
    return fail(Errc::usage,
                fmt::format("{} needs the key '{}'{}{}", tool, key.name,
                            key.help.empty() ? "" : ": ", key.help),
                example(key));
  }
  return {};
}

}  // namespace rpl
