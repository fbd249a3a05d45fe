// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "engine/document/value.h"

namespace rpl {

/// One JSON object of a file that is not trusted. Every failure is corrupt and names the place: "dispatch.json: grid[1] is not a whole number".
class JsonFields {
 public:
  /// Fails when `value` is not an object. The value must outlive the result.
  static Result<JsonFields> of(const Value& value, std::string place);

  /// A whole number from 0 to `most`, also as a hex string.
  [[nodiscard]] Result<std::uint64_t> number(std::string_view key, std::uint64_t most) const;
  [[nodiscard]] Result<std::array<std::uint32_t, 3>> three(std::string_view key) const;
  [[nodiscard]] Result<std::string> text(std::string_view key) const;
  [[nodiscard]] Result<bool> flag(std::string_view key) const;
  [[nodiscard]] Result<const List*> list(std::string_view key) const;
  [[nodiscard]] bool has(std::string_view key) const { return value_->find(key) != nullptr; }
  /// The value, when the field is there and not null.
  [[nodiscard]] const Value* find(std::string_view key) const;
  [[nodiscard]] Failure error(std::string_view key, std::string_view what) const;
  /// "memory_regions.json: regions[3]" for messages about elements.
  [[nodiscard]] std::string element(std::string_view key, std::size_t index) const;
  /// "capture.json: queue".
  [[nodiscard]] std::string member(std::string_view key) const;

 private:
  JsonFields(const Value& value, std::string place) : value_(&value), place_(std::move(place)) {}

  const Value* value_;
  std::string place_;
};

}  // namespace rpl
