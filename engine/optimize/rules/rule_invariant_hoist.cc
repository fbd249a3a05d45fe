// SPDX-License-Identifier: MIT
// invariant-hoist: a load whose address a loop does not change is repeated in each iteration when the loop also stores, because the store
// might change it. Where captured pointers show that it cannot, the load is done once, under the condition of the first iteration.
#include <fmt/format.h>

#include <algorithm>

#include "engine/optimize/rules/effects.h"
#include "engine/optimize/rules/kernel_text.h"
#include "engine/optimize/rules/loop_facts.h"
#include "engine/optimize/rules/loops.h"
#include "engine/optimize/rules/rules.h"

namespace rpl::rules {
namespace {

/// What is done only sometimes, or before which something else may end the iteration.
bool unconditional(const SourceText& text, const SourceLoop& loop, std::size_t token) {
  for (std::size_t i = loop.body_begin; i < token; ++i) {
    for (const std::string_view word :
         {"if", "?", "&&", "||", "switch", "continue", "for", "while", "do", "[&]", "[=]"}) {
      if (text.is(i, word)) return false;
    }
  }
  return true;
}

/// Stores of the loop that might change what `load` points to: "" when captured regions keep them apart.
std::string colliding_store(const KernelCase& on, const SourceLoop& loop,
                            const ElementPointer& load, const std::vector<ElementPointer>& pointers,
                            bool& any) {
  for (std::size_t i = loop.body_begin; i < loop.body_end; ++i) {
    const SourceToken& token = on.text[i];
    const bool assigns = token.kind == SourceTokenKind::punctuator && token.text.ends_with("=") &&
                         !token.is("==") && !token.is("!=") && !token.is("<=") && !token.is(">=");
    if (!assigns && !token.is("++") && !token.is("--")) continue;
    if (on.text[i - 1].kind == SourceTokenKind::identifier && !on.text.is(i - 2, "*") &&
        !on.text.is(i - 2, "->"))
      continue;
    if (!assigns && on.text[i + 1].kind == SourceTokenKind::identifier && !on.text.is(i + 2, "["))
      continue;
    if (!assigns || !on.text.is(i - 1, "]"))
      return "the loop writes memory in a way that this rule does not follow";
    const std::size_t open = on.text.partner(i - 1);
    const auto stored = std::ranges::find(pointers, on.text[open - 1].text, &ElementPointer::name);
    if (stored == pointers.end())
      return fmt::format("the loop writes to '{}', which is not a pointer that this rule follows",
                         on.text[open - 1].text);
    any = true;
    if (std::string why = not_shown_apart(on, *stored, load); !why.empty()) return why;
  }
  return {};
}

void offer_hoists(const KernelCase& on, const SourceLoop& loop, const CountedLoop& shape,
                  RuleOutcome& out) {
  const SourceText& text = on.text;
  const auto pointers = element_pointers(on);
  const std::size_t offered = out.edits.size();
  std::string why_not = "no load of the loop has an address that stays the same";
  std::size_t line = text[loop.keyword].line;
  for (const ElementPointer& pointer : pointers) {
    if (bytes_of(pointer.element) == 0 ||
        names_change_in(text, loop, pointer.declared, pointer.declared + 1))
      continue;
    for (const NameUse& use : uses_of(text, pointer.name, loop.body_begin, loop.body_end)) {
      const std::size_t open = use.token + 1;
      if (use.kind != UseKind::read || use.subscripts != 1 ||
          !is_plain_arithmetic(text, open + 1, use.end - 1))
        continue;
      if (names_change_in(text, loop, open + 1, use.end - 1) ||
          !unconditional(text, loop, use.token))
        continue;
      bool stores = false;
      std::string collides = colliding_store(on, loop, pointer, pointers, stores);
      if (!collides.empty() || !stores) {
        why_not = stores || !collides.empty()
                      ? collides
                      : "the loop writes no memory: the compiler hoists its loads itself";
        line = text[use.token].line;
        continue;
      }
      const std::string held = fresh_name(text, std::string(pointer.name) + "_held");
      const std::string nl(line_end_of(text.text())),
          indent = indent_at(text.text(), text[loop.keyword].begin);
      const std::string_view load = written(text, use.token, use.end);
      std::vector<Replacement> changes;
      for (const NameUse& other : uses_of(text, pointer.name, loop.body_begin, loop.body_end)) {
        if (other.kind == UseKind::read && written(text, other.token, other.end) == load) {
          changes.push_back({text[other.token].begin, text[other.end - 1].end, held});
        }
      }
      changes.push_back(
          {text[loop.keyword].begin, text[loop.keyword].begin,
           fmt::format(
               "const {} {} = static_cast<{}>({}) {} ({}) ? {} : static_cast<{}>(0);{}{}",
               pointer.element, held, shape.type, written(text, shape.first.begin, shape.first.end),
               shape.inclusive ? "<=" : "<", written(text, shape.limit.begin, shape.limit.end),
               load, pointer.element, nl, indent)});
      RuleEdit edit;
      edit.line = text[use.token].line;
      edit.title =
          fmt::format("load {} once before the loop in line {}", load, text[loop.keyword].line);
      edit.why =
          "the store in the loop keeps the compiler from it, because it might change what is "
          "loaded";
      edit.assumes =
          fmt::format("only {} shows that the loop's stores go elsewhere", on.launches->capture);
      edit.source = replaced(text.text(), std::move(changes));
      const bool known =
          std::ranges::any_of(out.edits, [&](const RuleEdit& e) { return e.title == edit.title; });
      if (!known) out.edits.push_back(std::move(edit));
    }
  }
  if (out.edits.size() == offered) refuse(out, line, std::move(why_not));
}

/// Whether the loop stands where a declaration before it may stand: in a block, not alone behind `if (…)`.
bool in_block(const SourceText& text, const SourceLoop& loop) {
  std::size_t before = loop.keyword;
  for (const std::size_t pragma : loop.pragmas) before = std::min(before, pragma);
  return text.is(before - 1, ";") || text.is(before - 1, "{") || text.is(before - 1, "}");
}

}  // namespace

RuleOutcome invariant_hoist(const KernelCase& on) {
  RuleOutcome out;
  const LoopsFound found = find_loops(on.text, on.kernel);
  const Effects effects(on.text, on.declared, on.kernel);
  for (const SourceLoop& loop : found.loops) {
    if (!loop.innermost) continue;
    const std::size_t line = on.text[loop.keyword].line;
    const auto shape = counted(on.text, loop);
    if (const auto effect = effect_in_loop(on.text, loop, effects)) {
      refuse(out, effect->line, effect->reason);
    } else if (!shape || !is_plain_arithmetic(on.text, shape->first.begin, shape->first.end) ||
               !is_plain_arithmetic(on.text, shape->limit.begin, shape->limit.end)) {
      refuse(out, line, "the loop does not count up by one from and to plain values");
    } else if (!loop.pragmas.empty() || !in_block(on.text, loop)) {
      refuse(out, line, "the loop does not stand by itself in a block");
    } else if (const auto call = unknown_call(on, loop.body_begin, loop.body_end); !call.empty()) {
      refuse(out, line, fmt::format("'{}' may write memory", call));
    } else {
      offer_hoists(on, loop, *shape, out);
    }
  }
  if (out.edits.empty() && out.refusals.empty())
    refuse(out, on.kernel.line, fmt::format("{} holds no loop", on.kernel.qualified));
  return out;
}

}  // namespace rpl::rules
