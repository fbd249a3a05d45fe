// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace rpl {

/// What a program said last: its last line that is not blank, at most 300 bytes of it; "" for none.
std::string last_line(std::string_view text);

}  // namespace rpl
