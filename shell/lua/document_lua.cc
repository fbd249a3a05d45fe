// SPDX-License-Identifier: MIT
#include "shell/core/session/context.h"
#include "shell/core/session/face.h"
#include "shell/core/session/values.h"
#include "shell/lua/handles.h"
#include "shell/render/render.h"

namespace rpl {
namespace document_binding {
namespace {

ResultHandle& self(lua_State* thread) { return check_object<ResultHandle>(thread, 1); }

RowsHandle get_rows(ResultHandle& handle) {
  return {.rows = std::make_shared<Rows>(handle.document)};
}

std::vector<std::string> column_names(const ResultHandle& handle) {
  std::vector<std::string> names;
  for (const Column& column : handle.document->columns) names.push_back(column.name);
  return names;
}

constexpr auto kColumns =
    bound_to<ResultHandle>(column<&column_names>("columns", "The names of the table's columns."),
                           column<&ResultHandle::document, &Document::notes>(
                               "notes", "What must be known about the result."),
                           column<&ResultHandle::document, &Document::schema>(
                               "schema", "The name and version of its JSON form."),
                           column<&ResultHandle::document, &Document::provenance>(
                               "provenance", "measured, modelled, recorded or estimated."),
                           column<&ResultHandle::document, &Document::exit_code>(
                               "exit_code", "What the program would exit with after this result."));

/// A field of the record, whose names only the result knows.
int record_field(lua_State* thread) {
  const Document& document = *self(thread).document;
  if (lua_isinteger(thread, 2)) {
    lua_pushnil(thread);
    return 1;
  }
  const std::string_view name = luaL_tolstring(thread, 2, nullptr);
  if (const Value* value = document.get(name)) {
    push_value(thread, *value);
    return 1;
  }
  std::vector<std::string> all;
  for (const Column& field : document.fields) {
    if (field.name == name) {
      lua_pushnil(thread);
      return 1;
    }
    all.push_back(field.name);
  }
  all.emplace_back("rows");
  for (const BoundColumn& column : kColumns.columns) all.emplace_back(column.about.name);
  raise_error(thread, no_such_field("the result", name, all));
}

/// next() over the record, then `rows`. Arguments: handle, previous name.
int next_field(lua_State* thread) {
  return guarded(thread, [&] {
    const Document& document = *self(thread).document;
    std::size_t at = 0;
    if (lua_type(thread, 2) == LUA_TSTRING) {
      const std::string_view previous = lua_tostring(thread, 2);
      if (previous == "rows") return 0;
      while (at < document.record.size() && document.record[at].first != previous) ++at;
      ++at;
    }
    if (at < document.record.size()) {
      lua_pushstring(thread, document.record[at].first.c_str());
      push_value(thread, document.record[at].second);
      return 2;
    }
    if (!document.has_table()) return 0;
    lua_pushliteral(thread, "rows");
    push_object(thread, get_rows(self(thread)));
    return 2;
  });
}

int pairs(lua_State* thread) {
  self(thread);
  lua_pushcfunction(thread, next_field);
  lua_pushvalue(thread, 1);
  lua_pushnil(thread);
  return 3;
}

int tostring(lua_State* thread) {
  const auto& context = LuaHost::of(thread).context();
  std::string text = render_text(*self(thread).document, context.face().terminal()).string();
  while (text.ends_with('\n')) text.pop_back();
  lua_pushlstring(thread, text.data(), text.size());
  return 1;
}

Result<Value> totable(const ResultHandle& handle, std::optional<std::uint64_t> limit) {
  return as_value(*handle.document, limit.value_or(100'000));
}

int value(lua_State* thread) {
  push_value(thread, must(thread, totable(self(thread), std::nullopt)));
  return 1;
}

Result<Format> format_named(std::string_view name) {
  constexpr std::pair<std::string_view, Format> kFormats[] = {
      {"text", Format::text},       {"json", Format::json},         {"jsonl", Format::jsonl},
      {"csv", Format::csv},         {"markdown", Format::markdown}, {"md", Format::markdown},
      {"csv-raw", Format::csv_raw}, {"fields", Format::fields},     {"scalar", Format::scalar},
  };
  for (const auto& [known, format] : kFormats) {
    if (known == name) return format;
  }
  return fail(Errc::usage, fmt::format("no form '{}'", name),
              "forms: text, json, jsonl, csv, markdown, fields, scalar");
}

std::string rendered(lua_State* thread, const ResultHandle& handle, std::string_view form) {
  const Terminal plain{.width = LuaHost::of(thread).context().face().terminal().width};
  std::string text;
  const auto append = [&](OutputBytes part) -> Status {
    text += part.bytes();
    return {};
  };
  const Form wanted{must(thread, format_named(form)), std::nullopt};
  must(thread, render(*handle.document, wanted, plain, append));
  return text;
}

/// Puts the value of a printed result in its place, so that `$ + 1` computes. Other results have several and stand for none.
void unwrap(lua_State* thread, int index) {
  const auto* handle = find_object<ResultHandle>(thread, index);
  if (handle == nullptr) return;
  const Document& document = *handle->document;
  if (document.has_table() || document.record.size() != 1 || document.record[0].first != "value") {
    raise_error(thread, {Errc::usage, "a result is not a single value",
                         "take a field of it, like $1.span_ns, or of a row: $1.rows[1].id"});
  }
  push_value(thread, document.record[0].second);
  lua_replace(thread, index);
}

void unwrap_operands(lua_State* thread) {
  lua_settop(thread, 2);
  unwrap(thread, 1);
  unwrap(thread, 2);
}

template <int kOperator>
int arithmetic(lua_State* thread) {
  unwrap_operands(thread);
  // Lua gives the one operand of a minus sign twice.
  if (kOperator == LUA_OPUNM) lua_settop(thread, 1);
  lua_arith(thread, kOperator);
  return 1;
}

template <int kOperator>
int compared(lua_State* thread) {
  unwrap_operands(thread);
  lua_pushboolean(thread, lua_compare(thread, 1, 2, kOperator));
  return 1;
}

int joined(lua_State* thread) {
  unwrap_operands(thread);
  lua_concat(thread, 2);
  return 1;
}

constexpr FieldBinding kFields[] = {
    {"rows", "rpl.Rows", "The table, read as it is asked for.", thunk<&get_rows>},
};

constexpr FunctionBinding kMethods[] = {
    {"totable", thunk<&totable>, "limit?: integer", "table",
     "All of it as plain tables; more than `limit` (100 000) rows is an error.", kReads},
    {"render", thunk<&rendered>,
     "form: \"text\"|\"json\"|\"jsonl\"|\"csv\"|\"markdown\"|\"fields\"|\"scalar\"", "string",
     "The result as the shell would write it in that form.", kReads},
};

constexpr luaL_Reg kMetamethods[] = {
    {"__index", thunk<&record_field>},
    {"__pairs", thunk<&pairs>},
    {"__tostring", thunk<&tostring>},
    {"__rpl_value", thunk<&value>},
    {"__add", thunk<&arithmetic<LUA_OPADD>>},
    {"__sub", thunk<&arithmetic<LUA_OPSUB>>},
    {"__mul", thunk<&arithmetic<LUA_OPMUL>>},
    {"__div", thunk<&arithmetic<LUA_OPDIV>>},
    {"__idiv", thunk<&arithmetic<LUA_OPIDIV>>},
    {"__mod", thunk<&arithmetic<LUA_OPMOD>>},
    {"__pow", thunk<&arithmetic<LUA_OPPOW>>},
    {"__unm", thunk<&arithmetic<LUA_OPUNM>>},
    {"__concat", thunk<&joined>},
    {"__lt", thunk<&compared<LUA_OPLT>>},
    {"__le", thunk<&compared<LUA_OPLE>>},
};

}  // namespace
}  // namespace document_binding

const ClassBinding kResultClass{
    .name = type_name<ResultHandle>,
    .help = "What a command returned: its fields by name, and its table as `rows`.",
    .fields = document_binding::kFields,
    .methods = document_binding::kMethods,
    .metamethods = document_binding::kMetamethods,
    .element = "",
    .finalizer = detail::finalize<ResultHandle>,
    .columns = document_binding::kColumns,
    .read = read_object<ResultHandle>,
};

}  // namespace rpl
