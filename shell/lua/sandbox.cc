// SPDX-License-Identifier: MIT
#include <clocale>
#include <lua.hpp>

#include "engine/base/files.h"
#include "engine/base/input_file.h"
#include "engine/base/policy.h"
#include "shell/core/command/nearest.h"
#include "shell/core/run/init_files.h"
#include "shell/core/run/script_files.h"
#include "shell/lua/bind.h"
#include "shell/lua/interrupt.h"
#include "shell/lua/state.h"

namespace rpl {
namespace {

constexpr const char* kPromptEnvironment = "rpl.prompt_environment";

std::vector<std::string> global_names(lua_State* thread) {
  std::vector<std::string> names;
  lua_pushglobaltable(thread);
  lua_pushnil(thread);
  while (lua_next(thread, -2) != 0) {
    lua_pop(thread, 1);
    if (lua_type(thread, -1) == LUA_TSTRING) names.emplace_back(lua_tostring(thread, -1));
  }
  lua_pop(thread, 1);
  return names;
}

int undefined_global(lua_State* thread) {
  const std::string name = luaL_tolstring(thread, 2, nullptr);
  const std::string hint = did_you_mean(nearest(name, global_names(thread)));
  raise_error(thread, {Errc::script, fmt::format("the global '{}' is not defined", name),
                       hint.empty() ? "objects and commands are in the module rpl" : hint});
}

int refuse_global(lua_State* thread) {
  const std::string name = luaL_tolstring(thread, 2, nullptr);
  raise_error(thread, {Errc::script, fmt::format("a script may not make the global '{}'", name),
                       fmt::format("write 'local {}', or return it from a module", name)});
}

int assign_at_prompt(lua_State* thread) {
  lua_pushglobaltable(thread);
  lua_pushvalue(thread, 2);
  lua_pushvalue(thread, 3);
  lua_rawset(thread, -3);
  return 0;
}

int refuse_exit(lua_State* thread) {
  raise_error(thread, {Errc::denied, "os.exit would lose what rpl still has to write",
                       "use rpl.exit(code)"});
}

int keep_locale(lua_State* thread) {
  // It is the whole program's: numbers that are read and written depend on it.
  if (!lua_isnoneornil(thread, 1))
    raise_error(thread, {Errc::denied, "a script may not change the locale of the program",
                         "write numbers with string.format"});
  lua_pushstring(thread, std::setlocale(LC_ALL, nullptr));
  return 1;
}

/// Upvalue: Lua's own. The collector calls a finalizer where no hook is asked, also at the end of the program: one that does not end could not be stopped.
int set_metatable(lua_State* thread) {
  if (lua_type(thread, 2) == LUA_TTABLE) {
    lua_pushliteral(thread, "__gc");
    if (lua_rawget(thread, 2) != LUA_TNIL)
      raise_error(thread, {Errc::denied, "a script may not have finalizers (__gc)",
                           "use __close and 'local name <close>'"});
    lua_pop(thread, 1);
  }
  lua_pushvalue(thread, lua_upvalueindex(1));
  lua_insert(thread, 1);
  lua_call(thread, lua_gettop(thread) - 1, 1);
  return 1;
}

/// Of files, whose finalizer a script could otherwise put its own in place of.
void hide_metatable_of_files(lua_State* thread) {
  luaL_getmetatable(thread, LUA_FILEHANDLE);
  lua_pushboolean(thread, 0);
  lua_setfield(thread, -2, "__metatable");
  lua_pop(thread, 1);
}

/// load of a text: arguments as the manual has them.
int load_string(lua_State* thread) {
  std::size_t size = 0;
  const char* text = lua_tolstring(thread, 1, &size);
  const bool has_environment = lua_gettop(thread) >= 4;
  if (load_text_in_parts(thread, {text, size}, luaL_optstring(thread, 2, text)) != LUA_OK) {
    luaL_pushfail(thread);
    lua_insert(thread, -2);
    return 2;
  }
  if (has_environment) {
    lua_pushvalue(thread, 4);
    if (lua_setupvalue(thread, -2, 1) == nullptr) lua_pop(thread, 1);
  }
  return 1;
}

/// Calls the original function (upvalue 1) with its mode argument (upvalue 2 says which) forced to text.
int load_text(lua_State* thread) {
  const int mode = static_cast<int>(lua_tointeger(thread, lua_upvalueindex(2)));
  while (lua_gettop(thread) < mode) lua_pushnil(thread);
  if (lua_type(thread, 1) == LUA_TSTRING) return load_string(thread);
  lua_pushliteral(thread, "t");
  lua_replace(thread, mode);
  lua_pushvalue(thread, lua_upvalueindex(1));
  lua_insert(thread, 1);
  lua_call(thread, lua_gettop(thread) - 1, LUA_MULTRET);
  return lua_gettop(thread);
}

/// Pushes the chunk of a file, or what is wrong with it; true for a chunk. Lua itself would wait for a pipe.
bool push_chunk(lua_State* thread, const char* path) {
  const auto text = read_text_file(path);
  if (!text) {
    lua_pushstring(thread, text.error().message.c_str());
    return false;
  }
  if (const Status trusted = check_trusted(path, *text); !trusted) {
    lua_pushstring(thread, trusted.error().message.c_str());
    return false;
  }
  std::string_view code = *text;
  // A first line for the shell, whose line feed stays for the line numbers.
  if (code.starts_with('#')) code.remove_prefix(std::min(code.find('\n'), code.size()));
  return load_text_in_parts(thread, code, fmt::format("@{}", path).c_str()) == LUA_OK;
}

int load_file(lua_State* thread) {
  const char* path = luaL_checkstring(thread, 1);
  const bool has_environment = lua_gettop(thread) >= 3;
  if (!push_chunk(thread, path)) {
    lua_pushnil(thread);
    lua_insert(thread, -2);
    return 2;
  }
  if (has_environment) {
    lua_pushvalue(thread, 3);
    if (lua_setupvalue(thread, -2, 1) == nullptr) lua_pop(thread, 1);
  }
  return 1;
}

int run_text_file(lua_State* thread) {
  if (!push_chunk(thread, luaL_checkstring(thread, 1))) return lua_error(thread);
  lua_call(thread, 0, LUA_MULTRET);
  return lua_gettop(thread) - 1;
}

/// Upvalues: the function, its name. What reaches the host is asked for as a program that it could start.
int run_if_allowed(lua_State* thread) {
  guarded(thread, [&] {
    must(thread, check_allowed(Capability::run, lua_tostring(thread, lua_upvalueindex(2))));
    return 0;
  });
  lua_pushvalue(thread, lua_upvalueindex(1));
  lua_insert(thread, 1);
  lua_call(thread, lua_gettop(thread) - 1, LUA_MULTRET);
  return lua_gettop(thread);
}

/// Guards a function of the table on top, or of the one called `library` in it; `name` is how errors call it.
void guard_function(lua_State* thread, const char* library, const char* name) {
  if (*library != 0) lua_getfield(thread, -1, library);
  lua_getfield(thread, -1, name);
  const std::string called = *library != 0 ? fmt::format("{}.{}", library, name) : name;
  lua_pushlstring(thread, called.data(), called.size());
  lua_pushcclosure(thread, run_if_allowed, 2);
  lua_setfield(thread, -2, name);
  if (*library != 0) lua_pop(thread, 1);
}

/// Where a module's file may lie for a session that runs no programs: what came with rpl.
bool came_with_rpl(const std::string& path) {
  return std::ranges::any_of(script_folders(), [&](const std::string& folder) {
    return folder.starts_with('/') && path.starts_with(folder + "/");
  });
}

/// Pushes the first file of `templates` ("a/?.lua;b/?.lua") for the module, or where it was looked for; true for a file.
bool push_module_path(lua_State* thread, std::string name, std::string_view templates) {
  std::ranges::replace(name, '.', '/');
  std::string tried;
  while (!templates.empty()) {
    const std::size_t end = std::min(templates.find(';'), templates.size());
    std::string path(templates.substr(0, end));
    templates.remove_prefix(std::min(end + 1, templates.size()));
    for (std::size_t at = path.find('?'); at != std::string::npos;
         at = path.find('?', at + name.size()))
      path.replace(at, 1, name);
    const auto file = open_input(path);
    if (file) {
      lua_pushlstring(thread, path.data(), path.size());
      return true;
    }
    tried += file.error().code == Errc::not_found ? fmt::format("\n\tno file '{}'", path)
                                                  : "\n\t" + file.error().message;
  }
  lua_pushlstring(thread, tried.data(), tried.size());
  return false;
}

int find_module(lua_State* thread) {
  const char* name = luaL_checkstring(thread, 1);
  lua_getglobal(thread, "package");
  lua_getfield(thread, -1, "path");
  if (!push_module_path(thread, name, luaL_checkstring(thread, -1))) return 1;
  const char* path = lua_tostring(thread, -1);
  guarded(thread, [&] {
    if (!came_with_rpl(path))
      must(thread, check_allowed(Capability::run, fmt::format("require of {}", path)));
    return 0;
  });
  if (!push_chunk(thread, path)) return lua_error(thread);
  lua_pushstring(thread, path);
  return 2;
}

void force_text(lua_State* thread, const char* name, int mode) {
  lua_getfield(thread, -1, name);
  lua_pushinteger(thread, mode);
  lua_pushcclosure(thread, load_text, 2);
  lua_setfield(thread, -2, name);
}

void keep_only(lua_State* thread, std::span<const std::string_view> names) {
  lua_newtable(thread);
  for (const std::string_view name : names) {
    lua_getfield(thread, -2, name.data());
    lua_setfield(thread, -2, name.data());
  }
  lua_remove(thread, -2);
}

void tame_package(lua_State* thread) {
  for (const char* removed : {"loadlib", "cpath"}) {
    lua_pushnil(thread);
    lua_setfield(thread, -2, removed);
  }
  lua_getfield(thread, -1, "searchers");
  lua_pushcfunction(thread, find_module);
  lua_rawseti(thread, -2, 2);
  for (const int native : {3, 4}) {
    lua_pushnil(thread);
    lua_rawseti(thread, -2, native);
  }
  lua_pop(thread, 1);
}

void make_globals_strict(lua_State* thread) {
  lua_pushglobaltable(thread);
  luaL_newmetatable(thread, "rpl.globals");
  lua_pushcfunction(thread, undefined_global);
  lua_setfield(thread, -2, "__index");
  lua_pushcfunction(thread, refuse_global);
  lua_setfield(thread, -2, "__newindex");
  lua_pushboolean(thread, 0);
  lua_setfield(thread, -2, "__metatable");
  lua_setmetatable(thread, -2);
  lua_newtable(thread);
  lua_newtable(thread);
  lua_pushvalue(thread, -3);
  lua_setfield(thread, -2, "__index");
  lua_pushcfunction(thread, assign_at_prompt);
  lua_setfield(thread, -2, "__newindex");
  lua_pushboolean(thread, 0);
  lua_setfield(thread, -2, "__metatable");
  lua_setmetatable(thread, -2);
  lua_setfield(thread, LUA_REGISTRYINDEX, kPromptEnvironment);
  lua_pop(thread, 1);
}

}  // namespace

std::span<const HostFunction> host_functions() {
  static constexpr HostFunction all[] = {
      {"os", "execute"}, {"os", "getenv"}, {"os", "remove"},  {"os", "rename"},
      {"os", "tmpname"}, {"io", "open"},   {"io", "popen"},   {"io", "lines"},
      {"io", "input"},   {"io", "output"}, {"io", "tmpfile"}, {"package", "searchpath"},
      {"", "loadfile"},  {"", "dofile"}};
  return all;
}

int open_sandbox(lua_State* thread) {
  luaL_openlibs(thread);
  open_errors(thread);
  lua_pushglobaltable(thread);
  force_text(thread, "load", 3);
  lua_pushcfunction(thread, load_file);
  lua_setfield(thread, -2, "loadfile");
  lua_pushcfunction(thread, run_text_file);
  lua_setfield(thread, -2, "dofile");
  lua_getfield(thread, -1, "os");
  lua_pushcfunction(thread, refuse_exit);
  lua_setfield(thread, -2, "exit");
  lua_pushcfunction(thread, keep_locale);
  lua_setfield(thread, -2, "setlocale");
  lua_pop(thread, 1);
  lua_getfield(thread, -1, "setmetatable");
  lua_pushcclosure(thread, set_metatable, 1);
  lua_setfield(thread, -2, "setmetatable");
  hide_metatable_of_files(thread);
  make_long_functions_stoppable(thread);
  for (const HostFunction& function : host_functions())
    guard_function(thread, function.library, function.name);
  lua_getfield(thread, -1, "coroutine");
  make_coroutines_interruptible(thread);
  lua_pop(thread, 1);
  lua_getfield(thread, -1, "package");
  tame_package(thread);
  lua_pop(thread, 1);
  // The rest of debug can reach behind handles: upvalues of iterators, metatables, hooks.
  static constexpr std::string_view kDebug[] = {"traceback", "getinfo"};
  lua_getfield(thread, -1, "debug");
  keep_only(thread, kDebug);
  lua_pushvalue(thread, -1);
  lua_setfield(thread, -3, "debug");
  luaL_getsubtable(thread, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_insert(thread, -2);
  lua_setfield(thread, -2, "debug");
  lua_pop(thread, 2);
  make_globals_strict(thread);
  set_module_path(thread, ".");
  return 0;
}

void push_prompt_environment(lua_State* thread) {
  lua_getfield(thread, LUA_REGISTRYINDEX, kPromptEnvironment);
}

void set_module_path(lua_State* thread, const std::string& folder) {
  std::string path = folder + "/?.lua";
  for (const std::string& other : script_folders()) path += ";" + other + "/?.lua";
  lua_getglobal(thread, "package");
  lua_pushlstring(thread, path.data(), path.size());
  lua_setfield(thread, -2, "path");
  lua_pop(thread, 1);
}

}  // namespace rpl
