// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/document/value.h"

namespace rpl {

/// Reads the fields of a record that the session holds, and remembers the first that is missing or of another type: anyone may have written
/// the database. Borrows value and name.
class RecordFields {
 public:
  /// `what` the record is, for the message: "proposal".
  RecordFields(const Value& value, std::string_view what) : value_(value), what_(what) {}

  template <class T>
  T get(std::string_view name) {
    const Value* found = value_.find(name);
    const T* typed = found ? found->as<T>() : nullptr;
    if (!typed) reject(name);
    return typed ? *typed : T{};
  }
  /// An integer or a real number.
  double number(std::string_view name) {
    const Value* found = value_.find(name);
    const auto value = found ? found->number() : std::nullopt;
    if (!value) reject(name);
    return value.value_or(0);
  }
  /// An integer of 0 or more.
  std::uint64_t count(std::string_view name) {
    const double value = number(name);
    if (value < 0 || value > 9e15) reject(name);
    return value < 0 || value > 9e15 ? 0 : static_cast<std::uint64_t>(value);
  }
  std::vector<std::string> strings(std::string_view name) {
    std::vector<std::string> out;
    for (const Value& item : get<List>(name)) {
      if (const std::string* text = item.as<std::string>()) out.push_back(*text);
    }
    return out;
  }
  /// A value of an enumeration, by its name: word("state", proposal_state).
  template <class T>
  T word(std::string_view name, std::optional<T> (*read)(std::string_view)) {
    const auto found = read(get<std::string>(name));
    if (!found) reject(name);
    return found.value_or(T{});
  }
  /// Fields that older sessions do not have: empty there.
  std::string text_or_none(std::string_view name) {
    return value_.find(name) ? get<std::string>(name) : "";
  }
  std::vector<std::string> strings_or_none(std::string_view name) {
    return value_.find(name) ? strings(name) : std::vector<std::string>();
  }
  void reject(std::string_view name) {
    if (bad_.empty()) bad_ = name;
  }
  /// Fails with corrupt, naming the field.
  [[nodiscard]] Status status() const {
    if (bad_.empty()) return {};
    return fail(Errc::corrupt,
                fmt::format("the session's {} has no usable field '{}'", what_, bad_));
  }

 private:
  const Value& value_;
  std::string_view what_;
  std::string bad_;
};

inline List text_list(const std::vector<std::string>& items) {
  return {items.begin(), items.end()};
}

}  // namespace rpl
