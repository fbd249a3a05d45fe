// SPDX-License-Identifier: MIT
#include "engine/base/units.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string>

#include "engine/base/numbers.h"

namespace rpl {
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
