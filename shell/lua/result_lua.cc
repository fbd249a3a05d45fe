// SPDX-License-Identifier: MIT
#include <algorithm>

#include "shell/core/command/registry.h"
#include "shell/core/session/context.h"
#include "shell/lua/handles.h"

namespace rpl {
namespace result_binding {
namespace {

constexpr std::pair<std::string_view, Unit> kSuffixes[] = {
    {"_ns", Unit::ns},         {"_bytes", Unit::bytes},  {"_gbps", Unit::gbps},
    {"_gflops", Unit::gflops}, {"_hz", Unit::hz},        {"_pct", Unit::pct},
    {"_cycles", Unit::cycles}, {"share", Unit::share},   {"fraction", Unit::share},
    {"gain", Unit::share},     {"speedup", Unit::ratio}, {"ratio", Unit::ratio},
    {"calls", Unit::count},
};

Unit unit_of_name(std::string_view name) {
  for (const auto& [suffix, unit] : kSuffixes) {
    if (name.ends_with(suffix)) return unit;
  }
  return name.find("gain") == std::string_view::npos ? Unit::none : Unit::share;
}

Type type_of_name(std::string_view name) {
  if (name == "id") return Type::id;
  if (name == "kernel") return Type::kernel;
  if (name == "grid" || name == "workgroup") return Type::dim3;
  return unit_of_name(name) == Unit::none ? Type::any : Type::number;
}

Type type_of(const Value& value) {
  if (value.as<bool>()) return Type::boolean;
  if (value.as<std::int64_t>()) return Type::integer;
  if (value.as<double>()) return Type::number;
  if (value.as<std::string>()) return Type::string;
  if (value.as<Record>()) return Type::record;
  return Type::any;
}

Column named_column(std::string_view name) {
  return {std::string(name), type_of_name(name), unit_of_name(name), ""};
}

/// A column whose name says nothing about its type takes that of its values.
void refine(Column& column, const Value& value) {
  if (value.is_null()) return;
  if (column.type == Type::any) column.type = type_of(value);
  if (column.type == Type::integer && value.as<double>()) column.type = Type::number;
}

Result<Unit> unit_named(std::string_view name) {
  constexpr std::pair<std::string_view, Unit> kUnits[] = {
      {"count", Unit::count},  {"ns", Unit::ns},         {"bytes", Unit::bytes},
      {"gbps", Unit::gbps},    {"gflops", Unit::gflops}, {"hz", Unit::hz},
      {"pct", Unit::pct},      {"share", Unit::share},   {"ratio", Unit::ratio},
      {"cycles", Unit::cycles}};
  std::string names;
  for (const auto& [known, unit] : kUnits) {
    if (known == name) return unit;
    // As help and documents spell it: "GB/s", "fraction".
    if (to_string(unit) == name) return unit;
    names += (names.empty() ? "units: " : ", ") + std::string(known);
  }
  return fail(Errc::usage, fmt::format("no unit '{}'", name), names);
}

Result<Type> type_named(std::string_view name) {
  for (int i = 0; i <= static_cast<int>(Type::any); ++i) {
    if (to_string(static_cast<Type>(i)) == name) return static_cast<Type>(i);
  }
  return fail(Errc::usage, fmt::format("no type '{}'", name), "like integer, number, string, id");
}

std::vector<Column> columns_of(const List& rows) {
  std::vector<Column> columns;
  for (const Value& row : rows) {
    const auto* record = row.as<Record>();
    if (record == nullptr) continue;
    for (const auto& [name, value] : *record) {
      if (std::ranges::find(columns, std::string_view(name), &Column::name) == columns.end()) {
        columns.push_back(named_column(name));
      }
    }
  }
  std::ranges::sort(columns, {}, &Column::name);
  return columns;
}

Result<Row> row_from(const Value& value, std::span<const Column> columns, std::size_t number) {
  Row row(columns.size());
  if (const auto* list = value.as<List>()) {
    if (list->size() > columns.size()) {
      return fail(Errc::usage, fmt::format("row {} has {} values for {} columns", number,
                                           list->size(), columns.size()));
    }
    std::ranges::copy(*list, row.begin());
    return row;
  }
  const auto* record = value.as<Record>();
  if (record == nullptr) {
    if (columns.size() == 1) return Row{value};
    return fail(Errc::usage, fmt::format("row {} is not a table", number));
  }
  for (const auto& [name, cell] : *record) {
    const auto found = std::ranges::find(columns, std::string_view(name), &Column::name);
    if (found == columns.end()) {
      std::vector<std::string> names;
      for (const Column& column : columns) names.push_back(column.name);
      return Failure(no_such_field(fmt::format("the column list (row {})", number), name, names));
    }
    row[static_cast<std::size_t>(found - columns.begin())] = cell;
  }
  return row;
}

Result<Document> table_of(const List& list, std::vector<Column> columns) {
  const bool tables = std::ranges::any_of(list, [](const Value& v) { return v.as<Record>(); });
  if (columns.empty() && tables) columns = columns_of(list);
  if (columns.empty()) columns = {named_column("value")};
  Document document;
  for (const Value& value : list) {
    document.rows.push_back(TRY(row_from(value, columns, document.rows.size() + 1)));
    for (std::size_t i = 0; i < columns.size(); ++i) refine(columns[i], document.rows.back()[i]);
  }
  document.columns = std::move(columns);
  return document;
}

Document record_of(const Record& record) {
  Document document;
  for (const auto& [name, value] : record) {
    Column field = named_column(name);
    refine(field, value);
    document.fields.push_back(std::move(field));
    document.set(name, value);
  }
  return document;
}

struct Evaluated {
  Value value;
};
constexpr auto kEvaluatedFields =
    bound_to<Evaluated>(column<&Evaluated::value>("value", "what the expression gave"));

Document scalar_of(Value value, std::string text) {
  Document document;
  document.fields = described(kEvaluatedFields);
  document.fields[0].type = type_of(value);
  document.put(kEvaluatedFields, Evaluated{std::move(value)});
  document.scalar = "value";
  document.text = std::move(text);
  return document;
}

/// Traces, kernels and dispatches show what the command about them shows.
std::optional<Result<Document>> object_document(lua_State* thread, int index) {
  LuaHost& host = LuaHost::of(thread);
  std::string id, path, parameter;
  if (const auto* trace = find_object<TraceHandle>(thread, index)) {
    id = trace->share->id;
    path = "info trace";
  } else if (const auto* kernel = find_object<KernelHandle>(thread, index)) {
    id = kernel->share->id;
    path = "info kernel";
    parameter = "kernel";
  } else if (const auto* dispatch = find_object<DispatchHandle>(thread, index)) {
    id = dispatch->share->id;
    path = "info dispatch";
    parameter = "dispatch";
  }
  const Command* command = path.empty() ? nullptr : host.context().registry().find(path);
  if (command == nullptr) return std::nullopt;
  Arguments arguments;
  if (!parameter.empty() && command->param(parameter)) {
    auto reference = value_at(thread, index);
    if (!reference) return Failure(reference.error());
    arguments[parameter] = std::move(*reference);
  }
  return host.run_on(id, *command, arguments);
}

Result<Document> one_document(lua_State* thread, int index) {
  if (const auto* result = find_object<ResultHandle>(thread, index)) return *result->document;
  if (const auto* rows = find_object<RowsHandle>(thread, index)) {
    Document table = rows->rows->document();
    table.record.clear();
    table.fields.clear();
    table.text.clear();
    return table;
  }
  if (auto object = object_document(thread, index)) return std::move(*object);
  const bool is_table = lua_type(thread, index) == LUA_TTABLE;
  auto value = value_at(thread, index);
  if (!value && is_table) return std::move(value).failure();
  if (is_table && value->as<Record>()) return record_of(*value->as<Record>());
  if (is_table) return table_of(*value->as<List>(), {});
  std::string text = shown(thread, index);
  return scalar_of(value ? std::move(*value) : Value(text), text);
}

}  // namespace
}  // namespace result_binding

Result<Column> column_from(const Value& description) {
  if (const auto* name = description.as<std::string>()) return result_binding::named_column(*name);
  const auto text = [&](std::string_view key) { return text_in(description, key); };
  if (text("name").empty()) {
    return fail(Errc::usage, "a column has no name", "write \"total_ns\" or {name = \"total_ns\"}");
  }
  Column column = result_binding::named_column(text("name"));
  if (!text("type").empty()) column.type = TRY(result_binding::type_named(text("type")));
  if (!text("unit").empty()) column.unit = TRY(result_binding::unit_named(text("unit")));
  column.description = text("help");
  return column;
}

Result<std::vector<Column>> columns_from(const List& descriptions) {
  std::vector<Column> columns;
  for (const Value& item : descriptions) columns.push_back(TRY(column_from(item)));
  return columns;
}

Result<Document> table_from(lua_State* thread, int index, std::vector<Column> columns) {
  const Value value = TRY(value_at(thread, index));
  const auto* list = value.as<List>();
  if (list == nullptr) return fail(Errc::usage, "a table's rows must be a list of tables");
  return result_binding::table_of(*list, std::move(columns));
}

std::string shown(lua_State* thread, int index) {
  std::size_t size = 0;
  const char* text = luaL_tolstring(thread, index, &size);
  std::string out(text, size);
  lua_pop(thread, 1);
  return out;
}

Result<Document> document_from(lua_State* thread, int first) {
  const int last = lua_gettop(thread);
  if (last < first) return Document{};
  if (last == first) return result_binding::one_document(thread, first);
  List values;
  std::string text;
  for (int index = first; index <= last; ++index) {
    text += (index == first ? "" : "\t") + shown(thread, index);
    auto value = value_at(thread, index);
    values.push_back(value ? std::move(*value) : Value(shown(thread, index)));
  }
  Document document;
  document.columns = {result_binding::named_column("value")};
  for (Value& value : values) document.rows.push_back({std::move(value)});
  document.text = std::move(text);
  return document;
}

}  // namespace rpl
