// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace rpl {

/// The whole of `text` as a decimal integer; nullopt for anything else, also when it does not fit.
std::optional<std::int64_t> parse_int(std::string_view text);
std::optional<std::uint64_t> parse_uint(std::string_view text);

/// A 64-bit handle or address as recorders print it: decimal, hexadecimal with "0x", "(nil)" or "nullptr" for 0, or a
/// negative decimal, which is the handle as SQLite stores it above 2^63 - 1.
std::optional<std::uint64_t> parse_handle(std::string_view text);

/// The whole of `text` as a decimal floating-point number, "nan" and "inf" included.
std::optional<double> parse_double(std::string_view text);

/// The digits at the end of `text` ("Agent 4" gives 4), nullopt when there are none.
std::optional<std::uint64_t> trailing_number(std::string_view text);

}  // namespace rpl
