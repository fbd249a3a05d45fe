// SPDX-License-Identifier: MIT
// att diff: what changed between two builds of a kernel, by line and by instruction.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/att/analyse/diff.h"
#include "engine/base/one_line.h"
#include "engine/base/text.h"
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
  std::string kind;  ///< matched, added, removed; of a line: both, added, removed
  std::optional<std::int64_t> before_line,
      after_line;  ///< numbers in the listings, or source lines
  std::string text, source;
  double before = 0, after = 0;
  std::uint64_t instructions = 0;

  [[nodiscard]] double change() const { return after - before; }
};

constexpr auto kChangeColumns = bound_to<Change>(
    column<&Change::kind>("kind", "matched, added, removed; both: a line with several of these"),
    unitless<&Change::before_line>(
        "before_line", "in the first: number in the listing, or source line of what was removed"),
    unitless<&Change::after_line>("after_line", "in the second"),
    unitless<&Change::before>("before_cycles", "per wave"),
    unitless<&Change::after>("after_cycles", "per wave"),
    unitless<&Change::change>("change_cycles", "after - before"),
    column<&Change::instructions>("instructions", "instructions in it"),
    column<&Change::text>("text", "source line or disassembly").or_null(),
    column<&Change::source>("source", "file:line, or the chain").or_null());

constexpr auto kBeforeFields =
    bound_to<OpenAtt>(column<&OpenAtt::id>("before", "first trace").as(Type::id));
constexpr auto kAfterFields =
    bound_to<OpenAtt>(column<&OpenAtt::id>("after", "second trace").as(Type::id));

using att::TraceDiff;
std::optional<double> change_pct(const TraceDiff& diff) {
  return att::percent(diff.change(), diff.before_cycles);
}

constexpr auto kDiffFields = bound_to<TraceDiff>(
    unitless<&TraceDiff::before_cycles>("before_cycles", "latency + idle per wave"),
    unitless<&TraceDiff::after_cycles>("after_cycles", "the same of the second"),
    unitless<&TraceDiff::change>("change_cycles", "after - before"),
    column<&change_pct>("change_pct", "of before"),
    column<&TraceDiff::before_waves>("before_waves", "by which its cycles were divided"),
    column<&TraceDiff::after_waves>("after_waves", "likewise"),
    column<&TraceDiff::matched>("matched", "instructions of both"),
    column<&TraceDiff::added>("added", "only in the second"),
    column<&TraceDiff::removed>("removed", "only in the first"),
    column<&TraceDiff::change_by_cause>("change_by_cause", "cycles per wave by cause"));

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
    if (row.before != att::CodeTable::kNone) change.before_line = before.code.rows[row.before].line;
    if (has_after) change.after_line = shown.line;
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
    if (!place.file.empty()) (gone ? change.before_line : change.after_line) = place.line;
    change.before += row.before_cycles;
    change.after += row.after_cycles;
    ++change.instructions;
  }
  std::vector<Change> out;
  for (auto& [place, change] : lines) out.push_back(std::move(change));
  return out;
}

std::string signed_number(double value) { return fmt::format("{:+.1f}", value); }

std::string diff_text(const TraceDiff& diff, const std::vector<Change>& changes,
                      const AttEntry& before, const AttEntry& after, const Canvas& canvas) {
  std::string text = fmt::format("before  {}\nafter   {}\n", one_line(before), one_line(after));
  text += fmt::format("a wave lives {:.0f} cycles, before {:.0f}: {} ({:+.1f} %)\n",
                      diff.after_cycles, diff.before_cycles, signed_number(diff.change()),
                      diff.before_cycles > 0 ? *change_pct(diff) : 0);
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
        chain.empty() ? "(no source)"
                      : on_one_line(fmt::format("{}:{}", att::file_name_of(chain.front().file),
                                                chain.front().line));
    std::string line = fmt::format("{:>10.1f} {:>10.1f} {:>10}  {:<8} {}  {}", one.before,
                                   one.after, signed_number(one.change()), one.kind,
                                   fitted(place, 16), elide_middle(one.text, rest));
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

Result<Document> att_diff(const AttDiffArgs& args, Inputs inputs, Screen screen) {
  const AttEntry before = TRY(thread_trace_named(inputs, args.before));
  const AttEntry after = TRY(thread_trace_named(inputs, args.after));
  const TraceDiff diff = TRY(att::diff_traces(*before->value->trace, *after->value->trace));
  auto changes = args.by == "inst"
                     ? by_instruction(diff, *before->value->trace, *after->value->trace)
                     : by_line(diff, *before->value->trace, *after->value->trace);
  std::ranges::stable_sort(changes, [](const Change& a, const Change& b) {
    return std::abs(a.change()) > std::abs(b.change());
  });
  Document out;
  out.put(kBeforeFields, *before);
  out.put(kAfterFields, *after);
  out.put(kDiffFields, diff);
  out.table(kChangeColumns, changes, args.top);
  const std::size_t all = changes.size();
  changes.resize(out.rows.size());
  out.notes = diff.notes;
  out.text = diff_text(diff, changes, before, after, screen);
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
              .does = kReads,
              .chapter = Class::analysis,
              .summary = "Say where two builds of a kernel differ in cycles.",
              .help = "Instructions are aligned in order, equal texts first, then equal mnemonics "
                      "of the same line. Cycles are latency + idle "
                      "per traced wave, so that the changes of all instructions add up to the "
                      "change of a wave's life. A matched instruction "
                      "counts for its line in the later build. Both traces see one compute unit: "
                      "differences of other waves' contention are in "
                      "it, and the clock is not. For run time, measure: `bench`.",
              .fields = described({kBeforeFields, kAfterFields, kDiffFields}),
              .columns = described(kChangeColumns),
              .scalar = "change_cycles",
              .examples = {"att diff ATT ATT_AFTER", "att diff ATT ATT_AFTER --by inst --top 5"}},
          {arg("before", &AttDiffArgs::before, "first trace: a folder or att1")
               .required()
               .completes(Complete::file),
           arg("after", &AttDiffArgs::after, "second trace").required().completes(Complete::file),
           option("by", &AttDiffArgs::by, "what a row is").one_of({"line", "inst"}),
           option("top", &AttDiffArgs::top, "rows to show, the largest changes first; 0 shows all")
               .in(at_least(0))},
          att_diff));
}

}  // namespace rpl
