// SPDX-License-Identifier: MIT
#include "engine/triton/signature.h"

#include <fmt/format.h>

#include <string>

namespace rpl::triton {
namespace {

/// "f32" of the IR is "fp32" for Triton's users, "i32" is itself.
std::string spelled(std::string_view type) {
  if (type == "f16" || type == "f32" || type == "f64") return "fp" + std::string(type.substr(1));
  return std::string(type);
}

/// "%values: !tt.ptr<f32> {tt.divisibility = 16 : i32}": a name and "*fp32". False for anything else.
bool add_parameter(std::string_view text, Record& out) {
  const std::size_t from = text.find('%'), colon = text.find(':');
  if (from == std::string_view::npos || colon == std::string_view::npos || colon < from + 2)
    return false;
  const std::string name(text.substr(from + 1, colon - from - 1));
  std::string_view type = text.substr(colon + 1);
  type.remove_prefix(std::min(type.find_first_not_of(' '), type.size()));
  type = type.substr(0, type.find_first_of(" ,\n"));
  constexpr std::string_view kPointer = "!tt.ptr<";
  if (type.empty()) return false;
  const bool pointer = type.starts_with(kPointer);
  if (pointer) type = type.substr(kPointer.size(), type.find_first_of(">,") - kPointer.size());
  out.emplace_back(name, Value((pointer ? "*" : "") + spelled(type)));
  return true;
}

}  // namespace

Record signature_in(std::string_view ir, std::string_view kernel) {
  const std::string head = fmt::format("tt.func public @{}(", kernel);
  const std::size_t at = ir.find(head);
  if (at == std::string_view::npos) return {};
  Record out;
  int depth = 0;
  bool quoted = false;
  std::size_t begin = at + head.size();
  for (std::size_t i = begin; i < ir.size(); ++i) {
    const char c = ir[i];
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (depth == 0 && (c == ',' || c == ')')) {
      const std::string_view one = ir.substr(begin, i - begin);
      const bool nothing = one.find_first_not_of(" \n") == std::string_view::npos;
      if (!nothing && !add_parameter(one, out)) return {};
      begin = i + 1;
      if (c == ')') return out;
    }
    depth += c == '(' || c == '<' || c == '{' ? 1 : c == ')' || c == '>' || c == '}' ? -1 : 0;
  }
  return {};
}

std::optional<Element> element_behind(std::string_view type) {
  if (!type.starts_with('*')) return std::nullopt;
  const std::string_view name = type.substr(1);
  if (name == "fp16") return Element::f16;
  if (name == "fp32") return Element::f32;
  if (name == "fp64") return Element::f64;
  const auto same = parse_element(name);
  return same ? std::optional(*same) : std::nullopt;
}

}  // namespace rpl::triton
