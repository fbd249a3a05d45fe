// SPDX-License-Identifier: MIT
#include "engine/base/decimal.h"

#include <algorithm>
#include <limits>
#include <string>

#include "engine/base/numbers.h"

namespace rpl {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

/// The digits of a number without its point, which stands after the first `whole` of them (perhaps before or behind them all).
struct Digits {
  std::string digits;
  std::int64_t whole = 0;
};

/// Takes "12.50" off `text`; nullopt when no digit is there.
std::optional<Digits> take_digits(std::string_view& text) {
  constexpr std::string_view kDecimal = "0123456789";
  const auto take = [&text](std::string& to) {
    const std::size_t end = std::min(text.find_first_not_of(kDecimal), text.size());
    to += text.substr(0, end);
    text.remove_prefix(end);
  };
  Digits out;
  take(out.digits);
  out.whole = static_cast<std::int64_t>(out.digits.size());
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    take(out.digits);
  }
  if (out.digits.empty()) return std::nullopt;
  return out;
}

/// Takes "e+14" off `text`: 0 when there is none, nullopt when it is not one.
std::optional<std::int64_t> take_exponent(std::string_view& text) {
  if (!text.starts_with('e') && !text.starts_with('E')) return 0;
  text.remove_prefix(1);
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  return take_number<std::int32_t>(text);
}

bool append_digit(std::int64_t& value, std::int64_t digit) {
  if (value > (kMost - digit) / 10) return false;
  value = value * 10 + digit;
  return true;
}

/// The digits before the point, zeros where the point stands behind them all; nullopt beyond 64 bits.
std::optional<std::int64_t> whole_part(const Digits& number) {
  const auto size = static_cast<std::int64_t>(number.digits.size());
  std::int64_t value = 0;
  for (std::int64_t at = 0; at < std::min(number.whole, size); ++at) {
    if (!append_digit(value, number.digits[static_cast<std::size_t>(at)] - '0'))
      return std::nullopt;
  }
  for (std::int64_t at = size; at < number.whole && value != 0; ++at) {
    if (!append_digit(value, 0)) return std::nullopt;
  }
  return value;
}

/// Whether what stands behind the point is at least a half, or more than that.
bool rounds_up(const Digits& number, bool negative) {
  const auto size = static_cast<std::int64_t>(number.digits.size());
  if (number.whole < 0 || number.whole >= size) return false;
  const std::string_view rest =
      std::string_view(number.digits).substr(static_cast<std::size_t>(number.whole));
  if (rest[0] != '5' || !negative) return rest[0] >= '5';
  return rest.find_first_not_of('0', 1) != std::string_view::npos;
}

std::int64_t power_of_ten(std::int64_t exponent) {
  std::int64_t value = 1;
  for (; exponent > 0; --exponent) {
    if (!append_digit(value, 0)) return kMost;
  }
  return value;
}

}  // namespace

std::optional<RoundedDecimal> rounded_decimal(std::string_view text) {
  if (const auto whole = whole_number<std::int64_t>(text)) return RoundedDecimal{*whole, 1};
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  auto number = take_digits(text);
  const auto exponent = number ? take_exponent(text) : std::nullopt;
  if (!exponent || !text.empty()) return std::nullopt;
  const auto behind_point = static_cast<std::int64_t>(number->digits.size()) - number->whole;
  number->whole += *exponent;
  auto value = whole_part(*number);
  const bool up = rounds_up(*number, negative);
  if (!value || (up && *value == kMost)) return std::nullopt;
  *value += up ? 1 : 0;
  return RoundedDecimal{negative ? -*value : *value, power_of_ten(*exponent - behind_point)};
}

}  // namespace rpl
