// SPDX-License-Identifier: MIT
#include "engine/trace/numbers.h"

#include <charconv>

namespace rpl {

namespace {

template <class T>
std::optional<T> whole(std::string_view text, int base) {
  T value{};
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (code != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<std::int64_t> parse_int(std::string_view text) {
  return whole<std::int64_t>(text, 10);
}

std::optional<std::uint64_t> parse_uint(std::string_view text) {
  return whole<std::uint64_t>(text, 10);
}

std::optional<std::uint64_t> parse_handle(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) {
    return whole<std::uint64_t>(text.substr(2), 16);
  }
  if (text == "(nil)" || text == "nullptr" || text == "NULL") return 0;
  if (text.starts_with('-')) {
    const auto wrapped = parse_int(text);
    if (!wrapped) return std::nullopt;
    return static_cast<std::uint64_t>(*wrapped);
  }
  return parse_uint(text);
}

std::optional<double> parse_double(std::string_view text) {
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> trailing_number(std::string_view text) {
  const std::size_t last = text.find_last_not_of("0123456789");
  return parse_uint(last == std::string_view::npos ? text : text.substr(last + 1));
}

}  // namespace rpl
