// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace rpl {

class Value;
using List = std::vector<Value>;
/// Named values in the order in which they are shown.
using Record = std::vector<std::pair<std::string, Value>>;

/// One cell of a result: what JSON can say, integers kept apart from floating point. Numbers are in base units
/// (ns, bytes, Hz), shares and fractions 0 to 1; unknown is null. 64-bit addresses and handles are strings, see hex().
class Value {
 public:
  // What a variant of strings and lists makes long is compiled once, in value.cc: nearly every line of a handler makes a value.
  Value();
  Value(const Value& other);
  Value(Value&& other) noexcept;
  Value& operator=(const Value& other);
  Value& operator=(Value&& other) noexcept;
  ~Value();
  Value(std::nullptr_t);
  Value(bool value);
  Value(std::int64_t value);
  Value(int value);
  Value(std::uint32_t value);
  /// Counts and sizes; a value above 2^63 - 1 becomes its hex string, never a negative number.
  Value(std::uint64_t value);
  Value(double value);
  Value(std::string value);
  Value(std::string_view value);
  Value(const char* value);
  Value(List value);
  Value(Record value);
  template <class T>
  Value(const std::optional<T>& value) {
    if (value) *this = Value(*value);
  }

  [[nodiscard]] bool is_null() const;
  [[nodiscard]] bool is_number() const;
  /// The content if it has exactly this type (bool, std::int64_t, double, std::string, List, Record), else nullptr.
  template <class T>
  [[nodiscard]] const T* as() const;
  template <class T>
  [[nodiscard]] T* as();
  /// Integer or floating point as double; nullopt for anything else.
  [[nodiscard]] std::optional<double> number() const;
  /// A field of a Record, or nullptr.
  [[nodiscard]] const Value* find(std::string_view key) const;

  /// A text, or null for an empty one: unknown.
  static Value known(std::string_view text);
  /// A number, or null for 0: unknown.
  static Value known(std::uint64_t number);

  bool operator==(const Value& other) const;

 private:
  std::variant<std::monostate, bool, std::int64_t, double, std::string, List, Record> data_;
};

/// "0x7f00": how 64-bit addresses and handles are written everywhere.
std::string hex(std::uint64_t value);

}  // namespace rpl
