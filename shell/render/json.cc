// SPDX-License-Identifier: MIT
#include "shell/render/json.h"

#include <fmt/format.h>

#include <cmath>

#include "shell/render/render.h"

namespace rpl {
namespace {

/// Length of the valid UTF-8 sequence at `at`, 0 when there is none (RFC 3629: no overlong forms, no surrogates).
std::size_t sequence_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t k) -> unsigned {
    return at + k < text.size() ? static_cast<unsigned char>(text[at + k]) : 0U;
  };
  const unsigned lead = byte(0);
  const auto tail = [&](std::size_t k) { return (byte(k) & 0xc0U) == 0x80U; };
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead < 0xe0) return tail(1) ? 2 : 0;
  if (lead >= 0xe0 && lead < 0xf0) {
    const bool overlong = lead == 0xe0 && byte(1) < 0xa0;
    const bool surrogate = lead == 0xed && byte(1) >= 0xa0;
    return tail(1) && tail(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (lead >= 0xf0 && lead < 0xf5) {
    const bool outside = (lead == 0xf0 && byte(1) < 0x90) || (lead == 0xf4 && byte(1) >= 0x90);
    return tail(1) && tail(2) && tail(3) && !outside ? 4 : 0;
  }
  return 0;
}

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
  if (static_cast<unsigned char>(c) < 0x20) {
    out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
  } else {
    out += c;
  }
}

void append_number(std::string& out, double value) {
  if (!std::isfinite(value)) {
    out += "null";
  } else {
    fmt::format_to(std::back_inserter(out), "{}", value);
  }
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = sequence_at(text, at);
    if (length == 1) {
      append_escaped(out, text[at]);
    } else if (length == 0) {
      out += "\xef\xbf\xbd";
    } else {
      out += text.substr(at, length);
    }
    at += length == 0 ? 1 : length;
  }
  out += '"';
}

void append_json(std::string& out, const Value& value) {
  if (const auto* text = value.as<std::string>()) {
    append_json_string(out, *text);
  } else if (const auto* integer = value.as<std::int64_t>()) {
    fmt::format_to(std::back_inserter(out), "{}", *integer);
  } else if (const auto* real = value.as<double>()) {
    append_number(out, *real);
  } else if (const auto* state = value.as<bool>()) {
    out += *state ? "true" : "false";
  } else if (const auto* list = value.as<List>()) {
    out += '[';
    for (std::size_t i = 0; i < list->size(); ++i) {
      if (i > 0) out += ", ";
      append_json(out, (*list)[i]);
    }
    out += ']';
  } else if (const auto* record = value.as<Record>()) {
    out += '{';
    for (std::size_t i = 0; i < record->size(); ++i) {
      if (i > 0) out += ", ";
      append_json_string(out, (*record)[i].first);
      out += ": ";
      append_json(out, (*record)[i].second);
    }
    out += '}';
  } else {
    out += "null";
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
