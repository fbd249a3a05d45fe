// SPDX-License-Identifier: MIT
#include "engine/document/json_text.h"
#include "shell/core/session/context.h"
#include "shell/core/session/face.h"
#include "shell/core/session/values.h"
#include "shell/lua/handles.h"
#include "shell/render/render.h"

namespace rpl {
namespace rows_binding {
namespace {

RowsHandle& self(lua_State* thread) { return check_object<RowsHandle>(thread, 1); }

int undefined_column(lua_State* thread) {
  if (lua_type(thread, 2) != LUA_TSTRING) return 0;
  lua_pushvalue(thread, 2);
  if (lua_rawget(thread, lua_upvalueindex(1)) != LUA_TNIL) {
    lua_pushnil(thread);  // a column without a value in this row
    return 1;
  }
  return guarded(thread, [&]() -> int {
    std::vector<std::string> names;
    lua_pushnil(thread);
    while (lua_next(thread, lua_upvalueindex(1)) != 0) {
      names.emplace_back(lua_tostring(thread, -2));
      lua_pop(thread, 1);
    }
    std::ranges::sort(names);
    raise_error(thread, no_such_field("the row", lua_tostring(thread, 2), names));
  });
}

int row_tostring(lua_State* thread) {
  const std::string text = to_json(must(thread, value_at(thread, 1)));
  lua_pushlstring(thread, text.data(), text.size());
  return 1;
}

/// Pushes the metatable that all rows of the handle at `index` share; it is kept in the handle's user value.
void push_row_metatable(lua_State* thread, int index, const Rows& rows) {
  if (lua_getiuservalue(thread, index, 1) == LUA_TTABLE) return;
  lua_pop(thread, 1);
  lua_newtable(thread);
  lua_newtable(thread);
  for (const Column& column : rows.columns()) {
    lua_pushboolean(thread, 1);
    lua_setfield(thread, -2, std::string(column.name).c_str());
  }
  lua_pushcclosure(thread, undefined_column, 1);
  lua_setfield(thread, -2, "__index");
  lua_pushcfunction(thread, thunk<&row_tostring>);
  lua_setfield(thread, -2, "__tostring");
  lua_pushvalue(thread, -1);
  lua_setiuservalue(thread, index, 1);
}

void push_plain_row(lua_State* thread, int index, const Rows& rows, const Row& row) {
  lua_createtable(thread, 0, static_cast<int>(row.size()));
  for (std::size_t i = 0; i < row.size(); ++i) {
    const std::string& name = rows.columns()[i].name;
    lua_pushlstring(thread, name.data(), name.size());
    push_value(thread, row[i]);
    lua_rawset(thread, -3);
  }
  push_row_metatable(thread, index, rows);
  lua_setmetatable(thread, -2);
}

void push_row(lua_State* thread, int index, const RowsHandle& handle, const Row& row) {
  if (handle.element == RowKind::row) return push_plain_row(thread, index, *handle.rows, row);
  push_element(thread, handle, row);
}

/// Pushes row `number` (from 1), or nil behind the end.
int push_numbered(lua_State* thread, int index, RowsHandle& handle, lua_Integer number) {
  const Row* row = nullptr;
  if (number >= 1) {
    row = must(thread, handle.rows->at(static_cast<std::uint64_t>(number - 1)));
  }
  if (row == nullptr) {
    lua_pushnil(thread);
  } else {
    push_row(thread, index, handle, *row);
  }
  return 1;
}

int index_row(lua_State* thread) {
  RowsHandle& handle = self(thread);
  if (lua_isinteger(thread, 2)) return push_numbered(thread, 1, handle, lua_tointeger(thread, 2));
  std::vector<std::string> names;
  for (const FunctionBinding& method : kRowsClass.methods) names.emplace_back(method.name);
  raise_error(thread, no_such_field("a table of rows", luaL_tolstring(thread, 2, nullptr), names));
}

int length(lua_State* thread) {
  lua_pushinteger(thread, static_cast<lua_Integer>(must(thread, self(thread).rows->size())));
  return 1;
}

int next_pair(lua_State* thread) {
  return guarded(thread, [&] {
    auto& handle = check_object<RowsHandle>(thread, lua_upvalueindex(1));
    const lua_Integer number = luaL_optinteger(thread, 2, 0) + 1;
    lua_pushinteger(thread, number);
    push_numbered(thread, lua_upvalueindex(1), handle, number);
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

int call(lua_State* thread) {
  const RowsHandle handle = self(thread);
  luaL_checktype(thread, 2, LUA_TTABLE);
  const Value conditions = must(thread, value_at(thread, 2));
  const Record* record = conditions.as<Record>();
  auto kept = must(thread, handle.rows->where(record ? *record : Record{}));
  push_object(thread, RowsHandle{std::move(kept), handle.element, handle.trace});
  return 1;
}

int tostring(lua_State* thread) {
  const auto& context = LuaHost::of(thread).context();
  const std::string text = render_text(self(thread).rows->document(), context.face().terminal());
  lua_pushlstring(thread, text.data(), text.size());
  return 1;
}

/// Upvalues: handle, row number so far, then one column index for each value.
int next_values(lua_State* thread) {
  return guarded(thread, [&] {
    const auto& handle = check_object<RowsHandle>(thread, lua_upvalueindex(1));
    const lua_Integer number = lua_tointeger(thread, lua_upvalueindex(2)) + 1;
    const Row* row = must(thread, handle.rows->at(static_cast<std::uint64_t>(number - 1)));
    if (row == nullptr) return 0;
    lua_pushinteger(thread, number);
    lua_copy(thread, -1, lua_upvalueindex(2));
    int count = 1;
    while (lua_type(thread, lua_upvalueindex(count + 2)) == LUA_TNUMBER) {
      const auto column = lua_tointeger(thread, lua_upvalueindex(count + 2));
      push_value(thread, (*row)[static_cast<std::size_t>(column)]);
      ++count;
    }
    return count;
  });
}

int each(lua_State* thread) {
  const RowsHandle& handle = self(thread);
  const int count = lua_gettop(thread) - 1;
  luaL_argcheck(thread, count >= 1 && count <= 200, 2, "name one to 200 columns");
  lua_pushvalue(thread, 1);
  lua_pushinteger(thread, 0);
  for (int i = 0; i < count; ++i) {
    const std::size_t column = must(thread, handle.rows->column(luaL_checkstring(thread, i + 2)));
    lua_pushinteger(thread, static_cast<lua_Integer>(column));
  }
  lua_pushcclosure(thread, next_values, count + 2);
  return 1;
}

std::uint64_t count(RowsHandle& handle) { return handle.rows->size().value_or(0); }

Result<Value> sum(RowsHandle& handle, std::string_view column) {
  return handle.rows->sum(TRY(handle.rows->column(column)));
}

Result<std::vector<double>> numbers(RowsHandle& handle, std::string_view column) {
  return handle.rows->numbers(TRY(handle.rows->column(column)));
}

/// A whole number as an integer, as the column holds it.
Value tidy(double value) {
  const auto whole = static_cast<std::int64_t>(value);
  return static_cast<double>(whole) == value ? Value(whole) : Value(value);
}

Result<Value> smallest(RowsHandle& handle, std::string_view column) {
  const auto values = TRY(numbers(handle, column));
  return values.empty() ? Value() : tidy(*std::ranges::min_element(values));
}

Result<Value> largest(RowsHandle& handle, std::string_view column) {
  const auto values = TRY(numbers(handle, column));
  return values.empty() ? Value() : tidy(*std::ranges::max_element(values));
}

Result<Value> mean(RowsHandle& handle, std::string_view column) {
  const auto values = TRY(numbers(handle, column));
  return values.empty() ? Value() : Value(moments(values).mean);
}

Result<Value> deviation(RowsHandle& handle, std::string_view column) {
  return Value(moments(TRY(numbers(handle, column))).deviation);
}

Result<Value> percentile(RowsHandle& handle, std::string_view column, double p) {
  if (!(p >= 0 && p <= 100)) return fail(Errc::usage, "a percentile is from 0 to 100");
  auto values = TRY(numbers(handle, column));
  return values.empty() ? Value() : tidy(percentile_of(std::move(values), p));
}

Result<RowsHandle> top(RowsHandle& handle, std::uint64_t limit, std::string_view column) {
  const std::size_t by = TRY(handle.rows->column(column));
  return RowsHandle {
    TRY(handle.rows->top(limit, by))
    , handle.element, handle.trace
  };
}

Result<Value> totable(RowsHandle& handle, std::optional<std::uint64_t> limit) {
  const Value all = TRY(as_value(handle.rows->document(), limit.value_or(100'000)));
  const Value* rows = all.find("rows");
  return rows ? *rows : Value(List{});
}

int value(lua_State* thread) {
  push_value(thread, must(thread, totable(self(thread), std::nullopt)));
  return 1;
}

constexpr FunctionBinding kMethods[] = {
    {"each", thunk<&each>, "...: string", "fun(): integer, ...",
     "Iterates with several values a row: the row number, then the named columns."},
    {"count", thunk<&count>, "", "integer", "How many rows there are."},
    {"sum", thunk<&sum>, "column: string", "number", "The sum of a column."},
    {"min", thunk<&smallest>, "column: string", "number?", "The smallest value of a column."},
    {"max", thunk<&largest>, "column: string", "number?", "The largest value of a column."},
    {"mean", thunk<&mean>, "column: string", "number?", "The mean of a column."},
    {"stddev", thunk<&deviation>, "column: string", "number?", "The sample standard deviation."},
    {"percentile", thunk<&percentile>, "column: string, p: number", "number?",
     "The smallest value that p percent (0 to 100) of the rows do not exceed."},
    {"top", thunk<&top>, "n: integer, column: string", "rpl.Rows",
     "The n rows with the largest values of a column, largest first."},
    {"totable", thunk<&totable>, "limit?: integer", "table[]",
     "All rows as plain tables; more than `limit` (100 000) is an error."},
};

constexpr luaL_Reg kMetamethods[] = {
    {"__index", thunk<&index_row>},   {"__len", thunk<&length>},
    {"__pairs", thunk<&pairs>},       {"__call", thunk<&call>},
    {"__tostring", thunk<&tostring>}, {"__rpl_value", thunk<&value>},
};

}  // namespace
}  // namespace rows_binding

const ClassBinding kRowsClass{
    .name = type_name<RowsHandle>,
    .help =
        "The rows of a result. Call it with conditions to filter: rows{kernel=\"gemm\", "
        "min_calls=2}.",
    .fields = {},
    .methods = rows_binding::kMethods,
    .metamethods = rows_binding::kMetamethods,
    .callable = "fun(self: rpl.Rows, conditions: table): rpl.Rows",
    .element = "table",
    .finalizer = detail::finalize<RowsHandle>,
};

}  // namespace rpl
