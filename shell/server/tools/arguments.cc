// SPDX-License-Identifier: MIT
#include "shell/server/tools/arguments.h"

#include "engine/document/json.h"

namespace rpl {

const Value* find_argument(const Record& given, std::string_view name) {
  for (const auto& [key, value] : given) {
    if (key == name && !value.is_null()) return &value;
  }
  return nullptr;
}

std::string text_argument(const Record& given, std::string_view name) {
  const Value* value = find_argument(given, name);
  if (value == nullptr) return {};
  const auto* text = value->as<std::string>();
  return text == nullptr ? to_json(*value) : *text;
}

std::vector<std::string> texts_argument(const Record& given, std::string_view name) {
  const Value* value = find_argument(given, name);
  const List* list = value == nullptr ? nullptr : value->as<List>();
  if (list == nullptr)
    return value == nullptr ? std::vector<std::string>{}
                            : std::vector<std::string>{text_argument(given, name)};
  std::vector<std::string> out;
  for (const Value& one : *list) {
    const auto* text = one.as<std::string>();
    out.push_back(text == nullptr ? to_json(one) : *text);
  }
  return out;
}

Record picked(const Record& given, std::initializer_list<std::string_view> names) {
  Record out;
  for (const std::string_view name : names) {
    if (const Value* value = find_argument(given, name)) out.emplace_back(name, *value);
  }
  return out;
}

Record with_default(Record given, std::string_view name, std::int64_t value) {
  if (find_argument(given, name) == nullptr) given.emplace_back(name, Value(value));
  return given;
}

}  // namespace rpl
