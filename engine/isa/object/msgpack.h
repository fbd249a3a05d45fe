// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/base/result.h"
#include "engine/isa/object/byte_view.h"

namespace rpl::isa {

/// One MessagePack value, as far as code-object metadata uses the format: no floats, binaries or extensions.
/// Format: https://github.com/msgpack/msgpack/blob/master/spec.md
class Msgpack {
 public:
  using Array = std::vector<Msgpack>;
  using Map = std::vector<std::pair<std::string, Msgpack>>;
  using Value =
      std::variant<std::monostate, bool, std::int64_t, std::uint64_t, std::string, Array, Map>;

  Msgpack() = default;
  explicit Msgpack(Value value) : value_(std::move(value)) {}

  /// The entry of a map, or a nil value for a missing key and for what is not a map.
  [[nodiscard]] const Msgpack& operator[](std::string_view key) const;
  /// The elements of an array; empty for anything else.
  [[nodiscard]] const Array& array() const;
  [[nodiscard]] std::string_view text() const;
  /// A number from 0 to 2^32-1, else `missing`.
  [[nodiscard]] std::uint32_t number(std::uint32_t missing = 0) const;
  [[nodiscard]] bool flag() const;
  [[nodiscard]] bool is_nil() const { return std::holds_alternative<std::monostate>(value_); }

 private:
  Value value_;
};

/// Reads one value and ignores what follows it. Fails with corrupt for what is cut short, nested deeper than 16 or made of
/// more than 2^20 values, with unsupported for a type outside Msgpack::Value.
Result<Msgpack> read_msgpack(ByteView bytes);

}  // namespace rpl::isa
