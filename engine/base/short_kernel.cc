// SPDX-License-Identifier: MIT
#include "engine/base/short_kernel.h"

#include <cctype>

namespace rpl {
namespace {

bool word_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Cuts the argument list: the last parenthesised group at depth zero that ends the name (maybe followed by " [clone …]").
std::string_view without_arguments(std::string_view name) {
  if (const std::size_t clone = name.find(" [clone"); clone != std::string_view::npos) {
    name = name.substr(0, clone);
  }
  if (name.ends_with(") const")) name.remove_suffix(6);
  if (!name.ends_with(')')) return name;
  int depth = 0;
  for (std::size_t i = name.size(); i-- > 0;) {
    if (name[i] == ')') ++depth;
    if (name[i] == '(' && --depth == 0) {
      // "(anonymous namespace)" is a name, not an argument list.
      return i == 0 ? name : name.substr(0, i);
    }
  }
  return name;
}

/// Cuts "void " and other return types: what stands before the last blank at depth zero.
std::string_view without_return_type(std::string_view name) {
  int depth = 0;
  for (std::size_t i = name.size(); i-- > 0;) {
    if (name[i] == ')' || name[i] == '>' || name[i] == '}') ++depth;
    if (name[i] == '(' || name[i] == '<' || name[i] == '{') --depth;
    if (name[i] == ' ' && depth == 0) return name.substr(i + 1);
  }
  return name;
}

/// Drops "a::b::" before every identifier, also inside template arguments.
std::string without_namespaces(std::string_view name) {
  std::string out;
  std::size_t word = 0;  // where the current qualified name began in `out`
  for (std::size_t i = 0; i < name.size(); ++i) {
    constexpr std::string_view kAnonymous = "(anonymous namespace)";
    if (name.substr(i).starts_with(kAnonymous)) {
      i += kAnonymous.size() - 1;
    } else if (name[i] == ':' && i + 1 < name.size() && name[i + 1] == ':') {
      const bool after_template = !out.empty() && out.back() == '>';
      if (after_template) {
        out += "::";
      } else {
        out.resize(word);
      }
      ++i;
    } else {
      out += name[i];
      if (!word_char(name[i])) word = out.size();
    }
  }
  return out;
}

}  // namespace

std::string short_kernel(std::string_view name) {
  const std::string_view bare = without_return_type(without_arguments(name));
  std::string out = without_namespaces(bare);
  return out.empty() ? std::string(name) : out;
}

}  // namespace rpl
