// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "engine/base/result.h"

struct lua_State;

namespace rpl {

/// A Lua value that C++ keeps. Harmless to destroy after the state is gone.
class Ref {
 public:
  Ref() = default;
  ~Ref();
  Ref(Ref&& other) noexcept;
  Ref& operator=(Ref&& other) noexcept;

  /// Pushes the value, nil when the state is gone.
  void push(lua_State* thread) const;

 private:
  friend class State;
  Ref(std::weak_ptr<lua_State> state, int key) : state_(std::move(state)), key_(key) {}
  std::weak_ptr<lua_State> state_;
  int key_ = 0;
};

/// Which globals a chunk of code sees.
enum class ChunkScope {
  script,  ///< reads them, may not make new ones
  prompt,  ///< assigns them too
};

/// The most bytes of one string: an instruction that compares or joins strings cannot be stopped before its end. Less in a session of another program.
std::size_t longest_string();
/// What is said of one that would have more.
Error string_too_long();

/// One Lua interpreter, and the only way into it. Text chunks only; no native modules; reading an undefined global is an error.
class State {
 public:
  /// `owner` is what owner_of() gives bound functions.
  explicit State(void* owner);
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  static void* owner_of(lua_State* thread);

  /// The thread that executes now (a coroutine, perhaps), or the main one.
  [[nodiscard]] lua_State* thread() const;

  /// Compiles `text` and leaves the function on the stack. `name` is a chunk name: "@file.lua" or "=(lua)".
  Status load(std::string_view text, const std::string& name, ChunkScope scope);

  /// Calls the function below `arguments` values on the stack of thread() and leaves its results there (-1: all of them).
  /// Can be stopped by lua_interrupt(). On failure nothing is left; with `set trace-back on` the hint has the stack.
  Status call(int arguments, int results);

  /// Takes the value on top of the stack of thread().
  Ref keep();

  /// Collects everything that is unreachable, so that engine objects behind small handles are freed now.
  void collect();

  bool show_traceback = false;

 private:
  std::shared_ptr<lua_State> main_;
};

/// A function of Lua's own libraries that reaches the host: only where programs may be run.
struct HostFunction {
  const char* library;  ///< "" for a global
  const char* name;
};
std::span<const HostFunction> host_functions();

/// Opens the standard libraries without what would load native code, end the process or defeat the interpreter's own checks, and
/// makes globals strict. A person's scripts have io and os; a session that may not run programs has no host_functions(). Called protected, without arguments.
int open_sandbox(lua_State* thread);

/// The table whose assignments make globals: what code typed at the prompt has as _ENV.
void push_prompt_environment(lua_State* thread);

/// Sets package.path to the folder of the script that starts, then script_folders().
void set_module_path(lua_State* thread, const std::string& folder);

}  // namespace rpl
