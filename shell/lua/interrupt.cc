// SPDX-License-Identifier: MIT
#include "shell/lua/interrupt.h"

#include <pthread.h>

#include <atomic>
#include <csignal>
#include <lua.hpp>

#include "engine/base/interrupt.h"
#include "shell/lua/error_lua.h"

namespace rpl {
namespace {

enum class Stop { none, interrupted, exiting };

std::atomic<lua_State*> running{nullptr};
std::atomic<Stop> stop{Stop::none};
pthread_t owner{};  // of the Lua state; written before `running` is first set
static_assert(std::atomic<lua_State*>::is_always_lock_free &&
                  std::atomic<Stop>::is_always_lock_free,
              "used from a signal handler");

// Stays armed, so that code which swallows the error is stopped again at its next instruction.
void raise_stop(lua_State* thread, lua_Debug*) {
  if (stop == Stop::exiting)
    raise_error(thread, {Errc::interrupted, "the script ended itself", ""});
  raise_error(thread, {Errc::interrupted, "interrupted", ""});
}

void arm(lua_State* thread) {
  lua_sethook(thread, raise_stop, LUA_MASKCALL | LUA_MASKRET | LUA_MASKLINE | LUA_MASKCOUNT, 1);
}

void disarm(lua_State* thread) { lua_sethook(thread, nullptr, 0, 0); }

/// Moves `count` values and runs the coroutine; the results or the error are on its stack. Returns the number of results, or -1.
int resume_coroutine(lua_State* from, lua_State* coroutine, int count) {
  if (!lua_checkstack(coroutine, count)) {
    lua_pushliteral(coroutine, "too many arguments to resume");
    return -1;
  }
  lua_xmove(from, coroutine, count);
  int results = 0;
  int status = 0;
  {
    const RunningThread scope(coroutine);
    status = lua_resume(coroutine, from, count, &results);
  }
  if (status != LUA_OK && status != LUA_YIELD) return -1;
  return results;
}

bool can_resume(lua_State* coroutine) {
  if (lua_status(coroutine) == LUA_YIELD) return true;
  lua_Debug frame;
  const bool fresh = lua_getstack(coroutine, 0, &frame) == 0 && lua_gettop(coroutine) > 0;
  return lua_status(coroutine) == LUA_OK && fresh;
}

int resume_into(lua_State* thread, lua_State* coroutine, int count) {
  if (!can_resume(coroutine)) {
    lua_pushfstring(thread, "cannot resume a coroutine that is dead or running");
    return -1;
  }
  const int results = resume_coroutine(thread, coroutine, count);
  if (results < 0) {
    lua_xmove(coroutine, thread, 1);
    return -1;
  }
  if (!lua_checkstack(thread, results + 1)) {
    lua_pop(coroutine, results);
    lua_pushliteral(thread, "too many results to resume");
    return -1;
  }
  lua_xmove(coroutine, thread, results);
  return results;
}

int resume(lua_State* thread) {
  luaL_checktype(thread, 1, LUA_TTHREAD);
  const int results = resume_into(thread, lua_tothread(thread, 1), lua_gettop(thread) - 1);
  lua_pushboolean(thread, results >= 0);
  const int pushed = results < 0 ? 1 : results;
  lua_insert(thread, -(pushed + 1));
  return pushed + 1;
}

int close(lua_State* thread) {
  luaL_checktype(thread, 1, LUA_TTHREAD);
  lua_State* coroutine = lua_tothread(thread, 1);
  if (coroutine == thread) return luaL_error(thread, "cannot close a running coroutine");
  int status = 0;
  {
    const RunningThread scope(coroutine);
    status = lua_resetthread(coroutine);
  }
  lua_pushboolean(thread, status == LUA_OK);
  if (status == LUA_OK) return 1;
  lua_xmove(coroutine, thread, 1);
  return 2;
}

int call_wrapped(lua_State* thread) {
  lua_State* coroutine = lua_tothread(thread, lua_upvalueindex(1));
  const int results = resume_into(thread, coroutine, lua_gettop(thread));
  if (results >= 0) return results;
  const int status = lua_status(coroutine);
  if (status != LUA_OK && status != LUA_YIELD) lua_resetthread(coroutine);
  return lua_error(thread);
}

int wrap(lua_State* thread) {
  luaL_checktype(thread, 1, LUA_TFUNCTION);
  lua_State* coroutine = lua_newthread(thread);
  lua_pushvalue(thread, 1);
  lua_xmove(thread, coroutine, 1);
  lua_pushcclosure(thread, call_wrapped, 1);
  return 1;
}

}  // namespace

void lua_interrupt() noexcept {
  lua_State* thread = running.load();
  if (thread == nullptr) return;
  if (pthread_equal(pthread_self(), owner) == 0) {
    // Delivered to a thread that reads a recording: only Lua's own thread may touch its state.
    pthread_kill(owner, SIGINT);
    return;
  }
  stop = Stop::interrupted;
  arm(thread);
}

RunningThread::RunningThread(lua_State* thread) {
  if (running.load() == nullptr) owner = pthread_self();
  before_ = running.exchange(thread);
  // A Ctrl-C between the line's start and here found no Lua code to stop.
  if (before_ == nullptr && stop == Stop::none && interrupt::pending()) stop = Stop::interrupted;
  if (stop != Stop::none) arm(thread);
}

RunningThread::~RunningThread() {
  lua_State* own = running.exchange(before_);
  if (stop == Stop::none) return;
  disarm(own);
  if (before_ != nullptr) {
    arm(before_);
  } else {
    stop = Stop::none;
  }
}

lua_State* RunningThread::current() { return running.load(); }

void lua_unwind_for_exit(lua_State* thread) {
  stop = Stop::exiting;
  arm(thread);
}

void raise_if_stopped(lua_State* thread) {
  if (lua_stop_requested()) raise_stop(thread, nullptr);
}

bool lua_stop_requested() { return stop != Stop::none; }

void make_coroutines_interruptible(lua_State* thread) {
  static constexpr luaL_Reg functions[] = {
      {"resume", resume}, {"wrap", wrap}, {"close", close}, {nullptr, nullptr}};
  luaL_setfuncs(thread, functions, 0);
}

}  // namespace rpl
