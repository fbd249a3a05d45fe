// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace rpl {

/// SHA-256 (FIPS 180-4) of `bytes`, as 64 lower-case hex digits.
std::string sha256_hex(std::string_view bytes);

}  // namespace rpl
