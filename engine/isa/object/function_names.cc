// SPDX-License-Identifier: MIT
#include "engine/isa/object/function_names.h"

#include <algorithm>
#include <cctype>
#include <span>
#include <vector>

#include "engine/base/text.h"

namespace rpl::isa {
namespace {

bool word_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Words and single characters; blanks are gone. Numbers have no suffix: "4u" is "4".
std::vector<std::string> tokens_of(std::string_view text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    if (std::isspace(static_cast<unsigned char>(text[at])) != 0) {
      ++at;
      continue;
    }
    std::size_t end = at + 1;
    if (word_char(text[at])) {
      while (end < text.size() && word_char(text[end])) ++end;
    } else if (text.substr(at, 2) == "::") {
      end = at + 2;
    }
    std::string token(text.substr(at, end - at));
    const bool number = std::isdigit(static_cast<unsigned char>(token[0])) != 0;
    while (number && token.size() > 1 &&
           std::string_view("uUlL").find(token.back()) != std::string_view::npos)
      token.pop_back();
    out.push_back(std::move(token));
    at = end;
  }
  return out;
}

/// `const` behind the type it belongs to, as the C++ runtime writes it.
void move_const(std::vector<std::string>& tokens) {
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens[i] != "const" || !word_char(tokens[i + 1][0])) continue;
    const bool begins =
        i == 0 || tokens[i - 1] == "(" || tokens[i - 1] == "," || tokens[i - 1] == "<";
    if (begins) std::swap(tokens[i], tokens[i + 1]);
  }
}

std::string joined(std::span<const std::string> tokens) {
  std::string out;
  for (const std::string& token : tokens) {
    if (!out.empty() && word_char(out.back()) && word_char(token[0])) out += ' ';
    out += token;
  }
  return out;
}

/// How deep in brackets each token stands; the bracket itself counts as outside.
struct Taken {
  std::vector<std::string> name;        ///< with template arguments, without return type
  std::vector<std::string> parameters;  ///< with their parentheses
};

Taken taken_apart(std::vector<std::string> tokens) {
  move_const(tokens);
  // "operator()", "operator int": what stands behind the word is part of the name.
  if (std::ranges::find(tokens, "operator") != tokens.end()) return {std::move(tokens), {}};
  int depth = 0;
  std::size_t begin = 0, parameters = tokens.size();
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::string& token = tokens[i];
    if (token == "(" && depth == 0) {
      const bool anonymous = i + 1 < tokens.size() && tokens[i + 1] == "anonymous";
      if (!anonymous) {
        parameters = i;
        break;
      }
    }
    if (token == "<" || token == "(") ++depth;
    if (token == ">" || token == ")") --depth;
    // A word behind a word, or behind what ends a type, begins the name: what stands before it is the return type.
    const bool starts = depth == 0 && word_char(token[0]) && i > 0 &&
                        (word_char(tokens[i - 1][0]) || tokens[i - 1] == "*" ||
                         tokens[i - 1] == "&" || tokens[i - 1] == ">");
    if (starts) begin = i;
  }
  Taken out;
  out.name.assign(tokens.begin() + static_cast<std::ptrdiff_t>(begin),
                  tokens.begin() + static_cast<std::ptrdiff_t>(parameters));
  out.parameters.assign(tokens.begin() + static_cast<std::ptrdiff_t>(parameters), tokens.end());
  return out;
}

std::vector<std::string> without_template_arguments(const std::vector<std::string>& tokens) {
  std::vector<std::string> out;
  int depth = 0;
  for (const std::string& token : tokens) {
    if (token == "<") ++depth;
    if (depth == 0) out.push_back(token);
    if (token == ">") --depth;
  }
  return out;
}

std::string plain_name(std::string_view name) {
  for (const std::string_view tail : {" [clone .kd]", ".kd"}) {
    if (name.ends_with(tail)) name.remove_suffix(tail.size());
  }
  return demangled(std::string(name));
}

/// Whether `typed` is `whole`, or what is left of it without leading namespaces.
bool is_end_of(const std::string& typed, const std::string& whole) {
  if (!whole.ends_with(typed)) return false;
  return whole.size() == typed.size() ||
         whole.substr(0, whole.size() - typed.size()).ends_with("::");
}

}  // namespace

bool names_function(std::string_view typed, std::string_view name) {
  if (typed.empty()) return false;
  if (typed == name) return true;
  const Taken wanted = taken_apart(tokens_of(plain_name(typed)));
  const Taken has = taken_apart(tokens_of(plain_name(name)));
  if (wanted.name.empty()) return false;
  if (!wanted.parameters.empty() && !has.parameters.empty() &&
      joined(wanted.parameters) != joined(has.parameters))
    return false;
  const std::string text = joined(wanted.name);
  if (is_end_of(text, joined(has.name))) return true;
  return is_end_of(text, joined(without_template_arguments(has.name)));
}

std::string function_text(std::string_view name) {
  const std::string whole = plain_name(name);
  const Taken taken = taken_apart(tokens_of(whole));
  std::string out;
  for (const std::string& token : taken.name) {
    if (!out.empty() && word_char(out.back()) && word_char(token[0])) out += ' ';
    out += token;
    if (token == ",") out += ' ';
  }
  return out.empty() ? whole : out;
}

}  // namespace rpl::isa
