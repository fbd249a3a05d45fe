// SPDX-License-Identifier: MIT
#include "shell/lua/state.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <lua.hpp>
#include <utility>

#include "engine/base/files.h"
#include "engine/base/policy.h"
#include "shell/lua/error_lua.h"
#include "shell/lua/interrupt.h"

namespace rpl {
namespace {

int on_panic(lua_State* thread) {
  const char* text = lua_tostring(thread, -1);
  std::fputs(text == nullptr ? "rpl: Lua failed outside a protected call\n" : text, stderr);
  std::abort();
}

/// Bytes that a state has and may have: it asks for memory without asking what else the machine is for.
struct Allowance {
  std::size_t used = 0, most = 0, longest = 0;
  bool refused_string = false;
};

std::size_t most_bytes() {
  constexpr std::uint64_t kOfOthers = std::uint64_t{256} << 20U;
  const std::uint64_t half = physical_memory_bytes() / 2;
  return static_cast<std::size_t>(policy().restricted ? std::min(half, kOfOthers) : half);
}

/// lua_Alloc. Of a new object `old` is its kind, not a size.
void* allocate(void* allowance, void* block, std::size_t old, std::size_t wanted) {
  Allowance& memory = *static_cast<Allowance*>(allowance);
  // The size with the header of the object.
  constexpr std::size_t kHeader = 64;
  if (block == nullptr && old == LUA_TSTRING && wanted > memory.longest + kHeader) {
    memory.refused_string = true;
    return nullptr;
  }
  if (block == nullptr) old = 0;
  if (wanted == 0) {
    std::free(block);
    memory.used -= old;
    return nullptr;
  }
  if (wanted > old && memory.used + (wanted - old) > memory.most) {
    memory.refused_string = false;
    return nullptr;
  }
  void* made = std::realloc(block, wanted);
  if (made != nullptr) memory.used = memory.used - old + wanted;
  return made;
}

std::shared_ptr<lua_State> new_state() {
  const auto memory =
      std::make_shared<Allowance>(Allowance{.most = most_bytes(), .longest = longest_string()});
  lua_State* made = lua_newstate(allocate, memory.get());
  if (made == nullptr) throw std::bad_alloc();
  lua_atpanic(made, on_panic);
  return {made, [memory](lua_State* state) { lua_close(state); }};
}

/// Whether the last thing for which there was no memory was a string that may not be.
bool was_long_string(lua_State* thread) {
  void* allowance = nullptr;
  lua_getallocf(thread, &allowance);
  return std::exchange(static_cast<Allowance*>(allowance)->refused_string, false);
}

Error as_error(ScriptError raised, bool with_traceback) {
  Error error = std::move(raised.error);
  constexpr std::string_view kOneLine = "(lua):1: ";
  if (error.message.starts_with(kOneLine)) error.message.erase(0, kOneLine.size());
  if (!raised.where.empty() && !error.message.starts_with(raised.where)) {
    error = std::move(error).in(raised.where);
  }
  if (with_traceback && !raised.traceback.empty()) {
    error.hint += (error.hint.empty() ? "" : "\n") + raised.traceback;
  }
  return error;
}

}  // namespace

std::size_t longest_string() {
  constexpr std::size_t kOfAPerson = std::size_t{64} << 20U, kOfOthers = std::size_t{16} << 20U;
  return policy().restricted ? kOfOthers : kOfAPerson;
}

Error string_too_long() {
  return {Errc::limit, fmt::format("a string may have {} MiB here", longest_string() >> 20U),
          "work on parts of it, or write them into a file"};
}

Ref::~Ref() {
  if (const auto state = state_.lock()) luaL_unref(state.get(), LUA_REGISTRYINDEX, key_);
}

Ref::Ref(Ref&& other) noexcept : state_(std::move(other.state_)), key_(other.key_) {}

Ref& Ref::operator=(Ref&& other) noexcept {
  std::swap(state_, other.state_);
  std::swap(key_, other.key_);
  return *this;
}

void Ref::push(lua_State* thread) const {
  if (state_.expired()) {
    lua_pushnil(thread);
  } else {
    lua_rawgeti(thread, LUA_REGISTRYINDEX, key_);
  }
}

State::State(void* owner) : main_(new_state()) {
  std::memcpy(lua_getextraspace(main_.get()), &owner, sizeof(owner));
  lua_pushcfunction(main_.get(), open_sandbox);
  // Nothing of a fresh state can fail but the allocator.
  if (lua_pcall(main_.get(), 0, 0, 0) != LUA_OK) on_panic(main_.get());
}

void* State::owner_of(lua_State* thread) {
  void* owner = nullptr;
  std::memcpy(&owner, lua_getextraspace(thread), sizeof(owner));
  return owner;
}

lua_State* State::thread() const {
  lua_State* running = RunningThread::current();
  const bool ours = running != nullptr && lua_topointer(running, LUA_REGISTRYINDEX) ==
                                              lua_topointer(main_.get(), LUA_REGISTRYINDEX);
  return ours ? running : main_.get();
}

Status State::load(std::string_view text, const std::string& name, ChunkScope scope) {
  lua_State* own = thread();
  if (load_text_in_parts(own, text, name.c_str()) != LUA_OK) {
    Error error = as_error(error_at(own, -1), false);
    lua_pop(own, 1);
    return Failure(std::move(error));
  }
  if (scope == ChunkScope::prompt) {
    push_prompt_environment(own);
    lua_setupvalue(own, -2, 1);
  }
  return {};
}

Status State::call(int arguments, int results) {
  lua_State* own = thread();
  const int handler = lua_gettop(own) - arguments;
  lua_pushcfunction(own, add_traceback);
  lua_insert(own, handler);
  int status = LUA_OK;
  bool stopped = false;
  {
    const RunningThread scope(own);
    status = lua_pcall(own, arguments, results, handler);
    stopped = lua_stop_requested();
  }
  lua_remove(own, handler);
  std::fflush(stdout);
  if (status == LUA_OK) return {};
  ScriptError raised = error_at(own, -1);
  lua_pop(own, 1);
  // A stop may have hit while another error was on its way; it is the stop that counts.
  if (stopped) raised.error = {Errc::interrupted, "interrupted", ""};
  if (status == LUA_ERRMEM) {
    raised.error = was_long_string(own) ? string_too_long()
                                        : Error{Errc::limit, "the script ran out of memory",
                                                "close traces, or keep fewer rows"};
  }
  return Failure(as_error(std::move(raised), show_traceback));
}

Ref State::keep() { return {main_, luaL_ref(thread(), LUA_REGISTRYINDEX)}; }

void State::collect() { lua_gc(thread(), LUA_GCCOLLECT); }

}  // namespace rpl
