// SPDX-License-Identifier: MIT
// `rpl.Rows` and `rpl.Dispatches`: what is walked, filtered and summed up.
#include "engine/document/json.h"
#include "shell/core/session/context.h"
#include "shell/core/session/face.h"
#include "shell/core/session/values.h"
#include "shell/core/session/workspace.h"
#include "shell/lua/handles.h"
#include "shell/render/render.h"

namespace rpl {
namespace collections_binding {
namespace {

template <class Handle>
Handle& self(lua_State* thread) {
  return check_object<Handle>(thread, 1);
}

DispatchSet set_of(lua_State* thread, DispatchesHandle& handle) {
  return {live(thread, *handle.share), handle.rows.get()};
}

const ClassBinding& class_of(const RowsHandle&) { return kRowsClass; }
const ClassBinding& class_of(const DispatchesHandle&) { return kDispatchesClass; }

/// A number of rows that a filter or an order left, as a collection of the same kind.
RowsHandle like(const RowsHandle& handle, std::shared_ptr<Rows> rows) {
  return {std::move(rows), handle.element, handle.trace};
}
DispatchesHandle like(const DispatchesHandle& handle, std::vector<std::uint32_t> rows) {
  return {handle.share, std::make_shared<const std::vector<std::uint32_t>>(std::move(rows))};
}

// Elements: row `at` from 0, nothing behind the end.

const Row* element(lua_State* thread, RowsHandle& handle, std::uint64_t at) {
  return must(thread, handle.rows->at(at));
}
DispatchRow element(lua_State* thread, DispatchesHandle& handle, std::uint64_t at) {
  const DispatchSet set = set_of(thread, handle);
  return at < set.size() ? set[at] : DispatchRow{};
}

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

std::string row_tostring(lua_State* thread) { return to_json(must(thread, value_at(thread, 1))); }

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

/// Pushes element `at` (from 0) of the collection at `index`; false, and nothing, behind the end.
bool push_element_at(lua_State* thread, int index, RowsHandle& handle, std::uint64_t at) {
  const Row* found = element(thread, handle, at);
  if (found == nullptr) return false;
  const Row& row = *found;
  if (handle.element != RowKind::row) {
    push_element(thread, handle, row);
    return true;
  }
  lua_createtable(thread, 0, static_cast<int>(row.size()));
  for (std::size_t i = 0; i < row.size(); ++i) {
    const std::string_view name = handle.rows->columns()[i].name;
    lua_pushlstring(thread, name.data(), name.size());
    push_value(thread, row[i]);
    lua_rawset(thread, -3);
  }
  push_row_metatable(thread, index, *handle.rows);
  lua_setmetatable(thread, -2);
  return true;
}
bool push_element_at(lua_State* thread, int, DispatchesHandle& handle, std::uint64_t at) {
  const DispatchSet set = set_of(thread, handle);
  if (at >= set.size()) return false;
  push_object(thread, DispatchHandle{handle.share, set.row(at)});
  return true;
}

/// Pushes element `number` (from 1), or nil behind the end.
template <class Handle>
int push_numbered(lua_State* thread, int index, Handle& handle, lua_Integer number) {
  if (number < 1 || !push_element_at(thread, index, handle, static_cast<std::uint64_t>(number - 1)))
    lua_pushnil(thread);
  return 1;
}

template <class Handle>
int index_element(lua_State* thread) {
  auto& handle = self<Handle>(thread);
  if (lua_isinteger(thread, 2)) return push_numbered(thread, 1, handle, lua_tointeger(thread, 2));
  constexpr bool rows = std::same_as<Handle, RowsHandle>;
  raise_error(thread,
              no_such_field(rows ? "a table of rows" : "dispatches",
                            luaL_tolstring(thread, 2, nullptr), member_names(class_of(handle))));
}

template <class Handle>
int next_pair(lua_State* thread) {
  return guarded(thread, [&] {
    const lua_Integer number = luaL_optinteger(thread, 2, 0) + 1;
    lua_pushinteger(thread, number);
    auto& handle = check_object<Handle>(thread, lua_upvalueindex(1));
    push_numbered(thread, lua_upvalueindex(1), handle, number);
    return lua_isnil(thread, -1) ? 0 : 2;
  });
}

template <class Handle>
int pairs(lua_State* thread) {
  self<Handle>(thread);
  lua_pushvalue(thread, 1);
  lua_pushcclosure(thread, next_pair<Handle>, 1);
  lua_pushvalue(thread, 1);
  lua_pushnil(thread);
  return 3;
}

Result<std::shared_ptr<Rows>> where(lua_State*, const RowsHandle& handle, const Record& record) {
  return handle.rows->where(record);
}
Result<std::vector<std::uint32_t>> where(lua_State* thread, DispatchesHandle& handle,
                                         const Record& record) {
  return set_of(thread, handle).where(LuaHost::of(thread).context().workspace(), record);
}

template <class Handle>
int call(lua_State* thread) {
  auto handle = self<Handle>(thread);
  luaL_checktype(thread, 2, LUA_TTABLE);
  const Value conditions = must(thread, value_at(thread, 2));
  const Record* record = conditions.as<Record>();
  auto kept = must(thread, where(thread, handle, record ? *record : Record{}));
  push_object(thread, like(handle, std::move(kept)));
  return 1;
}

Result<std::size_t> column_index(const RowsHandle& handle, const char* name) {
  return handle.rows->column(name);
}
Result<std::size_t> column_index(const DispatchesHandle&, const char* name) {
  return static_cast<std::size_t>(TRY(DispatchSet::column(name)) -
                                  BoundList(kScriptDispatch).begin());
}

void push_cell(lua_State* thread, const Row* row, int column) {
  push_value(thread, (*row)[static_cast<std::size_t>(column)]);
}
/// A kernel's name or id comes from the cache at upvalue 3, so that long names make no garbage row by row.
void push_cell(lua_State* thread, const DispatchRow& dispatch, int index) {
  const BoundColumn& column = kScriptDispatch.columns[static_cast<std::size_t>(index)];
  if (column.integer != nullptr) return lua_pushinteger(thread, column.number(&dispatch));
  if (!column.about.name.starts_with("kernel")) return push_value(thread, column.value(&dispatch));
  const auto key = static_cast<lua_Integer>(dispatch.launch().kernel) * 256 + index;
  if (lua_rawgeti(thread, lua_upvalueindex(3), key) != LUA_TNIL) return;
  lua_pop(thread, 1);
  push_value(thread, column.value(&dispatch));
  lua_pushvalue(thread, -1);
  lua_rawseti(thread, lua_upvalueindex(3), key);
}

/// Upvalues: handle, number so far, cache, then one column index for each value.
template <class Handle>
int next_values(lua_State* thread) {
  return guarded(thread, [&] {
    auto& handle = check_object<Handle>(thread, lua_upvalueindex(1));
    const lua_Integer at = lua_tointeger(thread, lua_upvalueindex(2));
    const auto row = element(thread, handle, static_cast<std::uint64_t>(at));
    if (!row) return 0;
    lua_pushinteger(thread, at + 1);
    lua_copy(thread, -1, lua_upvalueindex(2));
    int count = 1;
    for (; lua_type(thread, lua_upvalueindex(count + 3)) == LUA_TNUMBER; ++count)
      push_cell(thread, row, static_cast<int>(lua_tointeger(thread, lua_upvalueindex(count + 3))));
    return count;
  });
}

template <class Handle>
int each(lua_State* thread) {
  auto& handle = self<Handle>(thread);
  const int count = lua_gettop(thread) - 1;
  luaL_argcheck(thread, count >= 1 && count <= 200, 2, "name one to 200 columns");
  if constexpr (std::same_as<Handle, DispatchesHandle>) set_of(thread, handle);
  lua_pushvalue(thread, 1);
  lua_pushinteger(thread, 0);
  lua_newtable(thread);
  for (int i = 0; i < count; ++i) {
    const std::size_t column = must(thread, column_index(handle, luaL_checkstring(thread, i + 2)));
    lua_pushinteger(thread, static_cast<lua_Integer>(column));
  }
  lua_pushcclosure(thread, next_values<Handle>, count + 3);
  return 1;
}

Result<std::vector<double>> numbers(lua_State*, RowsHandle& handle, std::string_view column) {
  return handle.rows->numbers(column);
}
Result<std::vector<double>> numbers(lua_State* thread, DispatchesHandle& handle,
                                    std::string_view column) {
  return set_of(thread, handle).numbers(column);
}

template <class Handle>
Result<Value> sum(lua_State* thread, Handle& handle, std::string_view column) {
  if constexpr (std::same_as<Handle, RowsHandle>)
    return handle.rows->sum(column);
  else
    return set_of(thread, handle).sum(column);
}

/// A whole number as an integer, as the column holds it.
Value tidy(double value) {
  const auto whole = static_cast<std::int64_t>(value);
  return static_cast<double>(whole) == value ? Value(whole) : Value(value);
}

template <class Handle>
Result<Value> smallest(lua_State* thread, Handle& handle, std::string_view column) {
  const auto values = TRY(numbers(thread, handle, column));
  return values.empty() ? Value() : tidy(*std::ranges::min_element(values));
}

template <class Handle>
Result<Value> largest(lua_State* thread, Handle& handle, std::string_view column) {
  const auto values = TRY(numbers(thread, handle, column));
  return values.empty() ? Value() : tidy(*std::ranges::max_element(values));
}

template <class Handle>
Result<Value> mean(lua_State* thread, Handle& handle, std::string_view column) {
  const auto values = TRY(numbers(thread, handle, column));
  return values.empty() ? Value() : Value(moments(values).mean);
}

template <class Handle>
Result<Value> deviation(lua_State* thread, Handle& handle, std::string_view column) {
  return Value(moments(TRY(numbers(thread, handle, column))).deviation);
}

template <class Handle>
Result<Value> percentile(lua_State* thread, Handle& handle, std::string_view column, double p) {
  if (!(p >= 0 && p <= 100)) return fail(Errc::usage, "a percentile is from 0 to 100");
  auto values = TRY(numbers(thread, handle, column));
  return values.empty() ? Value() : tidy(percentile_of(std::move(values), p));
}

Result<RowsHandle> top_rows(RowsHandle& handle, std::uint64_t limit, std::string_view column) {
  return like(handle, TRY(handle.rows->top(limit, column)));
}

Result<DispatchesHandle> top_dispatches(lua_State* thread, DispatchesHandle& handle,
                                        std::int64_t limit,
                                        std::optional<std::string_view> column) {
  luaL_argcheck(thread, limit >= 0, 2, "a count, 0 or more");
  return like(handle,
              TRY(set_of(thread, handle)
                      .top(static_cast<std::size_t>(limit), column.value_or("duration_ns"))));
}

/// The first `limit` dispatches as a result; the real number of rows is kept with it.
Document table(const DispatchSet& set, std::size_t limit) {
  Document document;
  document.columns = described(kScriptDispatch);
  for (std::size_t at = 0; at < std::min(limit, set.size()); ++at) {
    const DispatchRow dispatch = set[at];
    to_row(kScriptDispatch, &dispatch, document.rows.emplace_back());
  }
  if (set.size() > limit) document.total_rows = set.size();
  document.provenance = Provenance::recorded;
  return document;
}

template <class Handle>
std::string tostring(lua_State* thread, Handle& handle) {
  constexpr std::size_t kShown = 20;
  const Terminal& terminal = LuaHost::of(thread).context().face().terminal();
  if constexpr (std::same_as<Handle, RowsHandle>)
    return render_text(handle.rows->document(), terminal).string();
  else
    return render_text(table(set_of(thread, handle), kShown), terminal).string();
}

Result<Value> rows_in(const Document& document, std::uint64_t limit) {
  const Value all = TRY(as_value(document, limit));
  const Value* rows = all.find("rows");
  return rows ? *rows : Value(List{});
}

template <class Handle>
Result<Value> totable(lua_State* thread, Handle& handle, std::optional<std::uint64_t> limit) {
  const std::uint64_t most = limit.value_or(100'000);
  if constexpr (std::same_as<Handle, RowsHandle>) {
    return rows_in(handle.rows->document(), most);
  } else {
    const DispatchSet set = set_of(thread, handle);
    if (set.size() <= most) return rows_in(table(set, set.size()), most);
    return fail(Errc::limit, fmt::format("{} dispatches are more than {}", set.size(), most),
                "filter, use :each, or give a higher limit: totable(n)");
  }
}

template <class Handle>
Result<Value> value(lua_State* thread, Handle& handle) {
  return totable(thread, handle, std::nullopt);
}

template <class Handle>
Result<std::uint64_t> count(lua_State* thread, Handle& handle) {
  if constexpr (std::same_as<Handle, RowsHandle>)
    return handle.rows->size();
  else
    return set_of(thread, handle).size();
}

template <class Handle>
constexpr FunctionBinding kTop{"top",
                               thunk<&top_rows>,
                               "n: integer, column: string",
                               "rpl.Rows",
                               "The n rows with the largest values of a column, largest first.",
                               kReads};
template <>
constexpr FunctionBinding kTop<DispatchesHandle>{
    "top",
    thunk<&top_dispatches>,
    "n: integer, column?: string",
    "rpl.Dispatches",
    "The n with the largest values (duration_ns), largest first.",
    kReads};

template <class Handle>
constexpr FunctionBinding kMethods[] = {
    {"each", thunk<&each<Handle>>, "...: string", "fun(): integer, ...",
     "Iterates with several values a row, for millions of rows: number, then the named columns.",
     kReads},
    {"count", thunk<&count<Handle>>, "", "integer", "How many there are.", kReads},
    {"sum", thunk<&sum<Handle>>, "column: string", "number", "The sum of a column.", kReads},
    {"min", thunk<&smallest<Handle>>, "column: string", "number?",
     "The smallest value of a column.", kReads},
    {"max", thunk<&largest<Handle>>, "column: string", "number?", "The largest value of a column.",
     kReads},
    {"mean", thunk<&mean<Handle>>, "column: string", "number?", "The mean of a column.", kReads},
    {"stddev", thunk<&deviation<Handle>>, "column: string", "number?",
     "The sample standard deviation.", kReads},
    {"percentile", thunk<&percentile<Handle>>, "column: string, p: number", "number?",
     "The smallest value that p percent (0 to 100) of them do not exceed.", kReads},
    kTop<Handle>,
    {"totable", thunk<&totable<Handle>>, "limit?: integer", "table[]",
     "As plain tables; more than `limit` (100 000) is an error.", kReads},
};

template <class Handle>
constexpr luaL_Reg kMetamethods[] = {
    {"__index", thunk<&index_element<Handle>>}, {"__len", thunk<&count<Handle>>},
    {"__pairs", thunk<&pairs<Handle>>},         {"__call", thunk<&call<Handle>>},
    {"__tostring", thunk<&tostring<Handle>>},   {"__rpl_value", thunk<&value<Handle>>},
};

}  // namespace
}  // namespace collections_binding

const ClassBinding kRowsClass{
    .name = type_name<RowsHandle>,
    .help =
        "The rows of a result. Call it with conditions to filter: rows{kernel=\"gemm\", "
        "min_calls=2}.",
    .fields = {},
    .methods = collections_binding::kMethods<RowsHandle>,
    .metamethods = collections_binding::kMetamethods<RowsHandle>,
    .callable = "fun(self: rpl.Rows, conditions: table): rpl.Rows",
    .element = "table",
    .finalizer = detail::finalize<RowsHandle>,
};

const ClassBinding kDispatchesClass{
    .name = type_name<DispatchesHandle>,
    .help =
        "Dispatches. Call it with conditions to filter: {kernel=\"gemm\", stream=\"s1\", "
        "min_ns=1000}.",
    .fields = {},
    .methods = collections_binding::kMethods<DispatchesHandle>,
    .metamethods = collections_binding::kMetamethods<DispatchesHandle>,
    .callable = "fun(self: rpl.Dispatches, conditions: table): rpl.Dispatches",
    .element = "rpl.Dispatch",
    .finalizer = detail::finalize<DispatchesHandle>,
};

}  // namespace rpl
