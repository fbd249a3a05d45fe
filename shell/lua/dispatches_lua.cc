// SPDX-License-Identifier: MIT
#include "shell/core/session/context.h"
#include "shell/core/session/face.h"
#include "shell/core/session/values.h"
#include "shell/core/session/workspace.h"
#include "shell/lua/dispatch_columns.h"
#include "shell/lua/trace_lua.h"
#include "shell/render/render.h"

namespace rpl {
namespace dispatches_binding {
namespace {

DispatchesHandle& self(lua_State* thread) { return check_object<DispatchesHandle>(thread, 1); }

DispatchSet set_of(lua_State* thread, DispatchesHandle& handle) {
  return {live(thread, *handle.share), handle.rows.get()};
}

int push_subset(lua_State* thread, const TracePtr& share, std::vector<std::uint32_t> rows) {
  auto kept = std::make_shared<const std::vector<std::uint32_t>>(std::move(rows));
  push_object(thread, DispatchesHandle{share, std::move(kept)});
  return 1;
}

int call(lua_State* thread) {
  DispatchesHandle& handle = self(thread);
  luaL_checktype(thread, 2, LUA_TTABLE);
  const Value conditions = must(thread, value_at(thread, 2));
  const Record* record = conditions.as<Record>();
  const auto& workspace = LuaHost::of(thread).context().workspace();
  return push_subset(thread, handle.share,
                     must(thread, filter_dispatches(workspace, set_of(thread, handle),
                                                    record ? *record : Record{})));
}

/// Pushes dispatch `number` (from 1) of the set, or nil.
int push_numbered(lua_State* thread, DispatchesHandle& handle, lua_Integer number) {
  const DispatchSet set = set_of(thread, handle);
  if (number < 1 || static_cast<std::size_t>(number) > set.size()) {
    lua_pushnil(thread);
  } else {
    push_dispatch(thread, handle.share,
                  static_cast<std::uint32_t>(set.row(static_cast<std::size_t>(number - 1))));
  }
  return 1;
}

int index_dispatch(lua_State* thread) {
  if (lua_isinteger(thread, 2)) {
    return push_numbered(thread, self(thread), lua_tointeger(thread, 2));
  }
  std::vector<std::string> names;
  for (const FunctionBinding& method : kDispatchesClass.methods) names.emplace_back(method.name);
  raise_error(thread, no_such_field("dispatches", luaL_tolstring(thread, 2, nullptr), names));
}

std::uint64_t length(lua_State* thread, DispatchesHandle& handle) {
  return set_of(thread, handle).size();
}

int next_pair(lua_State* thread) {
  return guarded(thread, [&] {
    auto& handle = check_object<DispatchesHandle>(thread, lua_upvalueindex(1));
    const lua_Integer number = luaL_optinteger(thread, 2, 0) + 1;
    lua_pushinteger(thread, number);
    push_numbered(thread, handle, number);
    return lua_isnil(thread, -1) ? 0 : 2;
  });
}

int pairs(lua_State* thread) {
  self(thread);
  lua_pushvalue(thread, 1);
  lua_pushcclosure(thread, next_pair, 1);
  lua_pushvalue(thread, 1);
  lua_pushnil(thread);
  return 3;
}

/// Pushes a kernel's name or id from the cache at upvalue 3, so that long names make no garbage row by row.
void push_cached(lua_State* thread, const DispatchColumn& column, const Trace& trace,
                 std::size_t row, int which) {
  const auto key = static_cast<lua_Integer>(trace.kernel_of(row)) * 256 + which;
  if (lua_rawgeti(thread, lua_upvalueindex(3), key) != LUA_TNIL) return;
  lua_pop(thread, 1);
  push_value(thread, column.value(trace, row));
  lua_pushvalue(thread, -1);
  lua_rawseti(thread, lua_upvalueindex(3), key);
}

/// Upvalues: handle, number so far, cache, then one column index for each value.
int next_values(lua_State* thread) {
  return guarded(thread, [&] {
    auto& handle = check_object<DispatchesHandle>(thread, lua_upvalueindex(1));
    const DispatchSet set = set_of(thread, handle);
    const auto at = static_cast<std::size_t>(lua_tointeger(thread, lua_upvalueindex(2)));
    if (at >= set.size()) return 0;
    const std::size_t row = set.row(at);
    lua_pushinteger(thread, static_cast<lua_Integer>(at + 1));
    lua_copy(thread, -1, lua_upvalueindex(2));
    int count = 1;
    for (; lua_type(thread, lua_upvalueindex(count + 3)) == LUA_TNUMBER; ++count) {
      const auto index = static_cast<int>(lua_tointeger(thread, lua_upvalueindex(count + 3)));
      const DispatchColumn& column = dispatch_columns()[static_cast<std::size_t>(index)];
      if (column.number != nullptr) {
        lua_pushinteger(thread, column.number(set.trace, row));
      } else if (column.column.name.starts_with("kernel")) {
        push_cached(thread, column, set.trace, row, index);
      } else {
        push_value(thread, column.value(set.trace, row));
      }
    }
    return count;
  });
}

int each(lua_State* thread) {
  set_of(thread, self(thread));
  const int count = lua_gettop(thread) - 1;
  luaL_argcheck(thread, count >= 1 && count <= 100, 2, "name one to 100 columns");
  lua_pushvalue(thread, 1);
  lua_pushinteger(thread, 0);
  lua_newtable(thread);
  for (int i = 0; i < count; ++i) {
    const DispatchColumn* column = must(thread, dispatch_column(luaL_checkstring(thread, i + 2)));
    lua_pushinteger(thread, column - dispatch_columns().data());
  }
  lua_pushcclosure(thread, next_values, count + 3);
  return 1;
}

Result<std::vector<double>> numbers(lua_State* thread, DispatchesHandle& handle,
                                    std::string_view column) {
  return numbers_of(set_of(thread, handle), *TRY(number_column(column)));
}

Result<Value> sum(lua_State* thread, DispatchesHandle& handle, std::string_view column) {
  return sum_of(set_of(thread, handle), *TRY(number_column(column)));
}

Value whole(double value) { return Value(static_cast<std::int64_t>(value)); }

Result<Value> smallest(lua_State* thread, DispatchesHandle& handle, std::string_view column) {
  const auto values = TRY(numbers(thread, handle, column));
  return values.empty() ? Value() : whole(*std::ranges::min_element(values));
}

Result<Value> largest(lua_State* thread, DispatchesHandle& handle, std::string_view column) {
  const auto values = TRY(numbers(thread, handle, column));
  return values.empty() ? Value() : whole(*std::ranges::max_element(values));
}

Result<Value> mean(lua_State* thread, DispatchesHandle& handle, std::string_view column) {
  const auto values = TRY(numbers(thread, handle, column));
  return values.empty() ? Value() : Value(moments(values).mean);
}

Result<Value> deviation(lua_State* thread, DispatchesHandle& handle, std::string_view column) {
  return Value(moments(TRY(numbers(thread, handle, column))).deviation);
}

Result<Value> percentile(lua_State* thread, DispatchesHandle& handle, std::string_view column,
                         double p) {
  if (!(p >= 0 && p <= 100)) return fail(Errc::usage, "a percentile is from 0 to 100");
  auto values = TRY(numbers(thread, handle, column));
  return values.empty() ? Value() : whole(percentile_of(std::move(values), p));
}

int top(lua_State* thread) {
  DispatchesHandle& handle = self(thread);
  const lua_Integer count = luaL_checkinteger(thread, 2);
  luaL_argcheck(thread, count >= 0, 2, "a count, 0 or more");
  const DispatchColumn* column =
      must(thread, number_column(luaL_optstring(thread, 3, "duration_ns")));
  return push_subset(
      thread, handle.share,
      must(thread, largest_rows(set_of(thread, handle), *column, static_cast<std::size_t>(count))));
}

/// The first `limit` rows as a result; the real number of rows is kept with it.
Document table(const DispatchSet& set, std::size_t limit) {
  Document document;
  for (const DispatchColumn& column : dispatch_columns()) document.columns.push_back(column.column);
  for (std::size_t at = 0; at < std::min(limit, set.size()); ++at) {
    Row row;
    for (const DispatchColumn& column : dispatch_columns()) {
      row.push_back(column.value(set.trace, set.row(at)));
    }
    document.rows.push_back(std::move(row));
  }
  if (set.size() > limit) document.total_rows = set.size();
  document.provenance = Provenance::recorded;
  return document;
}

constexpr std::size_t kShown = 20;

std::string tostring(lua_State* thread, DispatchesHandle& handle) {
  const auto& context = LuaHost::of(thread).context();
  return render_text(table(set_of(thread, handle), kShown), context.face().terminal());
}

Result<Value> totable(lua_State* thread, DispatchesHandle& handle,
                      std::optional<std::uint64_t> limit) {
  const DispatchSet set = set_of(thread, handle);
  const std::uint64_t most = limit.value_or(100'000);
  if (set.size() > most) {
    return fail(Errc::limit, fmt::format("{} dispatches are more than {}", set.size(), most),
                "filter, use :each, or give a higher limit: totable(n)");
  }
  const Value all = TRY(as_value(table(set, set.size()), most));
  return *all.find("rows");
}

Result<Value> value(lua_State* thread, DispatchesHandle& handle) {
  return totable(thread, handle, std::nullopt);
}

constexpr FunctionBinding kMethods[] = {
    {"each", thunk<&each>, "...: string", "fun(): integer, ...",
     "Iterates with several values a row, for millions of rows: number, then the named columns."},
    {"count", thunk<&length>, "", "integer", "How many there are."},
    {"sum", thunk<&sum>, "column: string", "number", "The sum of a column, made in the engine."},
    {"min", thunk<&smallest>, "column: string", "integer?", "The smallest value of a column."},
    {"max", thunk<&largest>, "column: string", "integer?", "The largest value of a column."},
    {"mean", thunk<&mean>, "column: string", "number?", "The mean of a column."},
    {"stddev", thunk<&deviation>, "column: string", "number?", "The sample standard deviation."},
    {"percentile", thunk<&percentile>, "column: string, p: number", "number?",
     "The smallest value that p percent (0 to 100) of them do not exceed."},
    {"top", thunk<&top>, "n: integer, column?: string", "rpl.Dispatches",
     "The n with the largest values (duration_ns), largest first."},
    {"totable", thunk<&totable>, "limit?: integer", "table[]",
     "As plain tables; more than `limit` (100 000) is an error."},
};

constexpr luaL_Reg kMetamethods[] = {
    {"__index", thunk<&index_dispatch>}, {"__len", thunk<&length>},
    {"__pairs", thunk<&pairs>},          {"__call", thunk<&call>},
    {"__tostring", thunk<&tostring>},    {"__rpl_value", thunk<&value>},
};

}  // namespace
}  // namespace dispatches_binding

const ClassBinding kDispatchesClass{
    .name = type_name<DispatchesHandle>,
    .help =
        "Dispatches. Call it with conditions to filter: {kernel=\"gemm\", stream=\"s1\", "
        "min_ns=1000}.",
    .fields = {},
    .methods = dispatches_binding::kMethods,
    .metamethods = dispatches_binding::kMetamethods,
    .callable = "fun(self: rpl.Dispatches, conditions: table): rpl.Dispatches",
    .element = "rpl.Dispatch",
    .finalizer = detail::finalize<DispatchesHandle>,
};

}  // namespace rpl
