// SPDX-License-Identifier: MIT
#pragma once

#include "shell/commands/debug/debugging.h"
#include "shell/lua/handles.h"

/// What the bindings of the stopped kernel share.
namespace rpl {

/// The launch that is debugged; raises without one.
debug::Session& debugged_session(lua_State* thread);
/// The wave behind a handle; raises when it is not in flight.
const emu::Wave& live_wave(lua_State* thread, const WaveHandle& handle);
/// The dwords of a register, as one number for one or two; raises for a register that is none.
std::uint64_t register_bits(lua_State* thread, const WaveHandle& handle, std::string_view name,
                            unsigned lane);
/// A number from bits: "u32", "i32", "f32", "f16", "u64", "i64", "f64", "u16", "i16", "u8", "i8".
void push_typed(lua_State* thread, std::uint64_t bits, std::string_view type);
/// Bytes that a value of that type takes.
unsigned bytes_of(std::string_view type);

}  // namespace rpl
