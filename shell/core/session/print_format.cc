// SPDX-License-Identifier: MIT
#include "shell/core/session/print_format.h"

#include "shell/core/session/values.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace rpl {
namespace {

constexpr std::string_view kFormats = "xduotazfcsr";
constexpr unsigned kByteDigits = 2, kWordBits = 32;

bool is_word(std::int64_t value) {
  return value >= std::numeric_limits<std::int32_t>::min() &&
         value <= std::int64_t{std::numeric_limits<std::uint32_t>::max()};
}

/// The bits, 32 of them where that is enough.
std::uint64_t bits_of(std::int64_t value) {
  return is_word(value) ? static_cast<std::uint32_t>(value) : static_cast<std::uint64_t>(value);
}

template <class Float, class Bits>
double as_floating(Bits bits) {
  Float value;
  std::memcpy(&value, &bits, sizeof(value));
  return static_cast<double>(value);
}

/// JSON has no NaN.
Value floating(double number) {
  return std::isfinite(number) ? Value(number) : Value(fmt::format("{}", number));
}

Value formatted_whole(std::int64_t value, char format) {
  const std::uint64_t bits = bits_of(value);
  switch (format) {
    case 'x':
    case 'a':
      return Value(fmt::format("0x{:x}", bits));
    case 'z':
      return Value(fmt::format(
          "0x{:0{}x}", bits,
          kByteDigits * (is_word(value) ? sizeof(std::uint32_t) : sizeof(std::uint64_t))));
    case 'o':
      return Value(bits == 0 ? std::string("0") : fmt::format("0{:o}", bits));
    case 't':
      return Value(fmt::format("{:b}", bits));
    case 'u':
      return Value(fmt::format("{}", bits));
    case 'c': {
      const auto byte = static_cast<signed char>(bits);
      return Value(byte >= 32 && byte < 127 ? fmt::format("{} '{}'", byte, static_cast<char>(byte))
                                            : fmt::format("{}", byte));
    }
    case 's':
      return Value(value);
    case 'd':
      return Value(is_word(value)
                       ? std::int64_t{static_cast<std::int32_t>(static_cast<std::uint32_t>(value))}
                       : value);
    default:
      return floating(bits >> kWordBits == 0 ? as_floating<float>(static_cast<std::uint32_t>(bits))
                                             : as_floating<double>(bits));
  }
}

Result<Value> formatted_number(double value, char format) {
  constexpr double kEnd = 9223372036854775808.0;  // 2^63
  if (format == 'f' || format == 's') return floating(value);
  if (value != std::floor(value) || value < -kEnd || value >= kEnd) {
    return fail(Errc::usage, fmt::format("{} is not a whole number", value),
                "print/f shows it; $v3 has the bits of a register, $v3_f32 the number");
  }
  return formatted_whole(static_cast<std::int64_t>(value), format);
}

Result<Value> formatted_each(const Value& value, char format) {
  if (const auto* whole = value.as<std::int64_t>()) return formatted_whole(*whole, format);
  if (const auto* number = value.as<double>()) return formatted_number(*number, format);
  if (const auto* list = value.as<List>()) {
    List out;
    for (const Value& each : *list) out.push_back(TRY(formatted_each(each, format)));
    return Value(std::move(out));
  }
  if (const auto* record = value.as<Record>()) {
    Record out;
    for (const auto& [key, each] : *record)
      out.emplace_back(key, TRY(formatted_each(each, format)));
    return Value(std::move(out));
  }
  return value;
}

}  // namespace

Result<Value> formatted(const Value& value, std::string_view format) {
  if (format.size() != 1 || kFormats.find(format) == std::string_view::npos) {
    return fail(Errc::usage, fmt::format("'{}' is not a format of print", format),
                "x d u o t a z f c s, as in GDB: print/x $pc");
  }
  return format == "r" ? Result<Value>(value) : formatted_each(value, format[0]);
}

Result<Document> formatted_document(Document document, std::string_view format) {
  for (auto& [name, value] : document.record) value = TRY(formatted(value, format));
  for (Row& row : document.rows) {
    for (Value& value : row) value = TRY(formatted(value, format));
  }
  // A number alone is shown as this text; a table by its cells.
  const Value* value = document.get("value");
  if (value != nullptr && document.rows.empty() && !document.text.empty())
    document.text = as_text(*value) + "\n";
  return document;
}

}  // namespace rpl
