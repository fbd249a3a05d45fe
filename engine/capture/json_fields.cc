// SPDX-License-Identifier: MIT
#include "engine/capture/json_fields.h"

#include <fmt/format.h>

#include <limits>
#include <optional>

#include "engine/base/numbers.h"

namespace rpl {
namespace {

std::optional<std::uint64_t> whole_number(const Value& value) {
  if (const auto* number = value.as<std::int64_t>()) {
    if (*number < 0) return std::nullopt;
    return static_cast<std::uint64_t>(*number);
  }
  const auto* text = value.as<std::string>();
  if (text == nullptr || !text->starts_with("0x")) return std::nullopt;
  return decimal_or_hex(*text);
}

}  // namespace

Result<JsonFields> JsonFields::of(const Value& value, std::string place) {
  if (value.as<Record>() == nullptr) return fail(Errc::corrupt, place + " is not an object");
  return JsonFields(value, std::move(place));
}

Failure JsonFields::error(std::string_view key, std::string_view what) const {
  return fail(Errc::corrupt, fmt::format("{}: {} {}", place_, key, what));
}

std::string JsonFields::element(std::string_view key, std::size_t index) const {
  return fmt::format("{}: {}[{}]", place_, key, index);
}

std::string JsonFields::member(std::string_view key) const {
  return fmt::format("{}: {}", place_, key);
}

const Value* JsonFields::find(std::string_view key) const {
  const Value* found = value_->find(key);
  return found == nullptr || found->is_null() ? nullptr : found;
}

Result<std::uint64_t> JsonFields::number(std::string_view key, std::uint64_t most) const {
  const Value* found = value_->find(key);
  if (found == nullptr) return error(key, "is missing");
  const auto number = whole_number(*found);
  if (!number) return error(key, "is not a whole number");
  if (*number > most) return error(key, fmt::format("is {}, above {}", *number, most));
  return *number;
}

Result<std::array<std::uint32_t, 3>> JsonFields::three(std::string_view key) const {
  const List* items = TRY(list(key));
  std::array<std::uint32_t, 3> result{};
  if (items->size() != result.size()) return error(key, "is not a list of three");
  for (std::size_t i = 0; i < result.size(); ++i) {
    const auto number = whole_number((*items)[i]);
    if (!number || *number > std::numeric_limits<std::uint32_t>::max()) {
      return error(fmt::format("{}[{}]", key, i), "is not a whole number of 32 bits");
    }
    result[i] = static_cast<std::uint32_t>(*number);
  }
  return result;
}

Result<std::string> JsonFields::text(std::string_view key) const {
  const Value* found = value_->find(key);
  if (found == nullptr) return error(key, "is missing");
  const auto* text = found->as<std::string>();
  if (text == nullptr) return error(key, "is not a string");
  return *text;
}

Result<bool> JsonFields::flag(std::string_view key) const {
  const Value* found = value_->find(key);
  if (found == nullptr) return error(key, "is missing");
  const auto* flag = found->as<bool>();
  if (flag == nullptr) return error(key, "is neither true nor false");
  return *flag;
}

Result<const List*> JsonFields::list(std::string_view key) const {
  const Value* found = value_->find(key);
  if (found == nullptr) return error(key, "is missing");
  const auto* items = found->as<List>();
  if (items == nullptr) return error(key, "is not a list");
  return items;
}

}  // namespace rpl
