// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

struct lua_State;

namespace rpl {

/// Stops whatever Lua code is running, however it tries to go on: to be called by the SIGINT handler beside interrupt::raise().
/// Async-signal-safe; does nothing while no Lua code runs. The stop is lifted when the outermost call into Lua has returned.
void lua_interrupt() noexcept;

/// Marks `thread` as the one that executes for as long as this lives; nests. A stop that arrived meanwhile reaches it, and
/// with the end of the outermost scope the stop is over.
class RunningThread {
 public:
  explicit RunningThread(lua_State* thread);
  ~RunningThread();
  RunningThread(const RunningThread&) = delete;
  RunningThread& operator=(const RunningThread&) = delete;

  /// The thread that executes now, or nullptr.
  static lua_State* current();

 private:
  lua_State* before_;
};

/// Unwinds all Lua code up to the outermost call, past every pcall, as lua_interrupt() does: how rpl.exit ends a script.
void lua_unwind_for_exit(lua_State* thread);

/// Whether a stop is under way, for either reason.
bool lua_stop_requested();

/// Raises where a stop was asked for: at steps of what asks no hook.
void raise_if_stopped(lua_State* thread);

/// Replaces coroutine.resume, wrap and close in the library on top of the stack by versions that a stop reaches into.
void make_coroutines_interruptible(lua_State* thread);

/// Replaces functions of the string, table, utf8 and os libraries, and collectgarbage, that may work for long by versions that can be stopped, or that take no long
/// texts. The table of globals is on top of the stack.
void make_long_functions_stoppable(lua_State* thread);

/// As luaL_loadbufferx, of text alone, and can be stopped. To be called protected.
int load_text_in_parts(lua_State* thread, std::string_view text, const char* name);

}  // namespace rpl
