// SPDX-License-Identifier: MIT
#include "engine/optimize/rules/loop_facts.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/optimize/rules/effects.h"

namespace rpl::rules {
namespace {

bool is_type_word(std::string_view word) {
  constexpr std::string_view kTypes[] = {
      "float",  "double", "int",     "unsigned", "long",    "short",    "char",   "bool",
      "size_t", "auto",   "int32_t", "uint32_t", "int64_t", "uint64_t", "__half", "_Float16"};
  return std::ranges::find(kTypes, word) != std::end(kTypes);
}

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

std::string_view unknown_call(const KernelCase& on, std::size_t begin, std::size_t end) {
  constexpr std::string_view kWords[] = {"if", "for", "while", "switch", "return", "sizeof"};
  const SourceText& text = on.text;
  for (std::size_t i = begin; i < end; ++i) {
    const SourceToken& token = text[i];
    if (token.kind != SourceTokenKind::identifier) continue;
    const bool acts = std::ranges::any_of(on.declared.macros, [&](const SourceMacro& macro) {
      return macro.name == token.text &&
             macro.replacement.find_first_of("(=") != macro.replacement.npos;
    });
    if (acts) return token.text;
    if (!text.is(i + 1, "(") || std::ranges::find(kWords, token.text) != std::end(kWords)) continue;
    // `float(n)` converts, `float x(n)` declares.
    if (is_type_word(token.text) || is_type_word(text[i - 1].text)) continue;
    const bool own = std::ranges::find(on.declared.function_names, token.text) !=
                     on.declared.function_names.end();
    if (own || !is_pure_function(token.text)) return token.text;
  }
  return {};
}

std::string meeting_point(const KernelCase& on) {
  const Effects effects(on.text, on.declared, on.kernel);
  for (std::size_t i = on.kernel.body_open + 1; i < on.kernel.body_close; ++i) {
    if (on.text[i].kind != SourceTokenKind::identifier) continue;
    if (const EffectOf* effect = effects.find(on.text[i].text))
      return fmt::format("the kernel has {}", to_string(effect->effect));
    if (on.text.is(i, "__shared__")) return "the kernel uses LDS";
    for (const std::string_view word : {"goto", "asm", "static"}) {
      if (on.text.is(i, word)) return fmt::format("the kernel has '{}'", word);
    }
  }
  const auto call = unknown_call(on, on.kernel.body_open + 1, on.kernel.body_close);
  return call.empty() ? std::string() : fmt::format("'{}' may do more than compute a value", call);
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
