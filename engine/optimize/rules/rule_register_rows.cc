// SPDX-License-Identifier: MIT
// register-rows: elements A[row + e] that an inner loop over a constant number of e goes through again in every turn of an outer loop, which does not change `row`, are the same
// ones each time. They are loaded to registers before the outer loop, and stored behind it when it changes them.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "engine/optimize/rules/effects.h"
#include "engine/optimize/rules/kernel_text.h"
#include "engine/optimize/rules/loop_facts.h"
#include "engine/optimize/rules/loops.h"
#include "engine/optimize/rules/rules.h"

namespace rpl::rules {
namespace {

constexpr std::int64_t kMostElements = 64;  ///< of a row; more would not stay in registers

/// A loop that goes over a row: `for (int e = 0; e < 32; ++e)`.
struct RowLoop {
  const SourceLoop* loop = nullptr;
  CountedLoop shape;
  std::int64_t count = 0;
};

/// The row of one pointer in one outer loop.
struct Row {
  const ElementPointer* pointer = nullptr;
  const SourceLoop* outer = nullptr;
  std::vector<std::pair<NameUse, std::string_view>> uses;  ///< with the counter of each
  std::int64_t count = 0;
  bool written = false;
  bool builds_on_capture = false;
};

bool contains(const SourceLoop& outer, std::size_t token) {
  return outer.body_begin <= token && token < outer.body_end;
}

/// "row * 32" of "row * 32 + e" or "e + row * 32"; none when the counter stands in another way.
std::optional<std::string> without_counter(const SourceText& text, std::size_t begin,
                                           std::size_t end, std::string_view counter) {
  std::size_t at = kNoToken;
  for (std::size_t i = begin; i < end; ++i) {
    if (!text.is(i, counter)) continue;
    if (at != kNoToken) return std::nullopt;
    at = i;
  }
  if (at == kNoToken) return std::nullopt;
  const bool last = at + 1 == end && at > begin && text.is(at - 1, "+");
  const bool first = at == begin && text.is(at + 1, "+");
  if (!last && !first)
    return at == begin && at + 1 == end ? std::optional<std::string>("") : std::nullopt;
  std::string out;
  for (const std::string_view word : last ? text.words(begin, at - 1) : text.words(at + 2, end))
    out += fmt::format("{} ", word);
  return out;
}

/// What happens in every turn, whatever came before.
bool always_runs(const SourceText& text, const SourceLoop& outer, std::size_t token) {
  for (std::size_t i = outer.body_begin; i < token; ++i) {
    for (const std::string_view word :
         {"if", "?", "&&", "||", "switch", "continue", "while", "do", "[&]", "[=]"}) {
      if (text.is(i, word)) return false;
    }
  }
  return true;
}

class Finder {
 public:
  Finder(const KernelCase& on, RuleOutcome& out)
      : on_(on),
        out_(out),
        found_(find_loops(on.text, on.kernel)),
        pointers_(element_pointers(on)) {
    for (const SourceLoop& loop : found_.loops) {
      const auto shape = counted(on.text, loop);
      if (!loop.innermost || !shape || shape->inclusive) continue;
      const auto first = constant_value(on, shape->first.begin, shape->first.end);
      const auto limit = constant_value(on, shape->limit.begin, shape->limit.end);
      if (first == 0 && limit && *limit >= 2 && *limit <= kMostElements)
        rows_.push_back({&loop, *shape, *limit});
    }
  }

  void offer() {
    std::vector<Row> all;
    for (const ElementPointer& pointer : pointers_) {
      if (bytes_of(pointer.element) == 0) continue;
      for (const SourceLoop* outer : outermost_loops()) {
        if (auto row = row_of(pointer, *outer)) all.push_back(std::move(*row));
      }
    }
    if (all.size() > 1) offer(all);
    for (const Row& row : all) offer({row});
    if (!out_.edits.empty() || !out_.refusals.empty()) return;
    refuse(out_, on_.kernel.line,
           "no loop with a constant number of turns goes over the same elements again in every "
           "turn of a loop around it");
  }

 private:
  /// Counting loops around others, none of which lies in another one, where a declaration may stand before them.
  std::vector<const SourceLoop*> outermost_loops() const {
    std::vector<const SourceLoop*> out;
    for (const SourceLoop& loop : found_.loops) {
      const bool inside = std::ranges::any_of(
          out, [&](const SourceLoop* outer) { return contains(*outer, loop.keyword); });
      if (loop.innermost || inside || !loop.pragmas.empty()) continue;
      const std::size_t before = loop.keyword - 1;
      const bool stands_alone =
          on_.text.is(before, ";") || on_.text.is(before, "{") || on_.text.is(before, "}");
      const auto shape = counted(on_.text, loop);
      if (stands_alone && shape &&
          is_plain_arithmetic(on_.text, shape->first.begin, shape->first.end) &&
          is_plain_arithmetic(on_.text, shape->limit.begin, shape->limit.end))
        out.push_back(&loop);
    }
    return out;
  }

  std::optional<Row> row_of(const ElementPointer& pointer, const SourceLoop& outer) {
    const SourceText& text = on_.text;
    Row row{.pointer = &pointer, .outer = &outer, .uses = {}};
    if (pointer.declared > outer.keyword && pointer.declared < outer.body_end) return std::nullopt;
    std::optional<std::string> rest;
    for (const NameUse& use : uses_of(text, pointer.name, outer.body_begin, outer.body_end)) {
      const auto in = std::ranges::find_if(
          rows_, [&](const RowLoop& one) { return contains(*one.loop, use.token); });
      const bool element =
          use.kind == UseKind::read || use.kind == UseKind::write || use.kind == UseKind::update;
      if (in == rows_.end() || !element || use.subscripts != 1) return std::nullopt;
      const std::size_t begin = use.token + 2, end = use.end - 1;
      const std::string_view counter = in->shape.counter;
      auto found = without_counter(text, begin, end, counter);
      if (!found || !is_plain_arithmetic(text, begin, end)) return std::nullopt;
      if (names_change_in(text, outer, begin, end, counter)) return std::nullopt;
      if ((rest && *rest != *found) || (row.count != 0 && row.count != in->count))
        return std::nullopt;
      if (!always_runs(text, outer, use.token)) return std::nullopt;
      rest = std::move(found);
      row.count = in->count;
      row.written = row.written || use.kind != UseKind::read;
      row.uses.emplace_back(use, counter);
    }
    if (row.uses.empty()) return std::nullopt;
    if (const std::string why = obstacle(row); !why.empty()) {
      refuse(out_, text[row.uses.front().first.token].line, why);
      return std::nullopt;
    }
    return row;
  }

  /// Why nothing may be kept in registers over the turns of the outer loop; empty when nothing is in the way.
  std::string obstacle(Row& row) const {
    const SourceText& text = on_.text;
    const SourceLoop& outer = *row.outer;
    const Effects effects(text, on_.declared, on_.kernel);
    if (const auto effect = effect_in_loop(text, outer, effects)) return effect->reason;
    if (const auto exit = exit_of_loop(text, outer)) return exit->reason;
    if (const auto bound = changed_bound_of_loop(text, outer)) return bound->reason;
    if (const auto call = unknown_call(on_, outer.body_begin, outer.body_end); !call.empty())
      return fmt::format("'{}' may write memory", call);
    for (const ElementPointer& other : pointers_) {
      if (other.name == row.pointer->name) continue;
      bool any = false, writes = false;
      for (const NameUse& use : uses_of(text, other.name, outer.body_begin, outer.body_end)) {
        any = true;
        writes = writes || use.kind != UseKind::read;
      }
      // Reads do not meet reads.
      if (!any || (!writes && !row.written)) continue;
      if (std::string why = not_shown_apart(on_, *row.pointer, other); !why.empty()) return why;
      row.builds_on_capture = true;
    }
    return {};
  }

  /// What stands before and behind an outer loop.
  struct Around {
    std::string before, behind;
  };

  /// Adds what loads and stores one row, kept as `kept`.
  void add(const Row& row, const std::string& kept, Around& around) const {
    const SourceText& text = on_.text;
    const auto& [use, counter] = row.uses.front();
    const std::string at = fresh_name(text, "at");
    std::string element = fmt::format("{}[", row.pointer->name);
    for (std::size_t token = use.token + 2; token + 1 < use.end; ++token)
      element += fmt::format("{}{}", token > use.token + 2 ? " " : "",
                             text.is(token, counter) ? std::string_view(at) : text[token].text);
    element += "]";
    const CountedLoop shape = *counted(text, *row.outer);
    const std::string line = std::string(line_end_of(text.text())) +
                             indent_at(text.text(), text[row.outer->keyword].begin);
    const std::string under_first_turn = fmt::format(
        "if (static_cast<{}>({}) {} ({})){}  for (int {} = 0; {} < {}; ++{})", shape.type,
        written(text, shape.first.begin, shape.first.end), shape.inclusive ? "<=" : "<",
        written(text, shape.limit.begin, shape.limit.end), line, at, at, row.count, at);
    around.before += fmt::format("{} {}[{}];{}{} {}[{}] = {};{}", row.pointer->element, kept,
                                 row.count, line, under_first_turn, kept, at, element, line);
    if (row.written)
      around.behind += fmt::format("{}{} {} = {}[{}];", line, under_first_turn, element, kept, at);
  }

  void offer(const std::vector<Row>& rows) {
    const SourceText& text = on_.text;
    std::vector<Replacement> changes;
    std::map<const SourceLoop*, Around> around;
    RuleEdit edit;
    edit.bit_exact = false;
    std::vector<std::string> names, used;
    for (const Row& row : rows) {
      std::string kept = fresh_name(text, fmt::format("{}_row", row.pointer->name));
      for (int number = 2; std::ranges::find(used, kept) != used.end(); ++number)
        kept = fresh_name(text, fmt::format("{}_row{}", row.pointer->name, number));
      used.push_back(kept);
      add(row, kept, around[row.outer]);
      for (const auto& [one, counter] : row.uses)
        changes.push_back(
            {text[one.token].begin, text[one.end - 1].end, fmt::format("{}[{}]", kept, counter)});
      const std::string name(row.pointer->name);
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
      const std::size_t line = text[row.uses.front().first.token].line;
      edit.line = edit.line == 0 ? line : std::min(edit.line, line);
    }
    for (const auto& [loop, texts] : around) {
      const std::size_t begin = text[loop->keyword].begin, end = text[loop->body_end - 1].end;
      changes.push_back({begin, begin, texts.before});
      if (!texts.behind.empty()) changes.push_back({end, end, texts.behind});
    }
    std::string list;
    for (std::size_t i = 0; i < names.size(); ++i)
      list += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
    edit.title = fmt::format("keep rows of {} in registers over the loop{} in line {}", list,
                             around.size() > 1 ? "s" : "", edit.line);
    edit.why = "every turn of the outer loop goes over the same elements again";
    if (std::ranges::any_of(rows, &Row::builds_on_capture))
      edit.assumes = fmt::format("only {} shows that what the loop writes lies elsewhere",
                                 on_.launches->capture);
    edit.source = replaced(text.text(), std::move(changes));
    out_.edits.push_back(std::move(edit));
  }

  const KernelCase& on_;
  RuleOutcome& out_;
  LoopsFound found_;
  std::vector<ElementPointer> pointers_;
  std::vector<RowLoop> rows_;
};

}  // namespace

RuleOutcome register_rows(const KernelCase& on) {
  RuleOutcome out;
  Finder(on, out).offer();
  return out;
}

}  // namespace rpl::rules
