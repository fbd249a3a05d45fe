// SPDX-License-Identifier: MIT
// vector-load: a loop that reads an array element by element, and writes no memory, may read 16 bytes at a time. Global memory takes such
// loads at any multiple of 4 bytes on amdhsa, so that no alignment has to be known; the order of all operations stays.
#include <fmt/format.h>

#include <algorithm>

#include "engine/optimize/rules/effects.h"
#include "engine/optimize/rules/kernel_text.h"
#include "engine/optimize/rules/loop_facts.h"
#include "engine/optimize/rules/loops.h"
#include "engine/optimize/rules/rules.h"

namespace rpl::rules {
namespace {

constexpr std::uint32_t kVectorBytes = 16;

/// A word of the body that makes it more than a row of plain statements.
std::string_view branching_word(const SourceText& text, const SourceLoop& loop) {
  for (std::size_t i = loop.body_begin; i < loop.body_end; ++i) {
    for (const std::string_view word :
         {"if", "?", "&&", "||", "switch", "continue", "goto", "try"}) {
      if (text.is(i, word)) return word;
    }
  }
  return {};
}

/// A store to memory: an assignment to anything but a plain name.
std::optional<std::size_t> memory_store(const SourceText& text, const SourceLoop& loop) {
  for (std::size_t i = loop.body_begin; i < loop.body_end; ++i) {
    const SourceToken& token = text[i];
    const bool step = token.is("++") || token.is("--");
    const bool assigns = token.kind == SourceTokenKind::punctuator && token.text.ends_with("=") &&
                         !token.is("==") && !token.is("!=") && !token.is("<=") && !token.is(">=");
    if (!step && !assigns) continue;
    const std::size_t target =
        step && text[i + 1].kind == SourceTokenKind::identifier ? i + 1 : i - 1;
    const bool plain = text[target].kind == SourceTokenKind::identifier &&
                       !text.is(target - 1, ".") && !text.is(target - 1, "->") &&
                       !text.is(target - 1, "*") && !text.is(target + 1, "[");
    if (!plain) return i;
  }
  return std::nullopt;
}

/// Arrays that are read at the counter alone.
std::vector<ElementPointer> read_arrays(const KernelCase& on, const SourceLoop& loop,
                                        std::string_view counter) {
  std::vector<ElementPointer> out;
  for (const ElementPointer& pointer : element_pointers(on)) {
    const std::uint32_t bytes = bytes_of(pointer.element);
    if (bytes < 2 || bytes >= kVectorBytes) continue;
    bool at_counter = false, elsewhere = false;
    for (const NameUse& use : uses_of(on.text, pointer.name, loop.body_begin, loop.body_end)) {
      const bool plain = use.kind == UseKind::read && use.subscripts == 1 &&
                         use.end == use.token + 4 && on.text.is(use.token + 2, counter);
      at_counter = at_counter || plain;
      elsewhere = elsewhere || use.kind == UseKind::assigned;
    }
    if (at_counter && !elsewhere) out.push_back(pointer);
  }
  return out;
}

std::string refusal_of(const KernelCase& on, const SourceLoop& loop,
                       const std::optional<CountedLoop>& shape, std::size_t& line) {
  const SourceText& text = on.text;
  if (!shape) return "the loop does not count up by one to a limit";
  if (shape->inclusive) return "the limit is counted too: write '<'";
  if (!is_plain_arithmetic(text, shape->limit.begin, shape->limit.end) ||
      !is_plain_arithmetic(text, shape->first.begin, shape->first.end)) {
    return "begin and limit of the loop are more than names and numbers";
  }
  if (!loop.pragmas.empty())
    return fmt::format("the loop has '#{}' already", text[loop.pragmas.front()].text);
  if (const auto word = branching_word(text, loop); !word.empty())
    return fmt::format("not every iteration need read: '{}' in the loop", word);
  if (const auto store = memory_store(text, loop)) {
    line = text[*store].line;
    return "the loop writes memory, which may be what it reads";
  }
  if (const auto call = unknown_call(on, loop.body_begin, loop.body_end); !call.empty())
    return fmt::format("'{}' may write memory", call);
  return {};
}

/// The body with `x[i]` replaced by `x_read[lane]`.
std::string vector_body(const KernelCase& on, const SourceLoop& loop,
                        const std::vector<std::pair<ElementPointer, std::string>>& arrays,
                        std::string_view counter, std::string_view lane) {
  const std::size_t begin = on.text[loop.body_begin].begin, end = on.text[loop.body_end - 1].end;
  std::vector<Replacement> changes;
  for (const auto& [pointer, read] : arrays) {
    for (const NameUse& use : uses_of(on.text, pointer.name, loop.body_begin, loop.body_end)) {
      const bool plain = use.kind == UseKind::read && use.subscripts == 1 &&
                         use.end == use.token + 4 && on.text.is(use.token + 2, counter);
      if (plain)
        changes.push_back({on.text[use.token].begin - begin, on.text[use.end - 1].end - begin,
                           fmt::format("{}[{}]", read, lane)});
    }
  }
  return replaced(on.text.text().substr(begin, end - begin), std::move(changes));
}

std::string loop_text(const KernelCase& on, const SourceLoop& loop, const CountedLoop& shape,
                      const std::vector<ElementPointer>& arrays) {
  const SourceText& text = on.text;
  std::uint32_t widest = 1;
  for (const ElementPointer& array : arrays) widest = std::max(widest, bytes_of(array.element));
  const std::uint32_t lanes = kVectorBytes / widest;
  const std::string base = fresh_name(text, std::string(shape.counter) + "_base"),
                    lane = fresh_name(text, std::string(shape.counter) + "_lane");
  const std::string_view limit = written(text, shape.limit.begin, shape.limit.end);
  const std::string_view first = written(text, shape.first.begin, shape.first.end);
  const std::string nl(line_end_of(text.text())),
      indent = indent_at(text.text(), text[loop.keyword].begin), deeper = indent + "  ";
  std::vector<std::pair<ElementPointer, std::string>> reads;
  for (const ElementPointer& array : arrays)
    reads.emplace_back(array, fresh_name(text, std::string(array.name) + "_read"));

  std::string out = fmt::format("{{{}{}{} {} = {};{}", nl, deeper, shape.type, base, first, nl);
  out += fmt::format("{}for (; {} < ({}) && ({}) - {} >= {}; {} += {}) {{{}", deeper, base, limit,
                     limit, base, lanes, base, lanes, nl);
  for (const auto& [array, read] : reads) {
    out += fmt::format("{}  {} {}[{}];{}", deeper, array.element, read, lanes, nl);
    out += fmt::format("{}  __builtin_memcpy({}, &{}[{}], sizeof {});{}", deeper, read, array.name,
                       base, read, nl);
  }
  out += fmt::format("{}  #pragma unroll{}{}  for ({} {} = 0; {} < {}; ++{}) {{{}", deeper, nl,
                     deeper, shape.type, lane, lane, lanes, lane, nl);
  const std::string body = vector_body(on, loop, reads, shape.counter, lane);
  const std::size_t counters = uses_of(text, shape.counter, loop.body_begin, loop.body_end).size();
  std::size_t in_reads = 0;
  for (const auto& [array, read] : reads) {
    for (const NameUse& use : uses_of(text, array.name, loop.body_begin, loop.body_end)) {
      in_reads += use.kind == UseKind::read && use.subscripts == 1 && use.end == use.token + 4 &&
                  text.is(use.token + 2, shape.counter);
    }
  }
  if (counters > in_reads)
    out += fmt::format("{}    const {} {} = {} + {};{}", deeper, shape.type, shape.counter, base,
                       lane, nl);
  out += fmt::format("{}    {}{}{}  }}{}{}}}{}", deeper, body, nl, deeper, nl, deeper, nl);
  out += fmt::format(
      "{}for ({} {} = {}; {}; ++{}) {}{}{}}}", deeper, shape.type, shape.counter, base,
      written(text, condition_of_loop(text, loop).begin, condition_of_loop(text, loop).end),
      shape.counter, written(text, loop.body_begin, loop.body_end), nl, indent);
  return out;
}

}  // namespace

RuleOutcome vector_load(const KernelCase& on) {
  RuleOutcome out;
  const LoopsFound found = find_loops(on.text, on.kernel);
  if (found.too_deep || found.loops.empty()) {
    refuse(out, on.kernel.line,
           found.too_deep ? "statements are nested too deeply to be read"
                          : fmt::format("{} holds no loop", on.kernel.qualified));
    return out;
  }
  const Effects effects(on.text, on.declared, on.kernel);
  std::vector<Replacement> all;
  std::size_t first_line = 0;
  for (const SourceLoop& loop : found.loops) {
    if (!loop.innermost) continue;
    std::size_t line = on.text[loop.keyword].line;
    const auto shape = counted(on.text, loop);
    std::string why_not;
    for (const auto& refusal : {effect_in_loop(on.text, loop, effects), exit_of_loop(on.text, loop),
                                changed_bound_of_loop(on.text, loop)}) {
      if (refusal && why_not.empty()) why_not = refusal->reason;
    }
    if (why_not.empty()) why_not = refusal_of(on, loop, shape, line);
    const auto arrays =
        why_not.empty() ? read_arrays(on, loop, shape->counter) : std::vector<ElementPointer>();
    if (why_not.empty() && arrays.empty()) why_not = "no array is read at the counter alone";
    if (!why_not.empty()) {
      refuse(out, line, std::move(why_not));
      continue;
    }
    Replacement change{on.text[loop.keyword].begin, on.text[loop.body_end - 1].end,
                       loop_text(on, loop, *shape, arrays)};
    RuleEdit edit;
    edit.line = line;
    edit.title = fmt::format("read 16 bytes at once in the loop in line {}", line);
    edit.why =
        "a lane that reads neighbors one after the other asks for the same lines again and again";
    edit.source = replaced(on.text.text(), {change});
    out.edits.push_back(std::move(edit));
    if (all.empty()) first_line = line;
    all.push_back(std::move(change));
  }
  if (all.size() > 1) {
    RuleEdit edit;
    edit.line = first_line;
    edit.title = fmt::format("read 16 bytes at once in {} loops", all.size());
    edit.why =
        "a lane that reads neighbors one after the other asks for the same lines again and again";
    edit.source = replaced(on.text.text(), std::move(all));
    out.edits.insert(out.edits.begin(), std::move(edit));
  }
  return out;
}

}  // namespace rpl::rules
