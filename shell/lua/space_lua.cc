// SPDX-License-Identifier: MIT
// Spaces of configurations and conditions on them, written in Lua.
#include <filesystem>
#include <lua.hpp>

#include "engine/base/files.h"
#include "shell/lua/expression.h"
#include "shell/lua/lua_host.h"
#include "shell/lua/module.h"
#include "shell/lua/sandbox.h"
#include "shell/lua/value_lua.h"

namespace rpl {
namespace {

/// Takes a space apart: the table without its function, and the function.
constexpr const char* kTakeApart = R"lua(
local file = ...
local space = file()
if type(space) ~= "table" then error("the file returns no table: { parameters = {...}, where = function(p) ... end }", 0) end
local where = space.where
if type(where) == "function" then space.where = nil else where = nil end
return space, where
)lua";

}  // namespace

ScriptHost::Predicate LuaHost::predicate_of(Ref function) {
  const auto kept = std::make_shared<Ref>(std::move(function));
  return [this, kept](const Record& configuration) -> Result<bool> {
    lua_State* thread = state().thread();
    constexpr int kRoom = 20;
    if (lua_checkstack(thread, kRoom) == 0)
      return fail(Errc::limit, "conditions are nested too deeply");
    kept->push(thread);
    push_value(thread, Value(configuration));
    TRY(state().call(1, 1));
    const bool holds = lua_toboolean(thread, -1) != 0;
    lua_pop(thread, 1);
    return holds;
  };
}

Result<ScriptHost::Predicate> LuaHost::predicate(const std::string& text) {
  State& lua = state();
  TRY(lua.load("local p = ... return " + with_variables(text), "=(condition)", ChunkScope::prompt));
  return predicate_of(lua.keep());
}

Result<std::pair<Value, ScriptHost::Predicate>> LuaHost::space_of(const std::string& path) {
  State& lua = state();
  const std::string text = TRY(read_text_file(path));
  set_module_path(lua.thread(), std::filesystem::path(path).parent_path().string());
  TRY(lua.load(kTakeApart, "=(space)", ChunkScope::script));
  TRY(lua.load(text, "@" + path, ChunkScope::script));
  std::pair<Value, Predicate> out;
  TRY(call_loaded(1, [&](lua_State* thread, int first) -> Result<Document> {
    out.first = TRY(value_at(thread, first));
    if (lua_isfunction(thread, first + 1)) {
      lua_pushvalue(thread, first + 1);
      out.second = predicate_of(state().keep());
    }
    return Document{};
  }));
  return out;
}

}  // namespace rpl
