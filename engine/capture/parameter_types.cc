// SPDX-License-Identifier: MIT
#include "engine/capture/parameter_types.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "engine/base/demangle.h"

namespace rpl {
namespace {

// As the demangler spells them, for x86-64 Linux and AMD GPUs alike (LP64).
constexpr std::array<std::pair<std::string_view, Element>, 21> kTypeNames = {
    {{"float", Element::f32},        {"double", Element::f64},
     {"_Float16", Element::f16},     {"__half", Element::f16},
     {"half", Element::f16},         {"__fp16", Element::f16},
     {"__bf16", Element::bf16},      {"__hip_bfloat16", Element::bf16},
     {"char", Element::i8},          {"signed char", Element::i8},
     {"unsigned char", Element::u8}, {"bool", Element::u8},
     {"short", Element::i16},        {"unsigned short", Element::u16},
     {"int", Element::i32},          {"unsigned int", Element::u32},
     {"long", Element::i64},         {"unsigned long", Element::u64},
     {"long long", Element::i64},    {"unsigned long long", Element::u64},
     {"std::byte", Element::u8}}};

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

bool take_end(std::string_view& text, std::string_view end) {
  text = trimmed(text);
  if (!text.ends_with(end)) return false;
  text.remove_suffix(end.size());
  text = trimmed(text);
  return true;
}

ParameterType type_of(std::string_view text) {
  ParameterType out;
  const auto drop_qualifiers = [&] {
    while (take_end(text, " const") || take_end(text, " volatile") ||
           take_end(text, "__restrict") || take_end(text, "restrict")) {
    }
  };
  drop_qualifiers();
  out.pointer = take_end(text, "*");
  drop_qualifiers();
  const auto found =
      std::ranges::find(kTypeNames, trimmed(text), &std::pair<std::string_view, Element>::first);
  if (found != kTypeNames.end()) out.element = found->second;
  return out;
}

/// What stands between the last parenthesis and the one that it closes.
std::string_view parameter_list(std::string_view name) {
  if (!name.ends_with(')')) return {};
  std::size_t depth = 0;
  for (std::size_t at = name.size(); at-- > 0;) {
    if (name[at] == ')') ++depth;
    if (name[at] == '(' && --depth == 0) return name.substr(at + 1, name.size() - at - 2);
  }
  return {};
}

}  // namespace

std::vector<ParameterType> parameter_types(const std::string& mangled) {
  std::vector<ParameterType> out;
  if (!mangled.starts_with("_Z")) return out;
  const std::string name = demangled(mangled);
  const std::string_view list = parameter_list(name);
  std::size_t depth = 0, begin = 0;
  for (std::size_t at = 0; at <= list.size(); ++at) {
    const char c = at < list.size() ? list[at] : ',';
    if (c == '<' || c == '(' || c == '[') ++depth;
    if ((c == '>' || c == ')' || c == ']') && depth > 0) --depth;
    if (c != ',' || depth > 0) continue;
    if (at > begin) out.push_back(type_of(list.substr(begin, at - begin)));
    begin = at + 1;
  }
  return out;
}

}  // namespace rpl
