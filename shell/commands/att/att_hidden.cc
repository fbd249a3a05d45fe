// SPDX-License-Identifier: MIT
// att hidden: which stalls cost nothing because the SIMD was busy with other waves.
#include <fmt/format.h>

#include <algorithm>

#include "engine/att/analyse/hidden.h"
#include "engine/att/analyse/summary.h"
#include "engine/base/text_layout.h"
#include "engine/base/units.h"
#include "shell/commands/att/att_heat.h"
#include "shell/commands/att/att_view.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/loaded.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/session/context.h"

namespace rpl {
namespace {

struct AttHiddenArgs {
  std::string att;
  std::int64_t top = 10;
};

Value hidden_pct(const att::HiddenCycles& cycles) {
  const auto pct =
      att::percent(static_cast<double>(cycles.hidden), static_cast<double>(cycles.all));
  return pct ? Value(*pct) : Value();
}

std::string hidden_line(std::string_view name, const att::HiddenCycles& cycles) {
  const auto pct =
      att::percent(static_cast<double>(cycles.hidden), static_cast<double>(cycles.all));
  return fmt::format("  {:<6}{:>16} {:>16} {:>16}  {:>8}\n", name, format_count(cycles.all),
                     format_count(cycles.hidden), format_count(cycles.exposed()), pct_text(pct));
}

std::string hidden_text(const att::ThreadTrace& trace, const att::HiddenFacts& facts,
                        const std::vector<std::uint32_t>& order, double exposed,
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
  for (const std::uint32_t at : order) {
    const att::HiddenCycles& cycles = facts.rows[at];
    const auto share = [](double part, double whole) {
      return att::percent(part, whole).value_or(0);
    };
    text += fmt::format("{:>6.2f} % {:>7.2f} % {:>13} {:>6}  {}\n",
                        share(static_cast<double>(cycles.exposed()), exposed),
                        share(static_cast<double>(cycles.hidden), static_cast<double>(cycles.all)),
                        format_count(cycles.exposed()), trace.code.rows[at].line,
                        elide_middle(trace.code.rows[at].text, rest));
  }
  return text;
}

Result<Document> att_hidden(Context& context, const AttHiddenArgs& args) {
  const AttEntry entry = TRY(thread_trace_named(context, args.att));
  const att::ThreadTrace& trace = *entry->value->trace;
  if (trace.manifest.waves.empty()) {
    return fail(
        Errc::not_found,
        fmt::format("{} has no wave files, which alone say what ran at the same time", entry->id),
        "open the decoded ui_output folder, not the CSV file");
  }
  const att::HiddenFacts facts = TRY(att::hidden_cycles(trace, context.monitor()));
  std::vector<std::uint32_t> order;
  for (std::uint32_t at = 0; at < facts.rows.size(); ++at) {
    if (facts.rows[at].all > 0) order.push_back(at);
  }
  std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
    return facts.rows[a].exposed() > facts.rows[b].exposed();
  });
  const std::size_t all = order.size();
  if (args.top > 0) order.resize(std::min(all, static_cast<std::size_t>(args.top)));
  const auto exposed = static_cast<double>(facts.stall.exposed() + facts.idle.exposed());
  Document out;
  out.set("id", entry->id);
  out.set("waves", facts.waves);
  for (const auto& [name, cycles] :
       {std::pair<const char*, const att::HiddenCycles&>{"stall", facts.stall},
        {"idle", facts.idle},
        {"issue", facts.issue}}) {
    out.set(name, cycles.all);
    out.set(fmt::format("{}_hidden_pct", name), hidden_pct(cycles));
  }
  const auto lives = static_cast<double>(facts.stall.all + facts.idle.all + facts.issue.all);
  const auto exposed_pct = att::percent(exposed, lives);
  out.set("exposed_pct", exposed_pct ? Value(*exposed_pct) : Value());
  for (const std::uint32_t at : order) {
    const att::Instruction& row = trace.code.rows[at];
    const att::HiddenCycles& cycles = facts.rows[at];
    const auto share = att::percent(static_cast<double>(cycles.exposed()), exposed);
    out.rows.push_back({Value(row.line), Value(row.text),
                        row.source.empty() ? Value() : Value(row.source), Value(cycles.all),
                        Value(cycles.hidden), Value(cycles.exposed()),
                        share ? Value(*share) : Value()});
  }
  if (order.size() < all) out.total_rows = all;
  out.text = one_line(entry) + "\n" + hidden_text(trace, facts, order, exposed, canvas_of(context));
  if (order.size() < all)
    out.text += fmt::format("({} of {}; --top 0 shows all)\n", order.size(), all);
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
          Command{
              .path = "att hidden",
              .chapter = Class::analysis,
              .summary = "Show which stalls were hidden behind other work of the SIMD.",
              .help = "A wave that stalls costs nothing while the SIMD works on others. Stall and "
                      "idle cycles of an instruction count as hidden while a "
                      "pipe of its rank or above is busy on its SIMD (matrix, then VALU, then "
                      "vector memory and LDS, then scalar; waits and branches are "
                      "hidden by any). Many stalls of which most are hidden are no bottleneck. "
                      "Reads all wave files twice. docs/thread-traces.md has "
                      "the rule.",
              .fields = {{"id", Type::id, Unit::none, "name of the trace in this session"},
                         {"waves", Type::integer, Unit::count, "waves that were read"},
                         {"stall", Type::integer, Unit::cycles, "wave-cycles"},
                         {"stall_hidden_pct", Type::number, Unit::pct, "of them, hidden"},
                         {"idle", Type::integer, Unit::cycles, "gaps before the first attempt"},
                         {"idle_hidden_pct", Type::number, Unit::pct, "of them, hidden"},
                         {"issue", Type::integer, Unit::cycles, "latency - stall"},
                         {"issue_hidden_pct", Type::number, Unit::pct,
                          "of them, while a pipe above was busy"},
                         {"exposed_pct", Type::number, Unit::pct,
                          "stall and idle that nothing hid, of all wave-cycles"}},
              .columns = {{"line", Type::integer, Unit::none, "number in the listing"},
                          {"text", Type::string, Unit::none, "disassembly"},
                          {"source", Type::string, Unit::none, "file:line, or the inlined chain"},
                          {"cycles", Type::integer, Unit::cycles, "its stall and idle"},
                          {"hidden", Type::integer, Unit::cycles, "of these"},
                          {"exposed", Type::integer, Unit::cycles, "the rest"},
                          {"exposed_pct", Type::number, Unit::pct, "of all that is exposed"}},
              .scalar = "stall_hidden_pct",
              .examples = {"att hidden ATT", "att hidden ATT --top 3"}},
          {arg("att", &AttHiddenArgs::att, "thread trace; the current one without")
               .completes(Complete::file),
           option("top", &AttHiddenArgs::top, "instructions to show; 0 shows all")},
          att_hidden));
}

}  // namespace rpl
