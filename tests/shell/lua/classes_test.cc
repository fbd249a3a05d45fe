// SPDX-License-Identifier: MIT
#include <set>
#include <sstream>

#include "engine/base/text.h"
#include "shell/core/command/registry.h"
#include "shell/core/session/context.h"
#include "shell/lua/handles.h"
#include "shell/lua/host.h"
#include "shell/lua/module.h"
#include "tests/shell/lua/script_fixture.h"

namespace rpl {
namespace {

TEST(Classes, EveryBindingIsDescribed) {
  std::vector<const ClassBinding*> all(all_classes().begin(), all_classes().end());
  all.insert(all.end(), all_modules().begin(), all_modules().end());
  for (const ClassBinding* binding : all) {
    EXPECT_FALSE(std::string_view(binding->help).empty()) << binding->name;
    EXPECT_EQ(binding->columns.size() > 0, binding->read != nullptr) << binding->name;
    for (const BoundColumn& column : binding->columns) {
      EXPECT_FALSE(column.about.description.empty()) << column.about.name;
    }
    for (const FieldBinding& field : binding->fields) {
      EXPECT_TRUE(field.get != nullptr && *field.type != 0 && *field.help != 0) << field.name;
    }
    for (const FunctionBinding& method : binding->methods) {
      EXPECT_TRUE(method.call != nullptr && *method.help != 0) << method.name;
    }
  }
}

using Names = std::map<std::string, std::set<std::string>>;

/// Class by class, what the stub text says they have.
Names names_in(const std::string& stub) {
  Names names;
  std::string current;
  for (const std::string& line : split_lines(stub)) {
    std::istringstream words(line);
    std::string first, second;
    words >> first >> second;
    if (first == "---@class") current = second.substr(0, second.find(':'));
    if (first == "---@class") names[current];
    if (first == "---@field" && second[0] != '[') names[current].insert(second);
    if (first == "function") {
      const std::size_t end = second.find('(');
      const std::size_t start = second.find_last_of(".:", end) + 1;
      names[current].insert(second.substr(start, end - start));
    }
  }
  return names;
}

/// What the metatables of a running interpreter have: the tables that __index looks in.
std::set<std::string> members(lua_State* thread, const char* type) {
  std::set<std::string> names;
  luaL_getmetatable(thread, type);
  lua_getfield(thread, -1, "__index");
  for (const int upvalue : {2, 3}) {
    lua_getupvalue(thread, -1, upvalue);
    lua_pushnil(thread);
    while (lua_next(thread, -2) != 0) {
      lua_pop(thread, 1);
      names.insert(lua_tostring(thread, -1));
    }
    lua_pop(thread, 1);
  }
  lua_pop(thread, 2);
  return names;
}

class StubsTest : public testing_support::ScriptTest {};

TEST_F(StubsTest, ADispatchHasTheColumnsOfTheTableOfDispatches) {
  run("open " + small_trace());
  lua("d = rpl.trace.dispatches[2] row = rpl.trace.dispatches:totable()[2] own = d:totable()");
  for (const BoundColumn& column : kDispatchClass.columns) {
    const std::string name(column.about.name);
    for (const char* other : {"row", "own"}) {
      EXPECT_EQ(lua(fmt::format("local a, b = d.{0}, {1}.{0} return a ~= nil and "
                                "rpl.json.encode(a) == rpl.json.encode(b)",
                                name, other)),
                "true")
          << name;
    }
  }
}

TEST_F(StubsTest, SayExactlyWhatTheModuleHas) {
  const Names names = names_in(lua_stubs(context.registry()));
  lua_State* thread = dynamic_cast<LuaHost&>(context.scripts()).state().thread();
  std::vector<const ClassBinding*> all(all_classes().begin(), all_classes().end());
  all.insert(all.end(), all_modules().begin(), all_modules().end());
  for (const ClassBinding* binding : all) {
    ASSERT_TRUE(names.contains(binding->name)) << binding->name;
    EXPECT_EQ(names.at(binding->name), members(thread, binding->name)) << binding->name;
  }
}

TEST_F(StubsTest, HaveEveryCommandWithItsParameters) {
  const Names names = names_in(lua_stubs(context.registry()));
  for (const auto& [path, command] : context.registry().all()) {
    std::string node;
    for (const std::string& word : lua_words(path)) node += "." + word;
    ASSERT_TRUE(names.contains("rpl.cmd" + node)) << path;
    for (const Param& param : command->params) {
      EXPECT_TRUE(names.at("rpl.args" + node).contains(underscored(param.name) + "?")) << path;
    }
    EXPECT_EQ(lua("tostring(rpl.cmd" + node + "):sub(1, 1) ~= ''"), "true") << path;
  }
}

TEST_F(StubsTest, AreLuaAndWrittenWithSettings) {
  ASSERT_TRUE(write_lua_stubs(context.registry(), folder / "types").has_value());
  EXPECT_EQ(lua("loadfile('" + (folder / "types/rpl.lua") + "') ~= nil"), "true");
  EXPECT_EQ(lua("rpl.json.decode(io.open('" + (folder / "types/.luarc.json") +
                "'):read('a'))['runtime.version']"),
            "Lua 5.4");
  EXPECT_FALSE(write_lua_stubs(context.registry(), "/dev/null/x").has_value());
}

}  // namespace
}  // namespace rpl
