// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace rpl {

/// A decimal number as a whole one.
struct RoundedDecimal {
  std::int64_t value = 0;  // rounded half up
  /// What one of the last digit that stands there is worth: 1 for "7000", "7000.25" and "7.000e3", 100 for "2.5e+3".
  std::int64_t last_digit = 1;
};

/// The whole of `text` ("-12", "5000.25", "8.1097E+14"), computed from its digits, without a floating-point number between; nullopt
/// for anything else and for what 64 bits do not hold.
std::optional<RoundedDecimal> rounded_decimal(std::string_view text);

}  // namespace rpl
