// SPDX-License-Identifier: MIT
#include "engine/table/value.h"

#include <fmt/format.h>

#include <limits>

namespace rpl {

Value::Value(const Value& other) = default;
Value::Value(Value&& other) noexcept = default;
Value& Value::operator=(const Value& other) = default;
Value& Value::operator=(Value&& other) noexcept = default;
Value::~Value() = default;

Value::Value(std::string value) : data_(std::move(value)) {}
Value::Value(std::string_view value) : data_(std::string(value)) {}
Value::Value(const char* value) : data_(std::string(value)) {}
Value::Value(List value) : data_(std::move(value)) {}
Value::Value(Record value) : data_(std::move(value)) {}

Value Value::known(const std::string& text) { return text.empty() ? Value() : Value(text); }

bool Value::operator==(const Value& other) const = default;

Value::Value(std::uint64_t value) {
  if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    data_ = hex(value);
  } else {
    data_ = static_cast<std::int64_t>(value);
  }
}

std::optional<double> Value::number() const {
  if (const auto* integer = as<std::int64_t>()) return static_cast<double>(*integer);
  if (const auto* real = as<double>()) return *real;
  return std::nullopt;
}

const Value* Value::find(std::string_view key) const {
  const auto* record = as<Record>();
  if (!record) return nullptr;
  for (const auto& [name, value] : *record) {
    if (name == key) return &value;
  }
  return nullptr;
}

std::string hex(std::uint64_t value) { return fmt::format("0x{:x}", value); }

}  // namespace rpl
