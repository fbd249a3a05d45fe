// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

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

/// The lines of a CSV file, one after the other. Names of kernels come back in row after row: such as took escapes are remembered, as that is what takes time.
class CsvLines {
 public:
  explicit CsvLines(Format format) : format_(format), seen_(kSeen) {}

  const CsvText& line(const Row& row) {
    line_.clear();
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) line_ += ",";
      add(row[i]);
    }
    return line_ += "\n";
  }

 private:
  static constexpr std::size_t kSeen = 256, kLongest = 1024;
  struct Seen {
    std::string text;
    CsvText cell;
  };

  void add(const Value& value) {
    if (const auto* string = value.as<std::string>()) {
      format_ == Format::csv_raw ? append_csv_quoted(line_, *string) : add_text(*string);
    } else if (const auto* integer = value.as<std::int64_t>()) {
      line_.add("{}", *integer);
    } else if (!value.is_null()) {
      append_csv_quoted(line_, to_json(value));
    }
  }

  void add_text(const std::string& text) {
    if (!escapes_ || text.size() < sizeof(std::uint64_t) || text.size() > kLongest) {
      const std::size_t before = line_.bytes().size();
      append_csv_text(line_, text);
      escapes_ = escapes_ || line_.bytes().size() - before > text.size() + 2;  // 2: in quotes
      return;
    }
    Seen& seen = seen_[place_of(text)];
    if (seen.text == text) {
      line_ += seen.cell;
      return;
    }
    cell_.clear();
    append_csv_text(cell_, text);
    line_ += cell_;
    if (cell_.bytes().size() > text.size() + 2) seen = {text, cell_};
  }

  /// By the ends, in which names that are alike differ.
  static std::size_t place_of(std::string_view text) {
    std::uint64_t first = 0, last = 0;
    std::memcpy(&first, text.data(), sizeof first);
    std::memcpy(&last, text.data() + text.size() - sizeof last, sizeof last);
    constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;  // 2^64 by the golden ratio
    return ((first + text.size()) * kOdd ^ last) * kOdd >> 56;
  }

  Format format_;
  bool escapes_ = false;  ///< whether any text had some
  CsvText line_, cell_;
  std::vector<Seen> seen_;
};

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
  CsvLines lines(form.format);
  if (!document.has_table()) {
    CsvText both = lines.line(names_of(document.fields));
    return sink(both += lines.line(values_of(document)));
  }
  TRY(sink(lines.line(names_of(document.columns))));
  TRY(each_shown_row(document, form, [&](const Row& row) { return sink(lines.line(row)); }));
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
