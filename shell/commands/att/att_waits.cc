// SPDX-License-Identifier: MIT
// att waits: which instructions waits waited for, and for how long.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/numbers.h"
#include "engine/base/one_line.h"
#include "engine/base/text.h"
#include "shell/commands/att/att_heat.h"
#include "shell/commands/att/att_view.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/loaded.h"
#include "shell/core/inputs/opened.h"

namespace rpl {
namespace {

struct AttWaitsArgs {
  std::string att;
  std::int64_t top = 10;
};

/// A wait with what it waited for, the pair that exposed most first.
struct WaitGroup {
  std::uint32_t row = 0;
  std::vector<att::WaitPair> pairs;
};

std::vector<WaitGroup> grouped_waits(const att::ThreadTrace& trace, const att::WaveFacts& facts) {
  std::vector<WaitGroup> groups;
  for (std::uint32_t row = 0; row < trace.code.rows.size(); ++row) {
    if (trace.code.rows[row].traits.wait && facts.rows[row].hits > 0)
      groups.push_back({.row = row, .pairs = {}});
  }
  for (const att::WaitPair& pair : facts.pairs) {
    const auto group = std::ranges::lower_bound(groups, pair.wait_row, {}, &WaitGroup::row);
    if (group != groups.end() && group->row == pair.wait_row) group->pairs.push_back(pair);
  }
  for (WaitGroup& group : groups)
    std::ranges::stable_sort(group.pairs,
                             [](const auto& a, const auto& b) { return a.exposed > b.exposed; });
  std::ranges::stable_sort(groups, [&](const WaitGroup& a, const WaitGroup& b) {
    return facts.rows[a.row].stall > facts.rows[b.row].stall;
  });
  return groups;
}

double mean_latency(const att::WaitPair& pair) {
  return pair.times == 0 ? 0
                         : static_cast<double>(pair.latency_sum) / static_cast<double>(pair.times);
}

struct WaitsFacts {
  std::uint64_t waits = 0;
  std::optional<double> stall_pct;
};
constexpr auto kWaitsFields = bound_to<WaitsFacts>(
    column<&WaitsFacts::waits>("waits", "wait instructions that were executed"),
    column<&WaitsFacts::stall_pct>("stall_pct", "their stall, of the stall of all instructions"));

using att::Cost;
using att::Instruction;
using att::WaitPair;

/// A wait and one instruction that it waited for, if there is one.
struct WaitRow {
  const Instruction* wait = nullptr;
  const Cost* cost = nullptr;
  double stall_pct = 0;
  const Instruction* source = nullptr;
  const WaitPair* pair = nullptr;
};
constexpr auto kWaitColumns = bound_to<WaitRow>(
    unitless<&WaitRow::wait, &Instruction::line>("wait_line", "the wait's number in the listing"),
    column<&WaitRow::wait, &Instruction::text>("wait", "the wait"),
    column<&WaitRow::wait, &Instruction::source>("source", "its source line or chain").or_null(),
    column<&WaitRow::cost, &Cost::hits>("hits", "its executions"),
    cycles<&WaitRow::cost, &Cost::stall>("stall", "wave-cycles in which it waited"),
    column<&WaitRow::stall_pct>("stall_pct", "of the stall of all instructions"),
    unitless<&WaitRow::source, &Instruction::line>(
        "line", "number of an instruction that it waited for; null for none"),
    column<&WaitRow::source, &Instruction::text>("text", "that instruction"),
    column<&WaitRow::pair, &WaitPair::times>("times", "how often it waited for it"),
    unitless<&WaitRow::pair, &mean_latency>("latency_cycles",
                                            "mean from issue to the end of the wait"),
    cycles<&WaitRow::pair, &WaitPair::exposed>("exposed",
                                               "stall of the waits in which it was the youngest"));

std::string waits_text(const att::ThreadTrace& trace, const att::WaveFacts& facts,
                       const std::vector<WaitGroup>& groups, double all_stall,
                       const Canvas& canvas) {
  constexpr std::size_t kShownDeps = 4, kHead = 39;
  constexpr std::size_t kHeadOfPair = kHead + 2;  // 18 + 1 + 12 + 1 + 5 + 2, and the sign
  const std::size_t rest = canvas.width > kHeadOfPair + 20 ? canvas.width - kHeadOfPair : 20;
  SourceLines sources(trace);
  std::string text = "   stall      mean     executed  line  wait, and what it waited for\n";
  for (const WaitGroup& group : groups) {
    const att::Instruction& wait = trace.code.rows[group.row];
    const att::Cost& cost = facts.rows[group.row];
    text += fmt::format("{:>6.2f} % {:>9.1f} {:>12} {:>5}  {}",
                        att::percent(static_cast<double>(cost.stall), all_stall).value_or(0),
                        static_cast<double>(cost.stall) / static_cast<double>(cost.hits),
                        format_count(cost.hits), wait.line, wait.text);
    const auto chain = att::chain_of(wait.source);
    if (!chain.empty())
      text += on_one_line(
          fmt::format("   {}:{}", att::file_name_of(chain.front().file), chain.front().line));
    text += "\n";
    for (std::size_t i = 0; i < group.pairs.size(); ++i) {
      if (i == kShownDeps) {
        text += fmt::format("{:>{}}and {} more\n", "", kHead, group.pairs.size() - i);
        break;
      }
      const att::WaitPair& pair = group.pairs[i];
      const att::Instruction& row = trace.code.rows[pair.row];
      text += fmt::format("{:>18.1f} {:>12} {:>5}  {}{}\n", mean_latency(pair),
                          format_count(pair.times), row.line, canvas.unicode ? "└ " : "- ",
                          elide_middle(row.text, rest));
    }
  }
  return text;
}

Result<Document> att_waits(const AttWaitsArgs& args, Inputs inputs, Screen screen) {
  const AttEntry entry = TRY(thread_trace_named(inputs, args.att));
  const att::ThreadTrace& trace = *entry->value->trace;
  if (trace.manifest.waves.empty()) {
    return fail(
        Errc::not_found,
        fmt::format("{} has no wave files, which alone say what waits waited for", entry->id),
        "'att insts' shows what each wait cost");
  }
  const auto facts = TRY(wave_facts_of(inputs, entry));
  std::vector<WaitGroup> groups = grouped_waits(trace, *facts);
  const std::size_t all = groups.size();
  double stall = 0, waited = 0;
  for (const att::Cost& row : facts->rows) stall += static_cast<double>(row.stall);
  for (const WaitGroup& group : groups) waited += static_cast<double>(facts->rows[group.row].stall);
  if (args.top > 0) groups.resize(std::min(all, static_cast<std::size_t>(args.top)));
  Document out;
  const auto share = att::percent(waited, stall);
  out.put(kAttId, *entry);
  out.put(kWaitsFields, WaitsFacts{all, share});
  std::vector<WaitRow> rows;
  for (const WaitGroup& group : groups) {
    const att::Cost& cost = facts->rows[group.row];
    const WaitRow wait{&trace.code.rows[group.row], &cost,
                       att::percent(static_cast<double>(cost.stall), stall).value_or(0)};
    if (group.pairs.empty()) rows.push_back(wait);
    for (const att::WaitPair& pair : group.pairs) {
      rows.push_back(wait);
      rows.back().source = &trace.code.rows[pair.row];
      rows.back().pair = &pair;
    }
  }
  out.table(kWaitColumns, rows);
  out.text = fmt::format(
      "{}\nwaits are {} of all stall. Mean cycles from the issue of an instruction to the "
      "end of the wait: exact for the youngest waited for, an upper bound for others\n",
      one_line(entry), pct_text(share));
  out.text += waits_text(trace, *facts, groups, stall, screen);
  if (groups.size() < all)
    out.text += fmt::format("({} of {} waits; --top 0 shows all)\n", groups.size(), all);
  for (const std::string& note : facts->notes) out.notes.push_back(note);
  out.provenance = provenance_of(trace);
  out.next = {"att insts --waits", "att lines"};
  return out;
}

}  // namespace

void add_att_wait_commands(Registry& registry) {
  add(registry,
      command(
          Command{.path = "att waits",
                  .does = kReads,
                  .chapter = Class::analysis,
                  .summary = "Show which instructions waits waited for, and for how long.",
                  .help = "The counters of the hardware (vmcnt, lgkmcnt and their successors) are "
                          "followed through every wave, so that each wait is "
                          "joined to the loads, stores and LDS operations that it waited for. The "
                          "whole stall of a wait is put down to the youngest "
                          "of them (`exposed`). Reads all wave files.",
                  .fields = described({kAttId, kWaitsFields}),
                  .columns = described(kWaitColumns),
                  .scalar = "wait",
                  .examples = {"att waits ATT", "att waits ATT --top 2"}},
          {arg("att", &AttWaitsArgs::att, "thread trace; the current one without")
               .completes(Complete::file),
           option("top", &AttWaitsArgs::top, "waits to show; 0 shows all").in(at_least(0))},
          att_waits));
}

}  // namespace rpl
