// SPDX-License-Identifier: MIT
#include "engine/triton/python_source.h"

#include <algorithm>

namespace rpl::triton {
namespace {

bool in_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Where the parameters of `def kernel` begin, behind the parenthesis; npos for none.
std::size_t behind_parenthesis(std::string_view source, std::string_view kernel) {
  constexpr std::string_view kDef = "def ";
  for (std::size_t at = source.find(kDef); at != std::string_view::npos;
       at = source.find(kDef, at + 1)) {
    if (at > 0 && in_name(source[at - 1])) continue;
    const std::size_t name = source.find_first_not_of(' ', at + kDef.size());
    if (name == std::string_view::npos || !source.substr(name).starts_with(kernel)) continue;
    const std::size_t open = source.find_first_not_of(' ', name + kernel.size());
    if (open != std::string_view::npos && source[open] == '(') return open + 1;
  }
  return std::string_view::npos;
}

/// The name of "name: annotation = default"; empty for a constexpr, and for the stars and slashes between parameters.
std::string passed_name(std::string_view parameter) {
  const std::size_t from = parameter.find_first_not_of(" \t\r\n\\");
  if (from == std::string_view::npos || !in_name(parameter[from])) return {};
  std::size_t end = from;
  while (end < parameter.size() && in_name(parameter[end])) ++end;
  const std::string_view rest = parameter.substr(end);
  const std::string_view annotation = rest.substr(0, rest.find('='));
  if (annotation.find("constexpr") != std::string_view::npos) return {};
  return std::string(parameter.substr(from, end - from));
}

}  // namespace

std::vector<std::string> launch_parameters(std::string_view source, std::string_view kernel) {
  if (kernel.empty()) return {};
  const std::size_t begin = behind_parenthesis(source, kernel);
  if (begin == std::string_view::npos) return {};
  std::vector<std::string> out;
  std::string parameter;
  int depth = 0;
  for (std::size_t at = begin; at < source.size(); ++at) {
    const char c = source[at];
    if (c == '#') {
      at = std::min(source.find('\n', at), source.size());
      continue;
    }
    const bool ends = depth == 0 && (c == ')' || c == ',');
    if (!ends) {
      parameter += c;
      depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
      continue;
    }
    if (std::string name = passed_name(parameter); !name.empty()) out.push_back(std::move(name));
    parameter.clear();
    if (c == ')') return out;
  }
  return {};
}

}  // namespace rpl::triton
