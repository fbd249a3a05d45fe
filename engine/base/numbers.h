// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"

namespace rpl {

/// The whole of `text` as a number; nullopt for anything else, also when T cannot hold it. Integers have digits of `base` and,
/// if they are signed, a '-'; floating-point numbers are what std::from_chars takes, "nan" and "inf" included. T: the integers
/// of 8 to 64 bits, float, double.
template <class T>
std::optional<T> whole_number(std::string_view text, int base = 10);

/// whole_number(), hexadecimal after "0x" or "0X".
std::optional<std::uint64_t> decimal_or_hex(std::string_view text);

/// Takes the number that `text` begins with off it; nullopt, and `text` as it was, when there is none or T cannot hold it.
template <class T>
std::optional<T> take_number(std::string_view& text, int base = 10);

/// A 64-bit handle or address as recorders print it: decimal, hexadecimal with "0x", "(nil)" or "nullptr" for 0, or a
/// negative decimal, which is the handle as SQLite stores it above 2^63 - 1.
std::optional<std::uint64_t> parse_handle(std::string_view text);

/// The digits at the end of `text` ("Agent 4" gives 4), nullopt when there are none.
std::optional<std::uint64_t> trailing_number(std::string_view text);

/// How quantities are written for people and read back. Files and JSON keep base units.
/// "560 ns", "12.34 us", "701.2 ms", "15.12 s": four significant digits, in the unit that leaves 1 to 999.9 of it.
std::string format_ns(std::int64_t ns);
/// The same for means: "560.5 ns".
std::string format_ns(double ns);
/// Times along an axis, all in the unit of the largest, with as many decimals as tell them apart: "0 ms", "0.5 ms", "1.0 ms".
std::vector<std::string> axis_times(const std::vector<std::int64_t>& ticks);
/// "512 B", "8.000 MiB": powers of 1024.
std::string format_bytes(std::uint64_t bytes);
/// "43,915".
std::string format_count(std::uint64_t count);
/// "93.6 %" of a share 0 to 1; "<0.1 %" for what is above zero but would print as such.
std::string format_share(double share);

/// "12ms", "1.5 s", "40us", "700ns" and bare numbers, which are nanoseconds; may be negative. Fails with usage.
Result<std::int64_t> parse_ns(std::string_view text);

}  // namespace rpl
