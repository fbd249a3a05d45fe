// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace rpl {

/// What to do about an error that Lua itself raised, from its message; "" where the message says it all. Lua's own texts
/// know neither that `rpl.trace` is nil while nothing is open, nor that a column without value is.
std::string hint_for_lua_error(std::string_view message);

}  // namespace rpl
