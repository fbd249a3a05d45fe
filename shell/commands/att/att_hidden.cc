// SPDX-License-Identifier: MIT
// att hidden: which stalls cost nothing because the SIMD was busy with other waves.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "engine/att/analyse/hidden.h"
#include "engine/att/analyse/summary.h"
#include "engine/base/numbers.h"
#include "engine/base/text.h"
#include "shell/commands/att/att_heat.h"
#include "shell/commands/att/att_view.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/loaded.h"
#include "shell/core/inputs/opened.h"

namespace rpl {
namespace {

struct AttHiddenArgs {
  std::string att;
  std::int64_t top = 10;
};

using att::HiddenCycles;
using att::HiddenFacts;
using att::Instruction;

std::optional<double> hidden_pct(const HiddenCycles& cycles) {
  return att::percent(cycles.hidden, cycles.all);
}
std::uint64_t exposed_in(const HiddenFacts& facts) {
  return facts.stall.exposed() + facts.idle.exposed();
}
std::optional<double> exposed_pct(const HiddenFacts& facts) {
  return att::percent(exposed_in(facts), facts.stall.all + facts.idle.all + facts.issue.all);
}

constexpr auto kHiddenFields = bound_to<HiddenFacts>(
    column<&HiddenFacts::waves>("waves", "waves that were read"),
    cycles<&HiddenFacts::stall, &HiddenCycles::all>("stall", "wave-cycles"),
    column<&HiddenFacts::stall, &hidden_pct>("stall_hidden_pct", "of them, hidden"),
    cycles<&HiddenFacts::idle, &HiddenCycles::all>("idle", "gaps before the first attempt"),
    column<&HiddenFacts::idle, &hidden_pct>("idle_hidden_pct", "of them, hidden"),
    cycles<&HiddenFacts::issue, &HiddenCycles::all>("issue", "latency - stall"),
    column<&HiddenFacts::issue, &hidden_pct>("issue_hidden_pct",
                                             "of them, while a pipe above was busy"),
    column<&exposed_pct>("exposed_pct", "stall and idle that nothing hid, of all wave-cycles"));

struct HiddenRow {
  const att::Instruction* row = nullptr;
  HiddenCycles cycles;
  std::optional<double> exposed_pct;
};

constexpr auto kHiddenColumns = bound_to<HiddenRow>(
    unitless<&HiddenRow::row, &Instruction::line>("line", "number in the listing"),
    column<&HiddenRow::row, &Instruction::text>("text", "disassembly"),
    column<&HiddenRow::row, &Instruction::source>("source", "file:line, or the inlined chain")
        .or_null(),
    cycles<&HiddenRow::cycles, &HiddenCycles::all>("cycles", "its stall and idle"),
    cycles<&HiddenRow::cycles, &HiddenCycles::hidden>("hidden", "of these"),
    cycles<&HiddenRow::cycles, &HiddenCycles::exposed>("exposed", "the rest"),
    column<&HiddenRow::exposed_pct>("exposed_pct", "of all that is exposed"));

std::string hidden_line(std::string_view name, const HiddenCycles& cycles) {
  return fmt::format("  {:<6}{:>16} {:>16} {:>16}  {:>8}\n", name, format_count(cycles.all),
                     format_count(cycles.hidden), format_count(cycles.exposed()),
                     pct_text(hidden_pct(cycles)));
}

std::string hidden_text(const HiddenFacts& facts, const std::vector<HiddenRow>& rows,
                        const Canvas& canvas) {
  std::string text = fmt::format("  {:<6}{:>16} {:>16} {:>16}  {:>8}\n", "", "wave-cycles",
                                 "hidden", "exposed", "hidden");
  text += hidden_line("stall", facts.stall) + hidden_line("idle", facts.idle) +
          hidden_line("issue", facts.issue);
  text +=
      "\nstall and idle that nothing hid, by instruction\n exposed    hidden        cycles   line  "
      "instruction\n";
  constexpr std::size_t kTaken = 41;
  const std::size_t rest = canvas.width > kTaken + 20 ? canvas.width - kTaken : 20;
  for (const auto& [row, cycles, exposed_pct] : rows) {
    text += fmt::format("{:>6.2f} % {:>7.2f} % {:>13} {:>6}  {}\n", exposed_pct.value_or(0),
                        hidden_pct(cycles).value_or(0), format_count(cycles.exposed()), row->line,
                        elide_middle(row->text, rest));
  }
  return text;
}

Result<Document> att_hidden(const AttHiddenArgs& args, Inputs inputs, Screen screen) {
  const AttEntry entry = TRY(thread_trace_named(inputs, args.att));
  const att::ThreadTrace& trace = *entry->value->trace;
  if (trace.manifest.waves.empty()) {
    return fail(
        Errc::not_found,
        fmt::format("{} has no wave files, which alone say what ran at the same time", entry->id),
        "open the decoded ui_output folder, not the CSV file");
  }
  const HiddenFacts facts = TRY(att::hidden_cycles(trace, inputs.monitor));
  std::vector<HiddenRow> rows;
  for (std::size_t at = 0; at < facts.rows.size(); ++at) {
    const HiddenCycles& cycles = facts.rows[at];
    if (cycles.all > 0)
      rows.push_back(
          {&trace.code.rows[at], cycles, att::percent(cycles.exposed(), exposed_in(facts))});
  }
  std::ranges::stable_sort(rows, std::greater(),
                           [](const HiddenRow& row) { return row.cycles.exposed(); });
  Document out;
  out.put(kAttId, *entry);
  out.put(kHiddenFields, facts);
  out.table(kHiddenColumns, rows, args.top);
  const std::size_t all = rows.size();
  rows.resize(out.rows.size());
  out.text = one_line(entry) + "\n" + hidden_text(facts, rows, screen);
  if (rows.size() < all)
    out.text += fmt::format("({} of {}; --top 0 shows all)\n", rows.size(), all);
  out.notes = facts.notes;
  if (trace.gfxip() < 10) {
    out.notes.emplace_back(
        "on gfx9 a pipe counts as busy while instructions issue, not while they execute: "
        "what is hidden is a lower bound");
  }
  out.provenance = Provenance::estimated;
  out.next = {"att waits", "att insts", "occupancy"};
  return out;
}

}  // namespace

void add_att_hidden_commands(Registry& registry) {
  add(registry,
      command(
          Command{.path = "att hidden",
                  .does = kReads,
                  .chapter = Class::analysis,
                  .summary = "Show which stalls were hidden behind other work of the SIMD.",
                  .help =
                      "A wave that stalls costs nothing while the SIMD works on others. Stall and "
                      "idle cycles of an instruction count as hidden while a "
                      "pipe of its rank or above is busy on its SIMD (matrix, then VALU, then "
                      "vector memory and LDS, then scalar; waits and branches are "
                      "hidden by any). Many stalls of which most are hidden are no bottleneck. "
                      "Reads all wave files twice. docs/thread-traces.md has "
                      "the rule.",
                  .fields = described({kAttId, kHiddenFields}),
                  .columns = described(kHiddenColumns),
                  .scalar = "stall_hidden_pct",
                  .examples = {"att hidden ATT", "att hidden ATT --top 3"}},
          {arg("att", &AttHiddenArgs::att, "thread trace; the current one without")
               .completes(Complete::file),
           option("top", &AttHiddenArgs::top, "instructions to show; 0 shows all").in(at_least(0))},
          att_hidden));
}

}  // namespace rpl
