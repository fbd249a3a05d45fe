// SPDX-License-Identifier: MIT
// rpl.rule: rules that scripts define.
#include <memory>

#include "engine/optimize/rules/catalogue.h"
#include "shell/core/session/context.h"
#include "shell/lua/lua_host.h"
#include "shell/lua/module.h"

namespace rpl {
namespace {

/// Calls the function at 2 with the kernel at 3 and leaves what it returns where 1 points to.
int ask_rule(lua_State* thread) {
  lua_call(thread, 1, 1);
  *static_cast<Value*>(lua_touserdata(thread, 1)) = must(thread, value_at(thread, 2));
  return 0;
}

Result<std::vector<UserEdit>> edits_from(const Value& answer) {
  List items = list_in(answer);
  if (const auto* one = answer.as<Record>(); one != nullptr && !one->empty())
    items.push_back(answer);
  std::vector<UserEdit> out;
  for (const Value& item : items) {
    if (item.as<Record>() == nullptr)
      return fail(Errc::script, "a rule returns a list of edits", "{{title=\"…\", body=\"…\"}, …}");
    out.push_back({text_in(item, "title"), text_in(item, "why"), text_in(item, "body"),
                   text_in(item, "source"), flag_in(item, "bit_exact")});
  }
  return out;
}

Value kernel_value(const UserKernel& kernel) {
  return Record{{"name", kernel.name},
                {"source", kernel.source},
                {"body", kernel.body},
                {"line", std::uint64_t{kernel.line}}};
}

/// What a script says of its rule, without its function.
UserRule rule_at(lua_State* thread) {
  UserRule made;
  lua_getfield(thread, 1, "name");
  made.name = luaL_checkstring(thread, -1);
  lua_getfield(thread, 1, "bottleneck");
  if (!lua_isnil(thread, -1)) {
    made.addresses = bottleneck_named(luaL_checkstring(thread, -1));
    luaL_argcheck(thread, made.addresses.has_value(), 1,
                  "bottleneck is one of memory latency, memory bandwidth, LDS, compute, occupancy");
  }
  luaL_argcheck(thread, !made.name.empty() && !rule_named(made.name), 1,
                "name is empty, or that of a rule of the catalogue");
  return made;
}

}  // namespace

int define_rule(lua_State* thread) {
  luaL_checktype(thread, 1, LUA_TTABLE);
  UserRule made = rule_at(thread);
  lua_getfield(thread, 1, "propose");
  luaL_argcheck(thread, lua_isfunction(thread, -1), 1, "propose is to be a function");
  LuaHost& host = LuaHost::of(thread);
  const auto function = std::make_shared<Ref>(host.state().keep());
  made.propose = [&host, function](const UserKernel& kernel) -> Result<std::vector<UserEdit>> {
    State& state = host.state();
    lua_State* own = state.thread();
    if (!lua_checkstack(own, 20)) return fail(Errc::limit, "rules are nested too deeply");
    Value answer;
    lua_pushcfunction(own, thunk<&ask_rule>);
    lua_pushlightuserdata(own, &answer);
    function->push(own);
    push_value(own, kernel_value(kernel));
    TRY(state.call(3, 0));
    return edits_from(answer);
  };
  auto& rules = host.context().user_rules();
  std::erase_if(rules, [&](const UserRule& known) { return known.name == made.name; });
  rules.push_back(std::move(made));
  return 0;
}

}  // namespace rpl
