// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "engine/base/encode.h"
#include "engine/document/json.h"
#include "shell/render/forms.h"

namespace rpl {
namespace {

void append_row(JsonText& out, const Document& document, const Row& row) {
  out += "{";
  for (std::size_t i = 0; i < document.columns.size(); ++i) {
    if (i > 0) out += ", ";
    out += json_string(document.columns[i].name);
    out += ": ";
    append_json(out, row[i]);
  }
  out += "}";
}

/// RFC 4180: quoted when it holds a quote, a comma or a line break.
void append_csv(CsvText& out, const Value& value, Format format) {
  if (const auto* string = value.as<std::string>()) {
    format == Format::csv_raw ? append_csv_quoted(out, *string) : append_csv_text(out, *string);
  } else if (!value.is_null()) {
    append_csv_quoted(out, to_json(value));
  }
}

CsvText csv_line(const Row& row, Format format) {
  CsvText out;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (i > 0) out += ",";
    append_csv(out, row[i], format);
  }
  return out + "\n";
}

MarkdownText markdown_line(const Row& row) {
  MarkdownText out("|");
  for (const Value& value : row) {
    std::string text;
    if (const auto* string = value.as<std::string>()) {
      text = *string;
    } else if (!value.is_null()) {
      append_json(text, value);
    }
    out.add(" {} |", text);
  }
  return out + "\n";
}

Row names_of(const std::vector<Column>& columns) {
  Row names;
  for (const Column& column : columns) names.emplace_back(column.name);
  return names;
}

Row values_of(const Document& document) {
  Row values;
  for (const Column& field : document.fields) {
    const Value* value = document.get(field.name);
    values.push_back(value ? *value : Value());
  }
  return values;
}

}  // namespace

Status render_json(const Document& document, const Form& form, const SinkOf<JsonText>& sink) {
  JsonStream out(form.on_one_line ? kJsonLine : kJsonDocument, sink);
  out.member("schema", Value(document.schema)).members(document.record);
  Shown shown;
  if (document.has_table()) {
    out.begin_rows("rows");
    shown = TRY(each_shown_row(document, form, [&](const Row& row) {
      return out.row_by([&](JsonText& text) { append_row(text, document, row); }).status();
    }));
    out.end_rows();
  }
  List notes(document.notes.begin(), document.notes.end());
  if (shown.more) notes.emplace_back(fmt::format("only {}", count_text(document, shown)));
  out.member("notes", Value(std::move(notes)));
  return out.member("provenance", Value(to_string(document.provenance))).finish();
}

Status render_jsonl(const Document& document, const Form& form, const SinkOf<JsonText>& sink) {
  if (!document.has_table()) {
    JsonStream out(kJsonLine);
    return sink(out.member("schema", Value(document.schema)).members(document.record).line());
  }
  JsonText line;
  TRY(each_shown_row(document, form, [&](const Row& row) {
    line.clear();
    append_row(line, document, row);
    return sink(line += "\n");
  }));
  return {};
}

Status render_csv(const Document& document, const Form& form, const SinkOf<CsvText>& sink) {
  if (!document.has_table()) {
    return sink(csv_line(names_of(document.fields), form.format) +
                csv_line(values_of(document), form.format));
  }
  TRY(sink(csv_line(names_of(document.columns), form.format)));
  TRY(each_shown_row(document, form,
                     [&](const Row& row) { return sink(csv_line(row, form.format)); }));
  return {};
}

Status render_markdown(const Document& document, const Form& form,
                       const SinkOf<MarkdownText>& sink) {
  if (!document.record.empty()) {
    TRY(sink(OwnText("| field | value |\n| --- | --- |\n")));
    for (const auto& [name, value] : document.record)
      TRY(sink(markdown_line({Value(name), value})));
    if (document.has_table()) TRY(sink(OwnText("\n")));
  }
  if (!document.has_table()) return {};
  MarkdownText rule("|");
  for (std::size_t i = 0; i < document.columns.size(); ++i) rule += " --- |";
  TRY(sink(markdown_line(names_of(document.columns)) + rule + "\n"));
  const Shown shown =
      TRY(each_shown_row(document, form, [&](const Row& row) { return sink(markdown_line(row)); }));
  if (shown.more) return sink(encoded<MarkdownText>("\n{}\n", count_text(document, shown)));
  return {};
}

Status render_scalar(const Document& document, const Form&, const SinkOf<TerminalText>& sink) {
  const Value* found = document.get(document.scalar);
  Value from_row;
  if (!found) {
    TRY(document.each_row([&](const Row& row) {
      for (std::size_t i = 0; i < document.columns.size(); ++i) {
        if (document.columns[i].name == document.scalar) from_row = row[i];
      }
      return false;
    }));
    found = &from_row;
  }
  if (document.scalar.empty()) {
    return fail(Errc::usage, fmt::format("{} has no single value for /q", document.schema),
                "use /j, or print $.FIELD");
  }
  const auto* text = found->as<std::string>();
  return sink(terminal_text(text ? *text : to_json(*found)) + "\n");
}

}  // namespace rpl
