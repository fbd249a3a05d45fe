// SPDX-License-Identifier: MIT
// split-sums: a sum that every turn of a loop adds to makes each turn wait for the one before. Four turns at once add to four sums, which are put together behind the loop.
#include <fmt/format.h>

#include "engine/optimize/rules/lane_loop.h"
#include "engine/optimize/rules/loops.h"
#include "engine/optimize/rules/rules.h"

namespace rpl::rules {
namespace {

constexpr int kWays = 4;

std::string why_not(const LaneLoop& found) {
  if (!found.why_not.empty()) return found.why_not;
  if (found.stores) return "its turns store to memory and are apart already";
  if (found.accumulators.empty()) return "its turns have no sum in common";
  if (found.shape.inclusive) return "the limit is counted too: write '<'";
  if (!found.loop->pragmas.empty()) return "the loop has a directive already";
  for (const Accumulator& one : found.accumulators) {
    if (one.elements > 0) return fmt::format("'{}' is an array", one.name);
  }
  return {};
}

std::string edited(const KernelCase& on, const LaneLoop& found) {
  const SourceText& text = on.text;
  const SourceLoop& loop = *found.loop;
  const CountedLoop& shape = found.shape;
  const std::string line(line_end_of(text.text())),
      indent = indent_at(text.text(), text[loop.keyword].begin), deeper = indent + "  ";
  const std::string base = fresh_name(text, fmt::format("{}_base", shape.counter));
  const std::string_view limit = written(text, shape.limit.begin, shape.limit.end),
                         body = written(text, loop.body_begin, loop.body_end);
  const std::size_t body_at = text[loop.body_begin].begin;
  const auto part = [&](const Accumulator& one, int way) {
    return fresh_name(text, fmt::format("{}_{}", one.name, way));
  };
  std::string before, inside, behind;
  for (const Accumulator& one : found.accumulators) {
    const bool extreme = one.kind == Accumulator::Kind::extreme;
    for (int way = 1; way < kWays; ++way) {
      const std::string name = part(one, way);
      const std::string first = extreme                              ? std::string(one.name)
                                : one.kind == Accumulator::Kind::sum ? "0"
                                                                     : "1";
      before += fmt::format("decltype({}) {} = {};{}{}", one.name, name, first, line, indent);
      behind += extreme ? fmt::format("{}{}{} = {}({}, {});", line, indent, one.name, one.function,
                                      one.name, name)
                        : fmt::format("{}{}{} {}= {};", line, indent, one.name,
                                      one.kind == Accumulator::Kind::sum ? "+" : "*", name);
    }
  }
  for (int way = 0; way < kWays; ++way) {
    std::vector<Replacement> changes;
    for (const Accumulator& one : found.accumulators) {
      if (way == 0) break;
      for (const std::size_t use : one.uses)
        changes.push_back({text[use].begin - body_at, text[use].end - body_at, part(one, way)});
    }
    inside +=
        fmt::format("{0}{1}{{{0}{1}  const {2} {3} = {4}{5};{0}{1}  {6}{0}{1}}}", line, deeper,
                    shape.type, shape.counter, base, way == 0 ? "" : fmt::format(" + {}", way),
                    replaced(body, std::move(changes)));
  }
  // What is left over goes on where the first sum stands.
  const std::string whole = fmt::format(
      "{0}{1} {2} = {3};{4}{5}for (; {2} < ({6}) && ({6}) - {2} >= {7}; {2} += {7}) {{{8}{4}{5}}}"
      "{4}{5}for ({1} {9} = {2}; {9} < {6}; ++{9}) {10}{11}",
      before, shape.type, base, written(text, shape.first.begin, shape.first.end), line, indent,
      limit, kWays, inside, shape.counter, body, behind);
  return replaced(text.text(), {{text[loop.keyword].begin, text[loop.body_end - 1].end, whole}});
}

}  // namespace

RuleOutcome split_sums(const KernelCase& on) {
  RuleOutcome out;
  const LoopsFound found = find_loops(on.text, on.kernel);
  const auto pointers = element_pointers(on);
  for (const SourceLoop& loop : found.loops) {
    if (!loop.innermost || found.too_deep) continue;
    const std::size_t line = on.text[loop.keyword].line;
    const SourceToken& before = on.text[loop.keyword - 1];
    const LaneLoop read = lane_loop(on, loop, pointers);
    std::string why = why_not(read);
    if (why.empty() && !before.is(";") && !before.is("{") && !before.is("}"))
      why = "no declaration can stand before the loop";
    if (!why.empty()) {
      refuse(out, line, std::move(why));
      continue;
    }
    RuleEdit edit;
    edit.line = line;
    edit.title = fmt::format("four sums in the loop in line {}", line);
    edit.why = "each turn waits for the sum of the one before";
    edit.bit_exact = false;
    edit.source = edited(on, read);
    out.edits.push_back(std::move(edit));
  }
  if (out.edits.empty() && out.refusals.empty())
    refuse(out, on.kernel.line, fmt::format("{} holds no loop", on.kernel.qualified));
  return out;
}

}  // namespace rpl::rules
