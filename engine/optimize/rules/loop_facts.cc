// SPDX-License-Identifier: MIT
#include "engine/optimize/rules/loop_facts.h"

#include <fmt/format.h>

#include <algorithm>

namespace rpl::rules {
namespace {

const CapturedPointer* captured(const KernelCase& on, std::string_view base) {
  const auto parameters = pointer_parameters(on);
  const auto found = std::ranges::find(parameters, base, &PointerParameter::name);
  if (found == parameters.end() || on.launches == nullptr ||
      found->position >= on.launches->parameters.size())
    return nullptr;
  const auto& pointer = on.launches->parameters[found->position];
  return pointer && !pointer->of_variable ? &*pointer : nullptr;
}

}  // namespace

bool names_change_in(const SourceText& text, const SourceLoop& loop, std::size_t begin,
                     std::size_t end, std::string_view but) {
  for (std::size_t i = begin; i < end; ++i) {
    if (text[i].kind != SourceTokenKind::identifier || text[i].text == but) continue;
    for (std::size_t at = loop.head_begin; at < loop.body_end; ++at) {
      if (text[at].kind == SourceTokenKind::identifier && text[at].text == text[i].text &&
          is_assigned_at(text, at))
        return true;
    }
  }
  return false;
}

std::string_view unknown_call(const KernelCase& on, const SourceLoop& loop) {
  for (std::size_t i = loop.body_begin; i < loop.body_end; ++i) {
    const SourceToken& token = on.text[i];
    if (token.kind != SourceTokenKind::identifier || !on.text.is(i + 1, "(")) continue;
    if (token.is("if") || token.is("for") || token.is("while") || token.is("switch")) continue;
    const bool own = std::ranges::find(on.declared.function_names, token.text) !=
                     on.declared.function_names.end();
    if (own || !is_pure_function(token.text)) return token.text;
  }
  return {};
}

std::string not_shown_apart(const KernelCase& on, const ElementPointer& one,
                            const ElementPointer& other) {
  const CapturedPointer *first = captured(on, one.base), *second = captured(on, other.base);
  if (first == nullptr || second == nullptr)
    return fmt::format("no captured launch shows that '{}' and '{}' are apart", one.base,
                       other.base);
  if (first->region_begin < second->region_end && second->region_begin < first->region_end)
    return fmt::format("'{}' and '{}' pointed into the same allocation in {}", one.base, other.base,
                       on.launches->capture);
  return {};
}

}  // namespace rpl::rules
