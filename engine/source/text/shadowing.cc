// SPDX-License-Identifier: MIT
#include "engine/source/text/shadowing.h"

namespace rpl {
namespace {

/// Words after which a name is used, not declared.
bool expects_expression(std::string_view word) {
  static const std::set<std::string_view> kWords{
      "return", "else",   "do",    "case",  "goto",   "throw",  "and",       "or",  "not",
      "xor",    "bitand", "bitor", "compl", "sizeof", "delete", "co_return", "new", "not_eq"};
  return kWords.contains(word);
}

/// Whether what stands before a name can be a type.
bool type_before(const SourceText& text, std::size_t i) {
  if (i == 0) return false;
  const SourceToken& before = text[i - 1];
  if (before.kind == SourceTokenKind::identifier) return !expects_expression(before.text);
  return false;
}

bool declares(const SourceText& text, std::size_t i) {
  if (i > 0 && (text.is(i - 1, ".") || text.is(i - 1, "->") || text.is(i - 1, "::"))) return false;
  // A function or macro cannot be assigned to, subscripted or set.
  if (text.is(i + 1, "=") || text.is(i + 1, "{") || text.is(i + 1, "[")) return true;
  const bool pointer =
      i > 1 && (text.is(i - 1, "*") || text.is(i - 1, "&")) && type_before(text, i - 1);
  const bool ends =
      text.is(i + 1, ";") || text.is(i + 1, ",") || text.is(i + 1, ")") || text.is(i + 1, ":");
  if (type_before(text, i)) return ends || text.is(i + 1, "(");
  return pointer && text.is(i + 1, ";") && i > 2 && (text.is(i - 3, ";") || text.is(i - 3, "{"));
}

}  // namespace

std::vector<std::size_t> declarations_of(const BodyInText& body,
                                         const std::set<std::string_view>& names) {
  std::vector<std::size_t> result;
  for (std::size_t i = body.kernel.body_open + 1; i < body.kernel.body_close; ++i) {
    const SourceToken& token = body.text[i];
    if (token.kind != SourceTokenKind::identifier || !names.contains(token.text)) continue;
    if (declares(body.text, i)) result.push_back(i);
  }
  return result;
}

std::set<std::string_view> declared_names(const BodyInText& body,
                                          const std::set<std::string_view>& names) {
  std::set<std::string_view> result;
  for (const std::size_t i : declarations_of(body, names)) result.insert(body.text[i].text);
  return result;
}

}  // namespace rpl
