// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rpl {

/// Bytes of the well-formed UTF-8 sequence at `at` (Unicode table 3-7: no overlong forms, no surrogates); 0 when there is none.
std::size_t utf8_length(std::string_view text, std::size_t at = 0);

/// Whether all of it is well-formed.
bool is_utf8(std::string_view text);

/// `text` with U+FFFD for each byte that begins no well-formed sequence.
std::string with_utf8_only(std::string_view text);

}  // namespace rpl
