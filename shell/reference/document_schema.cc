// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "engine/document/bound.h"
#include "engine/document/json.h"
#include "shell/core/inputs/profile_shapes.h"
#include "shell/reference/manual.h"

namespace rpl {
namespace {

constexpr const char* kDraft = "https://json-schema.org/draft/2020-12/schema";

Value one_of(std::initializer_list<const char*> names) {
  List list;
  for (const char* name : names) list.emplace_back(name);
  return Value(std::move(list));
}

Record array_of(Record items) {
  return {{"type", Value("array")}, {"items", Value(std::move(items))}};
}

/// What JSON holds for a type; every value may be null, which says that it is unknown.
Record json_type(Type type) {
  switch (type) {
    case Type::boolean:
      return {{"type", one_of({"boolean", "null"})}};
    // A count above 2^63 - 1 is a hex string.
    case Type::integer:
      return {{"type", one_of({"integer", "string", "null"})}};
    case Type::number:
      return {{"type", one_of({"number", "null"})}};
    case Type::string:
    case Type::id:
    case Type::kernel:
      return {{"type", one_of({"string", "null"})}};
    case Type::address:
      return {{"type", one_of({"string", "null"})}, {"pattern", Value("^0x[0-9a-f]+$")}};
    case Type::dim3: {
      Record out = array_of({{"type", Value("integer")}});
      out[0].second = one_of({"array", "null"});
      return out;
    }
    case Type::strings: {
      Record out = array_of({{"type", Value("string")}});
      out[0].second = one_of({"array", "null"});
      return out;
    }
    case Type::record:
      return {{"type", one_of({"object", "null"})}};
    case Type::any:
      return {};
  }
  return {};
}

Record properties_of(BoundList list, std::vector<BoundList>& around);

/// The object that a nested record is, or each element of a list of them. A record that may contain itself is described once.
void add_nested(Record& out, const Column& column, std::vector<BoundList>& around) {
  const BoundList list = column.nested();
  const auto same = [&](const BoundList& other) { return other.first == list.first; };
  if (std::ranges::any_of(around, same)) return;
  around.push_back(list);
  Record properties{{"properties", Value(properties_of(list, around))}};
  around.pop_back();
  if (column.type == Type::record) {
    out.push_back(std::move(properties.front()));
    return;
  }
  properties.insert(properties.begin(), {"type", Value("object")});
  out.emplace_back("type", one_of({"array", "null"}));
  out.emplace_back("items", Value(std::move(properties)));
}

Record shape_of(const Column& column, std::vector<BoundList>& around) {
  Record out = json_type(column.type);
  if (column.values) {
    const Column held{.name = {}, .type = *column.values, .nested = column.nested};
    out.emplace_back("additionalProperties", Value(shape_of(held, around)));
  } else if (column.nested != nullptr) {
    add_nested(out, column, around);
  }
  return out;
}

Record property(const Column& column, std::vector<BoundList>& around) {
  Record out = shape_of(column, around);
  std::string text = column.description;
  if (column.unit != Unit::none) text += fmt::format(" [{}]", to_string(column.unit));
  out.emplace_back("description", Value(text));
  return out;
}

Record properties_of(BoundList list, std::vector<BoundList>& around) {
  Record out;
  for (const BoundColumn& column : list)
    out.emplace_back(column.about.name, Value(property(column.about, around)));
  return out;
}

Record properties_of(const std::vector<Column>& columns) {
  Record out;
  std::vector<BoundList> around;
  for (const Column& column : columns)
    out.emplace_back(column.name, Value(property(column, around)));
  return out;
}

Record row_schema(const std::vector<Column>& columns) {
  return {{"type", Value("object")}, {"properties", Value(properties_of(columns))}};
}

std::string written(const Record& schema) {
  return to_json(Value(schema), JsonStyle::indented) + "\n";
}

Record head(const std::string& id, const std::string& description) {
  return {{"$schema", Value(kDraft)},
          {"$id", Value(id)},
          {"description", Value(description)},
          {"type", Value("object")}};
}

}  // namespace

std::string document_schema(const DocumentShape& shape) {
  Record properties{{"schema", Value(Record{{"const", Value(shape.schema)}})}};
  for (auto& field : properties_of(shape.fields)) properties.push_back(std::move(field));
  if (!shape.columns.empty()) {
    properties.emplace_back("rows", Value(array_of(row_schema(shape.columns))));
  }
  properties.emplace_back("notes", Value(array_of({{"type", Value("string")}})));
  properties.emplace_back(
      "provenance",
      Value(
          Record{{"enum", Value(List{"none", "measured", "modelled", "recorded", "estimated"})}}));
  Record schema = head(shape.schema, shape.summary);
  schema.emplace_back("properties", Value(std::move(properties)));
  schema.emplace_back("required", one_of({"schema", "notes", "provenance"}));
  return written(schema);
}

namespace {

/// "SCHEMA NAME TYPE", and for what is nested "SCHEMA NAME.FIELD TYPE", "SCHEMA NAME[].FIELD TYPE" or, where keys are data, "SCHEMA NAME.* TYPE".
void add_promises(std::vector<std::string>& out, const std::string& before, const Column& column,
                  std::vector<BoundList>& around) {
  std::string name = before + std::string(column.name);
  out.push_back(fmt::format("{} {}", name, to_string(column.type)));
  if (column.values) {
    name += ".*";
    out.push_back(fmt::format("{} {}", name, to_string(*column.values)));
  }
  if (column.nested == nullptr) return;
  const BoundList list = column.nested();
  const auto same = [&](const BoundList& other) { return other.first == list.first; };
  if (std::ranges::any_of(around, same)) return;
  around.push_back(list);
  const std::string inside =
      name + (column.values.value_or(column.type) == Type::record ? "." : "[].");
  for (const BoundColumn& field : list) add_promises(out, inside, field.about, around);
  around.pop_back();
}

}  // namespace

std::vector<std::string> schema_promises(const DocumentShape& shape) {
  std::vector<std::string> promises{shape.schema};
  std::vector<BoundList> around;
  for (const Column& field : shape.fields)
    add_promises(promises, shape.schema + " ", field, around);
  for (const Column& column : shape.columns)
    add_promises(promises, shape.schema + " rows.", column, around);
  return promises;
}

std::string document_schema(const Command& command) {
  return document_schema(
      DocumentShape{command.schema(), command.summary, command.fields, command.columns});
}

std::vector<std::string> schema_promises(const Command& command) {
  return schema_promises(
      DocumentShape{command.schema(), command.summary, command.fields, command.columns});
}

std::string error_schema() {
  Record schema =
      head("rpl.error/1", "What every command prints instead of its document when it fails.");
  const Record text{{"type", Value("string")}};
  schema.emplace_back("properties",
                      Value(Record{{"schema", Value(Record{{"const", Value("rpl.error/1")}})},
                                   {"code", Value(text)},
                                   {"message", Value(text)},
                                   {"hint", Value(Record{{"type", one_of({"string", "null"})}})}}));
  schema.emplace_back("required", one_of({"schema", "code", "message", "hint"}));
  return written(schema);
}

namespace {

Record described(Record schema, const char* description) {
  schema.emplace_back("description", Value(description));
  return schema;
}

Record typed(const char* type, const char* description) {
  return described({{"type", Value(type)}}, description);
}

Record id_schema(std::initializer_list<const char*> types, const char* description) {
  return described({{"type", one_of(types)}}, description);
}

}  // namespace

std::string request_schema() {
  Record schema =
      head("rpl.request/1",
           "A line that `rpl --interpreter jsonl` reads: one of line, command and cancel.");
  schema.emplace_back(
      "properties",
      Value(Record{
          {"id", Value(id_schema(
                     {"integer", "string"},
                     "names the request in its replies; no other that waits or runs has it"))},
          {"line", Value(typed("string", "what is to run, as it would be typed"))},
          {"command",
           Value(typed("string", "the whole words of a command: info kernels, or info_kernels"))},
          {"arguments",
           Value(typed("object", "of the command, by name; also trace, att, capture and limit"))},
          {"cancel",
           Value(id_schema({"integer", "string"}, "the id of the request that is to stop"))},
          {"limit", Value(typed("integer", "at most so many rows; 0 is all"))},
          {"progress", Value(typed("boolean", "whether the request is told how far it is"))}}));
  schema.emplace_back("required", one_of({"id"}));
  return written(schema);
}

std::string reply_schema() {
  Record progress = typed("object", "of an event progress: how far it is");
  progress.emplace_back(
      "properties",
      Value(
          Record{{"what", Value(typed("string", "what is being done"))},
                 {"done", Value(typed("integer", "how much of it"))},
                 {"total", Value(id_schema({"integer", "null"}, "of how much; null: unknown"))}}));
  progress.emplace_back("required", one_of({"what", "done", "total"}));
  Record error = described(
      {{"type", Value("object")}, {"required", one_of({"schema", "code", "message", "hint"})}},
      "of an event error: an rpl.error/1");
  Record result = described(
      {{"type", Value("object")}, {"required", one_of({"schema", "notes", "provenance"})}},
      "of an event result: the document that --json gives");
  Record schema = head("rpl.reply/1",
                       "A line that `rpl --interpreter jsonl` writes. Each request gets any number "
                       "of progress, then one result or error.");
  schema.emplace_back(
      "properties",
      Value(Record{
          {"schema", Value(Record{{"const", Value("rpl.reply/1")}})},
          {"id", Value(id_schema({"integer", "string", "null"},
                                 "of the request; null where it could not be read"))},
          {"event", Value(Record{{"enum", one_of({"progress", "result", "error"})}})},
          {"progress", Value(progress)},
          {"result", Value(result)},
          {"error", Value(error)},
          {"exit_code",
           Value(typed("integer", "of result and error: how the command line would have ended"))},
          {"printed",
           Value(typed("string",
                       "of result and error: what scripts and programs printed, at most 1 MiB"))},
          {"printed_bytes_left_out",
           Value(typed("integer", "of result and error: how much more they printed"))},
          {"notes", Value(described(array_of({{"type", Value("string")}}),
                                    "of result and error: what was said on the way"))}}));
  schema.emplace_back("required", one_of({"schema", "id", "event"}));
  return written(schema);
}

}  // namespace rpl
