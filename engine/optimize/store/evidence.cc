// SPDX-License-Identifier: MIT
#include <algorithm>

#include "engine/optimize/store/proposal.h"

namespace rpl {
const Value* value_in(const Record& evidence, std::string_view stage, std::string_view field) {
  const auto found = std::ranges::find(evidence, stage, &Record::value_type::first);
  return found == evidence.end() ? nullptr : found->second.find(field);
}

std::optional<double> number_in(const Record& evidence, std::string_view stage,
                                std::string_view field) {
  const Value* value = value_in(evidence, stage, field);
  return value ? value->number() : std::nullopt;
}

std::string text_in(const Record& evidence, std::string_view stage, std::string_view field) {
  const Value* value = value_in(evidence, stage, field);
  const std::string* text = value ? value->as<std::string>() : nullptr;
  return text ? *text : "";
}

void put(Record& record, std::string_view name, Value value) {
  for (auto& [key, held] : record) {
    if (key != name) continue;
    held = std::move(value);
    return;
  }
  record.emplace_back(std::string(name), std::move(value));
}

}  // namespace rpl
