// SPDX-License-Identifier: MIT
#include "engine/base/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>
#include <string>
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

namespace {

struct Scale {
  double size;
  std::string_view name;
};

/// Four significant digits of something between 0 and 9999.
std::string four_digits(double value) {
  const double size = std::abs(value);
  if (size < 9.9995) return fmt::format("{:.3f}", value);
  if (size < 99.995) return fmt::format("{:.2f}", value);
  if (size < 999.95) return fmt::format("{:.1f}", value);
  return fmt::format("{:.0f}", value);
}

/// The largest scale of which there is at least one, after rounding to four digits.
template <std::size_t N>
const Scale& scale_of(double value, const std::array<Scale, N>& scales) {
  for (const Scale& scale : scales) {
    if (std::abs(value) >= scale.size * 0.99995) return scale;
  }
  return scales.back();
}

constexpr std::array kTimes{Scale{1e9, "s"}, Scale{1e6, "ms"}, Scale{1e3, "us"}, Scale{1, "ns"}};
constexpr std::array kSizes{Scale{1024.0 * 1024 * 1024 * 1024, "TiB"},
                            Scale{1024.0 * 1024 * 1024, "GiB"}, Scale{1024.0 * 1024, "MiB"},
                            Scale{1024, "KiB"}, Scale{1, "B"}};

}  // namespace

std::string format_ns(std::int64_t ns) {
  if (ns > -1000 && ns < 1000) return fmt::format("{} ns", ns);
  const auto value = static_cast<double>(ns);
  const Scale& scale = scale_of(value, kTimes);
  return fmt::format("{} {}", four_digits(value / scale.size), scale.name);
}

std::string format_ns(double ns) {
  if (!std::isfinite(ns)) return "-";
  if (std::abs(ns) < 999.95) {
    std::string digits = fmt::format("{:.1f}", ns);
    if (digits.ends_with(".0")) digits.resize(digits.size() - 2);
    return fmt::format("{} ns", digits);
  }
  const Scale& scale = scale_of(ns, kTimes);
  return fmt::format("{} {}", four_digits(ns / scale.size), scale.name);
}

std::vector<std::string> axis_times(const std::vector<std::int64_t>& ticks) {
  double largest = 0;
  std::int64_t step = 0;
  for (const std::int64_t tick : ticks) {
    largest = std::max(largest, std::abs(static_cast<double>(tick)));
    step = std::gcd(step, tick);
  }
  const Scale& scale = scale_of(largest, kTimes);
  const auto size = static_cast<std::int64_t>(scale.size);
  int decimals = 0;
  for (std::int64_t unit = size; unit > 1 && step % unit != 0; unit /= 10) ++decimals;
  std::vector<std::string> out;
  for (const std::int64_t tick : ticks)
    out.push_back(fmt::format("{:.{}f} {}", static_cast<double>(tick) / scale.size,
                              tick == 0 ? 0 : decimals, scale.name));
  return out;
}

std::string format_bytes(std::uint64_t bytes) {
  if (bytes < 1024) return fmt::format("{} B", bytes);
  const auto value = static_cast<double>(bytes);
  const Scale& scale = scale_of(value, kSizes);
  return fmt::format("{} {}", four_digits(value / scale.size), scale.name);
}

std::string format_count(std::uint64_t count) {
  std::string digits = std::to_string(count);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

std::string format_share(double share) {
  if (!std::isfinite(share)) return "-";
  if (share > 0 && share < 0.0005) return "<0.1 %";
  return fmt::format("{:.1f} %", share * 100);
}

Result<std::int64_t> parse_ns(std::string_view text) {
  const std::string_view whole = text;
  const auto value = take_number<double>(text);
  while (text.starts_with(' ')) text.remove_prefix(1);
  double size = 0;
  if (text.empty() || text == "ns") size = 1;
  for (const Scale& scale : kTimes) {
    if (text == scale.name) size = scale.size;
  }
  if (text == "µs") size = 1e3;
  if (text == "min") size = 60e9;
  const double ns = std::round(value.value_or(0) * size);
  constexpr double kLimit = 9.2e18;
  if (!value || size == 0 || !(std::abs(ns) < kLimit)) {
    return fail(Errc::usage, fmt::format("'{}' is not a time", whole),
                "write a number with its unit: 700ns, 40us, 12ms, 1.5s");
  }
  return static_cast<std::int64_t>(ns);
}

}  // namespace rpl
