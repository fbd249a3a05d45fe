// SPDX-License-Identifier: MIT
#include "shell/lua/host.h"

#include <fmt/format.h>

#include <lua.hpp>
#include <memory>

namespace rpl {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// The end of `[==[ … ]==]` that starts at `at`, or `at` when none starts there.
std::size_t long_bracket_end(std::string_view text, std::size_t at) {
  std::size_t open = at + 1;
  while (open < text.size() && text[open] == '=') ++open;
  if (open >= text.size() || text[open] != '[') return at;
  const std::string close = "]" + std::string(open - at - 1, '=') + "]";
  const std::size_t found = text.find(close, open);
  return found == std::string_view::npos ? text.size() : found + close.size();
}

std::size_t quoted_end(std::string_view text, std::size_t at) {
  const char quote = text[at++];
  while (at < text.size() && text[at] != quote) at += text[at] == '\\' ? 2 : 1;
  return std::min(at + 1, text.size());
}

std::size_t comment_end(std::string_view text, std::size_t at) {
  const std::size_t body = at + 2;
  if (body < text.size() && text[body] == '[') {
    const std::size_t end = long_bracket_end(text, body);
    if (end != body) return end;
  }
  const std::size_t line = text.find('\n', at);
  return line == std::string_view::npos ? text.size() : line;
}

/// Where the string or comment that starts at `at` ends; `at` when neither starts there.
std::size_t opaque_end(std::string_view text, std::size_t at) {
  if (text[at] == '"' || text[at] == '\'') return quoted_end(text, at);
  if (text[at] == '[') return long_bracket_end(text, at);
  if (text.substr(at, 2) == "--") return comment_end(text, at);
  return at;
}

std::size_t variable_end(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && text[end] == '$' && end < at + 2) ++end;
  const bool number = end < text.size() && is_digit(text[end]);
  if (end == at + 2 && !number) return end;
  while (end < text.size() && (number ? is_digit(text[end]) : is_name(text[end]))) ++end;
  return end;
}

/// Registers may be written as in the disassembly: behind "$s", the end of "[4:5]"; else where it began.
std::size_t register_end(std::string_view text, std::size_t at, std::size_t end) {
  const bool kind =
      end == at + 2 && (text[at + 1] == 's' || text[at + 1] == 'v' || text[at + 1] == 'a');
  if (!kind || end >= text.size() || text[end] != '[') return end;
  std::size_t close = end + 1;
  const auto digits = [&] {
    const std::size_t first = close;
    while (close < text.size() && is_digit(text[close])) ++close;
    return close > first;
  };
  if (!digits() || close >= text.size() || text[close++] != ':' || !digits() ||
      close >= text.size() || text[close] != ']')
    return end;
  return close + 1;
}

}  // namespace

std::string with_variables(std::string_view text) {
  std::string out;
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t end = opaque_end(text, at);
    if (end != at) {
      out += text.substr(at, end - at);
    } else if (text[at] == '$') {
      end = register_end(text, at, variable_end(text, at));
      std::string_view name = text.substr(at, end - at);
      const bool named = name.size() > 1 && name[1] != '$' && !is_digit(name[1]);
      if (named) name.remove_prefix(1);
      out += fmt::format("rpl.values[\"{}\"]", name);
    } else {
      end = at + 1;
      out += text[at];
    }
    at = end;
  }
  return out;
}

bool is_incomplete_lua(std::string_view text) {
  const std::unique_ptr<lua_State, decltype(&lua_close)> state(luaL_newstate(), lua_close);
  if (!state) return false;
  const std::string plain = with_variables(text);
  const auto fails_at_end = [&](const std::string& chunk) {
    const int status = luaL_loadbufferx(state.get(), chunk.data(), chunk.size(), "=(lua)", "t");
    const std::string message = status == LUA_OK ? "" : lua_tostring(state.get(), -1);
    lua_settop(state.get(), 0);
    // A quoted string must end on its line; the lexer reports that at the end of the text too.
    const bool open =
        message.ends_with("<eof>") && message.find("unfinished string") == std::string::npos;
    return std::pair(status == LUA_OK, open);
  };
  const auto [expression, expression_open] = fails_at_end("return " + plain);
  if (expression) return false;
  const auto [statement, statement_open] = fails_at_end(plain);
  return !statement && (statement_open || (expression_open && !plain.empty()));
}

}  // namespace rpl
