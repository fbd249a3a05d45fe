// SPDX-License-Identifier: MIT
#include "engine/document/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "engine/base/encode.h"
#include "engine/base/encoder.h"
#include "engine/base/text.h"

namespace rpl {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

void append_escaped(std::string& out, char c) {
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      break;
  }
  const auto code = static_cast<unsigned char>(c);
  if (code < 0x20 || code == 0x7F) {
    fmt::format_to(std::back_inserter(out), "\\u{:04x}", code);
  } else {
    out += c;
  }
}

/// As it is, or with its number when nobody would see it: it may end on a terminal.
void append_visible(std::string& out, std::string_view sequence) {
  const char32_t code = code_point(sequence, sequence.size());
  if (!is_invisible(code)) {
    out += sequence;
    return;
  }
  constexpr std::uint32_t kHigh = 0xD800, kLow = 0xDC00, kFirstOfPairs = 0x10000;
  const auto number = static_cast<std::uint32_t>(code);
  if (number < kFirstOfPairs) {
    fmt::format_to(std::back_inserter(out), "\\u{:04x}", number);
  } else {
    fmt::format_to(std::back_inserter(out), "\\u{:04x}\\u{:04x}",
                   kHigh + ((number - kFirstOfPairs) >> 10),
                   kLow + ((number - kFirstOfPairs) & 0x3FF));
  }
}

void append_string(std::string& out, std::string_view text) {
  out += '"';
  const auto stays = [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; };
  if (std::ranges::all_of(text, stays)) {
    out.append(text) += '"';
    return;
  }
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    if (length == 0) {
      out += kReplacement;
      ++at;
    } else if (length == 1) {
      append_escaped(out, text[at++]);
    } else {
      append_visible(out, text.substr(at, length));
      at += length;
    }
  }
  out += '"';
}

void append_number(std::string& out, double number) {
  if (!std::isfinite(number)) {
    out += "null";
    return;
  }
  const std::string digits = fmt::format("{}", number);
  out += digits;
  if (digits.find_first_of(".e") == std::string::npos) out += ".0";
}

std::string_view comma(JsonStyle style) { return style == JsonStyle::compact ? "," : ", "; }

void append_key(std::string& out, std::string_view key, JsonStyle style) {
  append_string(out, key);
  out += style == JsonStyle::compact ? ":" : ": ";
}

void append_list(std::string& out, const List& list, JsonStyle style) {
  if (style == JsonStyle::indented) style = JsonStyle::spaced;
  out += '[';
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i != 0) out += comma(style);
    append_json(out, list[i], style);
  }
  out += ']';
}

void append_record(std::string& out, const Record& record, JsonStyle style) {
  out += '{';
  bool first = true;
  for (const auto& [key, value] : record) {
    if (!first) out += comma(style);
    first = false;
    append_key(out, key, style);
    append_json(out, value, style);
  }
  out += '}';
}

void append_indented(std::string& out, const Value& value, std::size_t depth) {
  const Record* record = value.as<Record>();
  if (record == nullptr || record->empty()) return append_json(out, value);
  out += '{';
  for (std::size_t i = 0; i < record->size(); ++i) {
    out.append(i == 0 ? "\n" : ",\n").append(2 * depth + 2, ' ');
    append_key(out, (*record)[i].first, JsonStyle::indented);
    append_indented(out, (*record)[i].second, depth + 1);
  }
  out.append("\n").append(2 * depth, ' ') += '}';
}

}  // namespace

void append_json(std::string& out, const Value& value, JsonStyle style) {
  if (value.is_null()) {
    out += "null";
  } else if (const auto* truth = value.as<bool>()) {
    out += *truth ? "true" : "false";
  } else if (const auto* integer = value.as<std::int64_t>()) {
    fmt::format_to(std::back_inserter(out), "{}", *integer);
  } else if (const auto* number = value.as<double>()) {
    append_number(out, *number);
  } else if (const auto* text = value.as<std::string>()) {
    append_string(out, *text);
  } else if (const auto* list = value.as<List>()) {
    append_list(out, *list, style);
  } else if (style == JsonStyle::indented) {
    append_indented(out, value, 0);
  } else if (const auto* record = value.as<Record>()) {
    append_record(out, *record, style);
  }
}

void append_json(JsonText& out, const Value& value, JsonStyle style) {
  append_json(Encoder::bytes(out), value, style);
}

JsonText medium::Json::encode(std::string_view text) { return json_string(text); }

JsonText json_string(std::string_view text) {
  JsonText out;
  append_string(Encoder::bytes(out), text);
  return out;
}

JsonText json_already(std::string_view json) { return Encoder::made<JsonText>(std::string(json)); }

JsonText json_text(const Value& value, JsonStyle style) {
  JsonText out;
  append_json(out, value, style);
  return out;
}

std::string to_json(const Value& value, JsonStyle style) {
  std::string out;
  append_json(out, value, style);
  return out;
}

Value error_value(const Error& error) {
  return Record{{"schema", Value("rpl.error/1")},
                {"code", Value(to_string(error.code))},
                {"message", Value(error.message)},
                {"hint", Value::known(error.hint)}};
}

JsonText error_json(const Error& error) { return json_text(error_value(error)) + "\n"; }

JsonStream::JsonStream(const JsonLayout& layout) : layout_(layout), text_(layout.open) {}

void JsonStream::key(std::string_view name) {
  if (any_member_) text_ += layout_.between;
  any_member_ = true;
  append_key(Encoder::bytes(text_), name, layout_.style);
}

JsonStream& JsonStream::member(std::string_view name, const Value& value) {
  key(name);
  append_json(text_, value, layout_.style);
  return *this;
}

JsonStream& JsonStream::members(const Record& record) {
  for (const auto& [name, value] : record) member(name, value);
  return *this;
}

JsonStream& JsonStream::member_text(std::string_view name, const JsonText& json) {
  key(name);
  text_ += json;
  return *this;
}

JsonStream& JsonStream::begin_rows(std::string_view name) {
  key(name);
  text_ += "[";
  any_row_ = false;
  return *this;
}

JsonStream& JsonStream::row(const Value& value) {
  return row_by([&](JsonText& out) { append_json(out, value, layout_.style); });
}

void JsonStream::begin_row() {
  if (any_row_) text_ += layout_.row.text().empty() ? layout_.between : OwnText(",");
  any_row_ = true;
  text_ += layout_.row;
}

JsonStream& JsonStream::end_row() {
  constexpr std::size_t kPiece = std::size_t{1} << 16;
  if (text_.bytes().size() >= kPiece) flush();
  return *this;
}

JsonStream& JsonStream::end_rows() {
  text_ += any_row_ ? layout_.rows_end : OwnText("]");
  return *this;
}

void JsonStream::flush() {
  if (!sink_) return;
  if (status_) status_ = sink_(text_);
  text_.clear();
}

Status JsonStream::finish() {
  text_ += layout_.close;
  flush();
  return status_;
}

JsonText JsonStream::text() {
  text_ += layout_.close;
  return std::move(text_);
}

}  // namespace rpl
