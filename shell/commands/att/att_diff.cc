// SPDX-License-Identifier: MIT
// att diff: what changed between two builds of a kernel, by line and by instruction.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/att/analyse/diff.h"
#include "engine/base/text_layout.h"
#include "shell/commands/att/att_heat.h"
#include "shell/commands/att/att_view.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/loaded.h"
#include "shell/core/inputs/opened.h"

namespace rpl {
namespace {

struct AttDiffArgs {
  std::string before, after, by = "line";
  std::int64_t top = 20;
};

/// A change of one line or instruction.
struct Change {
  std::string kind;               ///< matched, added, removed; of a line: both, added, removed
  Value before_line, after_line;  ///< numbers in the listings, or source lines
  std::string text, source;
  double before = 0, after = 0;
  std::uint64_t instructions = 0;
};

std::string kind_of(const att::DiffRow& row) {
  if (row.before == att::CodeTable::kNone) return "added";
  return row.after == att::CodeTable::kNone ? "removed" : "matched";
}

std::vector<Change> by_instruction(const att::TraceDiff& diff, const att::ThreadTrace& before,
                                   const att::ThreadTrace& after) {
  std::vector<Change> out;
  for (const att::DiffRow& row : diff.rows) {
    const bool has_after = row.after != att::CodeTable::kNone;
    const att::Instruction& shown =
        has_after ? after.code.rows[row.after] : before.code.rows[row.before];
    Change& change = out.emplace_back();
    change.kind = kind_of(row);
    if (row.before != att::CodeTable::kNone)
      change.before_line = Value(before.code.rows[row.before].line);
    if (has_after) change.after_line = Value(shown.line);
    change.text = shown.text;
    change.source = shown.source;
    change.before = row.before_cycles;
    change.after = row.after_cycles;
    change.instructions = 1;
  }
  return out;
}

/// A matched instruction counts for its line in the later build; what was removed, for its line in the earlier one.
std::vector<Change> by_line(const att::TraceDiff& diff, const att::ThreadTrace& before,
                            const att::ThreadTrace& after) {
  std::map<std::pair<bool, att::Place>, Change> lines;
  SourceLines old_sources(before), new_sources(after);
  for (const att::DiffRow& row : diff.rows) {
    const bool gone = row.after == att::CodeTable::kNone;
    const att::Instruction& shown =
        gone ? before.code.rows[row.before] : after.code.rows[row.after];
    const auto chain = att::chain_of(shown.source);
    const att::Place place = chain.empty() ? att::Place() : chain.front();
    Change& change = lines[{gone, place}];
    const std::string kind = kind_of(row);
    change.kind = change.kind.empty() || change.kind == kind ? kind : "both";
    change.source = place.file.empty() ? "" : fmt::format("{}:{}", place.file, place.line);
    change.text = gone ? old_sources.text(place) : new_sources.text(place);
    if (!place.file.empty()) (gone ? change.before_line : change.after_line) = Value(place.line);
    change.before += row.before_cycles;
    change.after += row.after_cycles;
    ++change.instructions;
  }
  std::vector<Change> out;
  for (auto& [place, change] : lines) out.push_back(std::move(change));
  return out;
}

std::string signed_number(double value) { return fmt::format("{:+.1f}", value); }

std::string diff_text(const att::TraceDiff& diff, const std::vector<Change>& changes,
                      const AttEntry& before, const AttEntry& after, const Canvas& canvas) {
  const double change = diff.after_cycles - diff.before_cycles;
  std::string text = fmt::format("before  {}\nafter   {}\n", one_line(before), one_line(after));
  text += fmt::format("a wave lives {:.0f} cycles, before {:.0f}: {} ({:+.1f} %)\n",
                      diff.after_cycles, diff.before_cycles, signed_number(change),
                      diff.before_cycles > 0 ? 100 * change / diff.before_cycles : 0);
  text += fmt::format("{} instructions matched, {} added, {} removed\n\nby cause\n", diff.matched,
                      diff.added, diff.removed);
  std::vector<std::pair<std::string, double>> causes(diff.change_by_cause.begin(),
                                                     diff.change_by_cause.end());
  std::ranges::stable_sort(
      causes, [](const auto& a, const auto& b) { return std::abs(a.second) > std::abs(b.second); });
  for (const auto& [name, cycles] : causes) {
    if (std::abs(cycles) >= 0.05)
      text += fmt::format("  {:<18}{:>12}\n", name, signed_number(cycles));
  }
  text += fmt::format("\n{:>10} {:>10} {:>10}  {:<8} {:<18} \n", "before", "after", "change", "",
                      "line");
  text.erase(text.find_last_not_of(" \n") + 1);
  text += "\n";
  const std::size_t rest = canvas.width > 80 ? canvas.width - 62 : 18;
  for (const Change& one : changes) {
    const auto chain = att::chain_of(one.source);
    const std::string place =
        chain.empty()
            ? "(no source)"
            : fmt::format("{}:{}", att::file_name_of(chain.front().file), chain.front().line);
    std::string line = fmt::format("{:>10.1f} {:>10.1f} {:>10}  {:<8} {}  {}", one.before,
                                   one.after, signed_number(one.after - one.before), one.kind,
                                   fitted(place, 16), elide_middle(one.text, rest));
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

Result<Document> att_diff(Context& context, const AttDiffArgs& args) {
  const AttEntry before = TRY(thread_trace_named(context, args.before));
  const AttEntry after = TRY(thread_trace_named(context, args.after));
  const att::TraceDiff diff = TRY(att::diff_traces(*before->value->trace, *after->value->trace));
  auto changes = args.by == "inst"
                     ? by_instruction(diff, *before->value->trace, *after->value->trace)
                     : by_line(diff, *before->value->trace, *after->value->trace);
  std::ranges::stable_sort(changes, [](const Change& a, const Change& b) {
    return std::abs(a.after - a.before) > std::abs(b.after - b.before);
  });
  const std::size_t all = changes.size();
  if (args.top > 0) changes.resize(std::min(all, static_cast<std::size_t>(args.top)));
  const double total = diff.after_cycles - diff.before_cycles;
  Document out;
  out.set("before", before->id);
  out.set("after", after->id);
  out.set("before_cycles", diff.before_cycles);
  out.set("after_cycles", diff.after_cycles);
  out.set("change_cycles", total);
  const auto pct = att::percent(total, diff.before_cycles);
  out.set("change_pct", pct ? Value(*pct) : Value());
  out.set("before_waves", diff.before_waves);
  out.set("after_waves", diff.after_waves);
  out.set("matched", diff.matched);
  out.set("added", diff.added);
  out.set("removed", diff.removed);
  Record causes;
  for (const auto& [name, cycles] : diff.change_by_cause) causes.emplace_back(name, Value(cycles));
  out.set("change_by_cause", Value(std::move(causes)));
  for (const Change& one : changes) {
    out.rows.push_back({Value(one.kind), one.before_line, one.after_line, Value(one.before),
                        Value(one.after), Value(one.after - one.before), Value(one.instructions),
                        one.text.empty() ? Value() : Value(one.text),
                        one.source.empty() ? Value() : Value(one.source)});
  }
  if (changes.size() < all) out.total_rows = all;
  out.notes = diff.notes;
  out.text = diff_text(diff, changes, before, after, canvas_of(context));
  if (changes.size() < all)
    out.text += fmt::format("({} of {}; --top 0 shows all)\n", changes.size(), all);
  // One modelled side makes the difference modelled.
  const Provenance of_before = provenance_of(*before->value->trace);
  out.provenance =
      of_before == Provenance::modelled ? of_before : provenance_of(*after->value->trace);
  out.next = {fmt::format("att diff {} {} --by inst", before->id, after->id),
              "att waits " + after->id};
  return out;
}

}  // namespace

void add_att_diff_commands(Registry& registry) {
  add(registry,
      command(
          Command{
              .path = "att diff",
              .chapter = Class::analysis,
              .summary = "Say where two builds of a kernel differ in cycles.",
              .help = "Instructions are aligned in order, equal texts first, then equal mnemonics "
                      "of the same line. Cycles are latency + idle "
                      "per traced wave, so that the changes of all instructions add up to the "
                      "change of a wave's life. A matched instruction "
                      "counts for its line in the later build. Both traces see one compute unit: "
                      "differences of other waves' contention are in "
                      "it, and the clock is not. For run time, measure: `bench`.",
              .fields = {{"before", Type::id, Unit::none, "first trace"},
                         {"after", Type::id, Unit::none, "second trace"},
                         {"before_cycles", Type::number, Unit::none, "latency + idle per wave"},
                         {"after_cycles", Type::number, Unit::none, "the same of the second"},
                         {"change_cycles", Type::number, Unit::none, "after - before"},
                         {"change_pct", Type::number, Unit::pct, "of before"},
                         {"before_waves", Type::number, Unit::none,
                          "by which its cycles were divided"},
                         {"after_waves", Type::number, Unit::none, "likewise"},
                         {"matched", Type::integer, Unit::count, "instructions of both"},
                         {"added", Type::integer, Unit::count, "only in the second"},
                         {"removed", Type::integer, Unit::count, "only in the first"},
                         {"change_by_cause", Type::record, Unit::none, "cycles per wave by cause"}},
              .columns =
                  {{"kind", Type::string, Unit::none,
                    "matched, added, removed; both: a line with several of these"},
                   {"before_line", Type::integer, Unit::none,
                    "in the first: number in the listing, or source line of what was removed"},
                   {"after_line", Type::integer, Unit::none, "in the second"},
                   {"before_cycles", Type::number, Unit::none, "per wave"},
                   {"after_cycles", Type::number, Unit::none, "per wave"},
                   {"change_cycles", Type::number, Unit::none, "after - before"},
                   {"instructions", Type::integer, Unit::count, "instructions in it"},
                   {"text", Type::string, Unit::none, "source line or disassembly"},
                   {"source", Type::string, Unit::none, "file:line, or the chain"}},
              .scalar = "change_cycles",
              .examples = {"att diff ATT ATT_AFTER", "att diff ATT ATT_AFTER --by inst --top 5"}},
          {arg("before", &AttDiffArgs::before, "first trace: a folder or att1")
               .required()
               .completes(Complete::file),
           arg("after", &AttDiffArgs::after, "second trace").required().completes(Complete::file),
           option("by", &AttDiffArgs::by, "what a row is").one_of({"line", "inst"}),
           option("top", &AttDiffArgs::top,
                  "rows to show, the largest changes first; 0 shows all")},
          att_diff));
}

}  // namespace rpl
