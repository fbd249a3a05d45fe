// SPDX-License-Identifier: MIT
#include "engine/base/numbers.h"

#include <charconv>
#include <type_traits>

namespace rpl {
namespace {

template <class T>
std::from_chars_result read(std::string_view text, T& value, int base) {
  const char* end = text.data() + text.size();
  if constexpr (std::is_floating_point_v<T>) {
    return std::from_chars(text.data(), end, value);
  } else {
    return std::from_chars(text.data(), end, value, base);
  }
}

}  // namespace

template <class T>
std::optional<T> whole_number(std::string_view text, int base) {
  T value{};
  const auto [end, code] = read(text, value, base);
  if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

template <class T>
std::optional<T> take_number(std::string_view& text, int base) {
  T value{};
  const auto [end, code] = read(text, value, base);
  if (code != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

template std::optional<std::int8_t> whole_number(std::string_view, int);
template std::optional<std::uint8_t> whole_number(std::string_view, int);
template std::optional<std::int16_t> whole_number(std::string_view, int);
template std::optional<std::uint16_t> whole_number(std::string_view, int);
template std::optional<std::int32_t> whole_number(std::string_view, int);
template std::optional<std::uint32_t> whole_number(std::string_view, int);
template std::optional<std::int64_t> whole_number(std::string_view, int);
template std::optional<std::uint64_t> whole_number(std::string_view, int);
template std::optional<float> whole_number(std::string_view, int);
template std::optional<double> whole_number(std::string_view, int);

template std::optional<std::int32_t> take_number(std::string_view&, int);
template std::optional<std::uint32_t> take_number(std::string_view&, int);
template std::optional<std::int64_t> take_number(std::string_view&, int);
template std::optional<std::uint64_t> take_number(std::string_view&, int);
template std::optional<double> take_number(std::string_view&, int);

std::optional<std::uint64_t> decimal_or_hex(std::string_view text) {
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  return hexadecimal ? whole_number<std::uint64_t>(text.substr(2), 16)
                     : whole_number<std::uint64_t>(text);
}

std::optional<std::uint64_t> parse_handle(std::string_view text) {
  if (text == "(nil)" || text == "nullptr" || text == "NULL") return 0;
  if (!text.starts_with('-')) return decimal_or_hex(text);
  const auto wrapped = whole_number<std::int64_t>(text);
  if (!wrapped) return std::nullopt;
  return static_cast<std::uint64_t>(*wrapped);
}

std::optional<std::uint64_t> trailing_number(std::string_view text) {
  const std::size_t last = text.find_last_not_of("0123456789");
  return whole_number<std::uint64_t>(last == std::string_view::npos ? text : text.substr(last + 1));
}

}  // namespace rpl
