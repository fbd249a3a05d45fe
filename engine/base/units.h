// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/base/result.h"

/// How quantities are written for people and read back. Files and JSON keep base units.
namespace rpl {

/// "560 ns", "12.34 us", "701.2 ms", "15.12 s": four significant digits, in the unit that leaves 1 to 999.9 of it.
std::string format_ns(std::int64_t ns);
/// The same for means: "560.5 ns".
std::string format_ns(double ns);
/// "512 B", "8.000 MiB": powers of 1024.
std::string format_bytes(std::uint64_t bytes);
/// "43,915".
std::string format_count(std::uint64_t count);
/// "93.6 %" of a share 0 to 1; "<0.1 %" for what is above zero but would print as such.
std::string format_share(double share);

/// "12ms", "1.5 s", "40us", "700ns" and bare numbers, which are nanoseconds; may be negative. Fails with usage.
Result<std::int64_t> parse_ns(std::string_view text);

}  // namespace rpl
