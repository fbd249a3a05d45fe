// SPDX-License-Identifier: MIT
#include "engine/optimize/rules/loop_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace rpl {
namespace {

bool is_member_name(const SourceText& text, std::size_t i) {
  return text.is(i - 1, ".") || text.is(i - 1, "->");
}

}  // namespace

std::optional<RuleRefusal> effect_in_loop(const SourceText& text, const SourceLoop& loop,
                                          const Effects& effects) {
  const std::size_t end = std::max(loop.body_end, loop.head_end);
  for (std::size_t i = loop.keyword; i < end && i < text.size(); ++i) {
    const SourceToken& token = text[i];
    if (token.kind != SourceTokenKind::identifier) continue;
    if (is_member_name(text, i) && token.text.find("sync") != token.text.npos &&
        text.is(i + 1, "(")) {
      return RuleRefusal{token.line, fmt::format("the loop holds a barrier: {}", token.text)};
    }
    const EffectOf* effect = effects.find(token.text);
    if (effect == nullptr) continue;
    const bool direct = effect->source == token.text;
    return RuleRefusal{token.line,
                       fmt::format("the loop holds {}: {}{}", to_string(effect->effect), token.text,
                                   direct ? "" : fmt::format(" leads to {}", effect->source))};
  }
  return {};
}

std::optional<RuleRefusal> exit_of_loop(const SourceText& text, const SourceLoop& loop) {
  if (loop.early_exit == 0) return {};
  const SourceToken& exit = text[loop.early_exit];
  return RuleRefusal{exit.line,
                     fmt::format("'{}' leaves the loop before its condition does", exit.text)};
}

/// Names in the condition of a `for` that its body assigns.
std::optional<RuleRefusal> changed_bound_of_loop(const SourceText& text, const SourceLoop& loop) {
  if (loop.kind != LoopKind::for_loop) return {};
  const ByteRange condition = condition_of_loop(text, loop);
  std::set<std::string_view> names;
  for (std::size_t i = condition.begin; i < condition.end; ++i) {
    if (text[i].kind == SourceTokenKind::identifier && !is_member_name(text, i))
      names.insert(text[i].text);
  }
  for (std::size_t at = loop.body_begin; at < loop.body_end; ++at) {
    if (!names.contains(text[at].text) || !is_assigned_at(text, at)) continue;
    return RuleRefusal{
        text[at].line,
        fmt::format("the body changes '{}', on which the number of iterations depends",
                    text[at].text)};
  }
  return {};
}

ByteRange condition_of_loop(const SourceText& text, const SourceLoop& loop) {
  std::size_t begin = loop.head_begin;
  while (begin < loop.head_end && !text.is(begin, ";")) begin = text.after_group(begin);
  std::size_t end = std::min(begin + 1, loop.head_end);
  while (end < loop.head_end && !text.is(end, ";")) end = text.after_group(end);
  return {std::min(begin + 1, end), end};
}

bool is_assigned_at(const SourceText& text, std::size_t i) {
  static constexpr auto kOperators = std::to_array<std::string_view>(
      {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--", "and_eq",
       "or_eq", "xor_eq"});
  const SourceToken& before = text[i - 1];
  if (before.is(".") || before.is("->")) return false;
  if (before.is("++") || before.is("--")) return true;
  std::size_t at = i + 1;
  while (text.is(at, "[")) at = text.after_group(at);
  return at < text.size() && std::ranges::find(kOperators, text[at].text) != kOperators.end();
}

}  // namespace rpl
