// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "shell/commands/debug/debugging.h"

/// Values of the history and of variables with the types that they had: `print $1[3]`, `print *$`.
namespace rpl {

/// A value as programs get it: numbers, text, lists and records.
Value plain_value(const debug::Datum& datum);

/// Keeps what `print` is about to show with its type; the number in the history is that of the next result.
void keep_printed(const Debugger& debugger, const debug::Datum& datum);
/// Keeps the type of a variable that was just set, without its "$".
void keep_type(const Debugger& debugger, const std::string& name, const debug::Datum& datum);
/// The same of what was evaluated last; nothing is kept when that was none of C.
void keep_type(const Debugger& debugger, const std::string& name);
/// "$", "$$", "$$2", "$1" or "$name" with its type; nothing where none was kept, or the value is another one by now.
std::optional<debug::Datum> kept_value(const Debugger& debugger, std::string_view text);
/// Sets `$_` to an address that was looked at last, and `$__` to what is there.
void set_examined(const Debugger& debugger, const debug::Datum& address);

/// sp, rip, eax, …: a name that people of CPUs type and no GPU has.
bool is_cpu_register(std::string_view name);

/// The address of a function of the code object, by any spelling of its name. Fails with not_found.
Result<debug::Datum> function_datum(const debug::Session& session, std::string_view name);

}  // namespace rpl
