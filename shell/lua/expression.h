// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace rpl {

/// Replaces `$name`, `$3`, `$`, `$$`, `$$2` outside strings and comments by `rpl.values["name"]`, so that what the shell calls a variable
/// can be read and assigned in Lua. The text keeps its lines.
std::string with_variables(std::string_view text);

/// Whether `text` (Lua as typed, variables allowed) is the beginning of something: an open block, bracket, string or operator. The
/// prompt then asks for another line.
bool is_incomplete_lua(std::string_view text);

/// One half of a printf-like line: `"%d of %d", a, b` is a call's argument list; checks nothing.
std::string as_call(std::string_view function, std::string_view arguments);

}  // namespace rpl
