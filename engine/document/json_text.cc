// SPDX-License-Identifier: MIT
#include "engine/document/json_text.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "engine/base/utf8.h"

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

void append_number(std::string& out, double number) {
  if (!std::isfinite(number)) {
    out += "null";
    return;
  }
  const std::string digits = fmt::format("{}", number);
  out += digits;
  if (digits.find_first_of(".e") == std::string::npos) out += ".0";
}

void append_list(std::string& out, const List& list) {
  out += '[';
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i != 0) out += ", ";
    append_json(out, list[i]);
  }
  out += ']';
}

void append_record(std::string& out, const Record& record) {
  out += '{';
  bool first = true;
  for (const auto& [key, value] : record) {
    if (!first) out += ", ";
    first = false;
    append_json_string(out, key);
    out += ": ";
    append_json(out, value);
  }
  out += '}';
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    if (length == 0) {
      out += kReplacement;
      ++at;
    } else if (length == 1) {
      append_escaped(out, text[at++]);
    } else {
      out.append(text, at, length);
      at += length;
    }
  }
  out += '"';
}

void append_json(std::string& out, const Value& value) {
  if (value.is_null()) {
    out += "null";
  } else if (const auto* truth = value.as<bool>()) {
    out += *truth ? "true" : "false";
  } else if (const auto* integer = value.as<std::int64_t>()) {
    fmt::format_to(std::back_inserter(out), "{}", *integer);
  } else if (const auto* number = value.as<double>()) {
    append_number(out, *number);
  } else if (const auto* text = value.as<std::string>()) {
    append_json_string(out, *text);
  } else if (const auto* list = value.as<List>()) {
    append_list(out, *list);
  } else if (const auto* record = value.as<Record>()) {
    append_record(out, *record);
  }
}

std::string to_json(const Value& value) {
  std::string out;
  append_json(out, value);
  return out;
}

std::string error_json(const Error& error) {
  std::string out = R"({"schema": "rpl.error/1", "code": )";
  append_json_string(out, to_string(error.code));
  out += R"(, "message": )";
  append_json_string(out, error.message);
  out += R"(, "hint": )";
  if (error.hint.empty()) {
    out += "null";
  } else {
    append_json_string(out, error.hint);
  }
  return out + "}\n";
}

}  // namespace rpl
