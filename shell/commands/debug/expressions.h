// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/device/expression/expression.h"
#include "shell/commands/debug/debugging.h"

namespace rpl {

/// Evaluates text as C where it is that, with the registers, memory, arguments and variables of the kernel that is stopped; else as Lua. Without a
/// stopped kernel Lua comes first.
Result<debug::Datum> datum_of(const Debugger& debugger, const std::string& text);

/// The same as what `print/FORMAT` shows: the field `value`, and text. Results of Lua that are no single value are documents of their own.
Result<Document> evaluated(const Debugger& debugger, const std::string& text,
                           const std::string& format = {});

/// `TARGET = VALUE`: writes a register or memory of the stopped kernel, or sets a variable.
Result<Document> assigned(const Debugger& debugger, const std::string& text);

/// A condition compiled once. Fails with usage or not_found for what cannot hold: a name that nothing has, at `place` where it is of a breakpoint.
Result<ScriptHost::Condition> condition_of(const Debugger& debugger, const std::string& text,
                                           const debug::Place* place = nullptr);

/// Where expressions take their names from.
debug::Scope scope_of(const Debugger& debugger);

/// "v3", "s[4:5]", "v3_f32", "pc" in the selected frame and lane. Of a function that called another it has no place that could be written to. Fails as
/// debug::parse_typed_register() and debug::check_register().
Result<debug::Datum> register_in_frame(const Debugger& debugger, const debug::Session& session,
                                       std::string_view text);

/// Memory as debug::read() gives it; of code also by the addresses that `disassemble` shows.
Result<std::span<const std::byte>> read_of(const debug::Session& session,
                                           const debug::Address& address, std::uint64_t bytes);

/// "normalize+0x68" for an address of code, as `disassemble` shows it; "" for others.
std::string code_symbol(const debug::Session& session, std::uint64_t address);
/// An address of code, as `break *` takes it and `disassemble` shows it.
debug::Datum code_datum(const debug::Session& session, std::uint64_t address);

/// The parameters of the kernel that was debugged last, as its source declares them where that is at hand.
std::vector<KernelParameter> parameters_of(const Debugger& debugger, const debug::Session& session);
/// Its value; of a pointer with the buffer that it points into.
Result<debug::Datum> argument_datum(const debug::Session& session,
                                    const KernelParameter& parameter);

/// Of bytes of the kernarg segment that were written to: where the selected wave had loaded them already; "" where it had not, and for other places.
std::string argument_note(debug::Session& session, const debug::Watched& where);

/// threadIdx, blockIdx, blockDim and gridDim of the selected lane; not_found for other names.
Result<debug::Datum> grid_datum(const debug::Session& session, std::string_view name);

// Values of the history and of variables with the types that they had: `print $1[3]`, `print *$`.

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
