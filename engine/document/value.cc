// SPDX-License-Identifier: MIT
#include "engine/document/value.h"

#include <fmt/format.h>

#include <limits>

namespace rpl {

Value::Value() = default;
Value::Value(const Value& other) = default;
Value::Value(Value&& other) noexcept = default;
Value& Value::operator=(const Value& other) = default;
Value& Value::operator=(Value&& other) noexcept = default;
Value::~Value() = default;

Value::Value(std::nullptr_t) {}
Value::Value(bool value) : data_(value) {}
Value::Value(std::int64_t value) : data_(value) {}
Value::Value(int value) : data_(std::int64_t{value}) {}
Value::Value(std::uint32_t value) : data_(std::int64_t{value}) {}
Value::Value(double value) : data_(value) {}
Value::Value(std::string value) : data_(std::move(value)) {}
Value::Value(std::string_view value) : data_(std::string(value)) {}
Value::Value(const char* value) : data_(std::string(value)) {}
Value::Value(List value) : data_(std::move(value)) {}
Value::Value(Record value) : data_(std::move(value)) {}

bool Value::is_null() const { return std::holds_alternative<std::monostate>(data_); }
bool Value::is_number() const { return as<std::int64_t>() || as<double>(); }

template <class T>
const T* Value::as() const {
  return std::get_if<T>(&data_);
}
template <class T>
T* Value::as() {
  return std::get_if<T>(&data_);
}
template const bool* Value::as() const;
template const std::int64_t* Value::as() const;
template const double* Value::as() const;
template const std::string* Value::as() const;
template const List* Value::as() const;
template const Record* Value::as() const;
template bool* Value::as();
template std::int64_t* Value::as();
template double* Value::as();
template std::string* Value::as();
template List* Value::as();
template Record* Value::as();

Value Value::known(std::string_view text) { return text.empty() ? Value() : Value(text); }
Value Value::known(std::uint64_t number) { return number == 0 ? Value() : Value(number); }

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
