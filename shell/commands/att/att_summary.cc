// SPDX-License-Identifier: MIT
// att open, list and summary: what a thread trace says as a whole.
#include <fmt/format.h>

#include "engine/att/analyse/legacy.h"
#include "engine/base/numbers.h"
#include "engine/base/text.h"
#include "shell/commands/att/att_view.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/loaded.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace att {

constexpr auto kEngineFields = bound_to<EngineOccupancy>(
    column<&EngineOccupancy::events>("events", "starts and ends of waves"),
    column<&EngineOccupancy::cus>("cus", "compute units that got a wave"),
    column<&EngineOccupancy::peak_waves>("peak_waves", "most in flight"),
    column<&EngineOccupancy::avg_waves>("avg_waves", "mean in flight"),
    column<&EngineOccupancy::final_waves>("final_active", "in flight at the end"),
    column<&EngineOccupancy::span>("span", "from the first event to the last").in(Unit::cycles));
static Columns<EngineOccupancy> bound(const EngineOccupancy*) { return kEngineFields; }

}  // namespace att
namespace {

using att::Category;
using att::Cost;
using att::EngineOccupancy;
using att::Summary;
using att::ThreadTrace;
using att::UnitFacts;

std::uint64_t traced_waves(const ThreadTrace& trace) { return trace.manifest.waves.size(); }

struct AttPathArgs {
  std::string path;
};

constexpr auto kOpenedColumns = bound_to<OpenAtt>(
    column<&OpenAtt::value, &OpenThreadTrace::trace, &ThreadTrace::kernel>(
        "kernel", "the function with most executed instructions")
        .as(Type::kernel),
    column<&OpenAtt::value, &OpenThreadTrace::trace, &ThreadTrace::kind>("kind", "what it holds"),
    column<&OpenAtt::value, &OpenThreadTrace::trace, &traced_waves>("waves", "traced waves"),
    column<&OpenAtt::path>("path", "its folder or file"));

struct ListRow {
  AttEntry entry;
  bool current = false;
};
constexpr auto kListId =
    column<&ListRow::entry, &OpenAtt::id>("id", "name in this session").as(Type::id);
constexpr auto kOpenColumns =
    bound_to<ListRow>(kListId, through<kOpenedColumns, &ListRow::entry>());
constexpr auto kListColumns =
    bound_to<ListRow>(kListId, column<&ListRow::current>("current", "whether commands work on it"),
                      through<kOpenedColumns, &ListRow::entry>());

Result<Document> open_att(const AttPathArgs& args, Inputs inputs) {
  Document out;
  out.provenance = Provenance::recorded;
  std::vector<ListRow> rows;
  const std::vector<AttEntry> before = inputs.workspace.thread_traces.all();
  for (AttEntry& entry : TRY(open_thread_traces(inputs, args.path))) {
    const ThreadTrace& trace = *entry->value->trace;
    for (const std::string& note : trace.notes) out.notes.push_back(note);
    if (provenance_of(trace) == Provenance::modelled) out.provenance = Provenance::modelled;
    rows.push_back({std::move(entry)});
  }
  out.table(kOpenColumns, rows);
  out.next = {"att summary", "att lines", "att insts"};
  // Who opens a second trace of a kernel wants to know what became of it.
  const AttEntry& last = rows.back().entry;
  for (const AttEntry& entry : before) {
    if (entry != last && entry->value->trace->kernel() == last->value->trace->kernel())
      out.next = {"att summary", "list --against " + entry->id,
                  fmt::format("att diff {} {}", entry->id, last->id)};
  }
  return out;
}

Result<Document> list_att(const Workspace& workspace) {
  Document out;
  out.provenance = Provenance::recorded;
  std::vector<ListRow> rows;
  for (const AttEntry& entry : workspace.thread_traces.all()) {
    rows.push_back({entry, entry == workspace.thread_traces.current()});
    if (provenance_of(*entry->value->trace) == Provenance::modelled)
      out.provenance = Provenance::modelled;
  }
  out.table(kListColumns, rows);
  if (rows.empty()) out.notes.emplace_back("no thread trace is open; open one: att open DIR");
  return out;
}

struct AttSummaryArgs {
  std::string att;
  bool waves = false;
};

constexpr auto kTraceFields = bound_to<OpenAtt>(
    column<&OpenAtt::path>("path", "its folder or file"),
    column<&OpenAtt::value, &OpenThreadTrace::trace, &ThreadTrace::kernel>(
        "kernel", "the function with most executed instructions")
        .as(Type::kernel),
    column<&OpenAtt::value, &OpenThreadTrace::trace, &ThreadTrace::kind>(
        "kind", "thread trace; thread trace, statistics only; PC samples"),
    column<&OpenAtt::value, &OpenThreadTrace::trace, &ThreadTrace::device, &att::Device::name>(
        "architecture", "from agent_info.csv beside it; null when unknown")
        .or_null());

struct PipeCost {
  att::Cost cost;
  std::optional<double> hits_pct, latency_pct;
};
constexpr auto kPipeFields = bound_to<PipeCost>(
    column<&PipeCost::cost, &Cost::hits>("hits", "executions"),
    column<&PipeCost::cost, &Cost::latency>("latency", "wave-cycles, stall included"),
    column<&PipeCost::cost, &Cost::stall>("stall", "of these, in which it could not issue"),
    column<&PipeCost::hits_pct>("hits_pct", "of all executions"),
    column<&PipeCost::latency_pct>("latency_pct", "of the latency of all"));
Columns<PipeCost> bound(const PipeCost*) { return kPipeFields; }

ByName<PipeCost> mix_of(const Summary& summary) {
  att::Cost all;
  for (const att::Cost& cost : summary.mix) all += cost;
  ByName<PipeCost> out;
  for (std::size_t pipe = 0; pipe < att::kCategories; ++pipe) {
    const att::Cost& cost = summary.mix[pipe];
    if (cost.hits == 0) continue;
    out.emplace_back(
        to_string(static_cast<Category>(pipe)),
        PipeCost{cost, att::percent(cost.hits, all.hits), att::percent(cost.latency, all.latency)});
  }
  return out;
}

constexpr auto kClockField = bound_to<Summary>(column<&Summary::gfx_hz>(
    "gfx_clock_hz", "shader clock during the trace, from realtime.json; null without"));
constexpr auto kCycleFields = bound_to<Summary>(
    column<&Summary::totals, &Cost::hits>("hits", "instructions executed by the traced waves"),
    cycles<&Summary::totals, &Cost::latency>(
        "latency", "wave-cycles from the first attempt to the end of issue; includes stall"),
    cycles<&Summary::totals, &Cost::stall>(
        "stall", "of these, cycles in which the instruction could not issue"),
    cycles<&Summary::totals, &Cost::idle>("idle", "gaps before the first attempt"),
    column<&Summary::cycles>("wave_cycles", "latency + idle: the denominator of what follows"),
    column<+[](const Summary& all) { return all.of_cycles_pct(all.totals.stall); }>(
        "stall_pct", "100 stall / wave_cycles"),
    column<+[](const Summary& all) { return all.of_cycles_pct(all.totals.idle); }>(
        "idle_pct", "100 idle / wave_cycles"),
    column<+[](const Summary& all) { return all.of_cycles_pct(all.totals.issue()); }>(
        "issue_pct", "100 (latency - stall) / wave_cycles; includes the drain"),
    column<+[](const Summary& all) { return all.of_cycles_pct(all.drain); }>(
        "drain_pct", "100 (latency - stall) of s_endpgm / wave_cycles: outstanding stores"),
    column<+[](const Summary& all) { return all.of_cycles_pct(all.totals.issue() - all.drain); }>(
        "issue_without_drain_pct", "issue_pct - drain_pct"),
    column<+[](const Summary& all) { return att::percent(all.totals.stall, all.totals.latency); }>(
        "stall_of_latency_pct", "100 stall / latency"),
    column<&cycle_shares>("cycles_by_cause_pct",
                          "wave_cycles by cause: issue, drain, idle, waits by counter, barrier, "
                          "stalls by pipe; adds up to 100")
        .in(Unit::pct),
    column<&mix_of>("mix",
                    "hits, latency, stall and shares by pipe; with --waves branches are JUMP "
                    "(taken) and NEXT, else BRANCH"));
constexpr auto kUseFields = bound_to<Summary>(
    column<+[](const Summary& all) { return all.util_pct(Category::valu); }>(
        "valu_util_pct", "issue cycles of VALU / cycles in which its SIMD had a wave"),
    column<+[](const Summary& all) { return all.util_pct(Category::matrix); }>(
        "mfma_util_pct", "the same of matrix instructions"),
    column<&Summary::ipc>("ipc",
                          "instructions / cycles in which a traced compute unit had a wave"));
constexpr auto kWaveFields = bound_to<Summary>(
    column<&Summary::waves>("waves", "traced waves"),
    cycles<&Summary::wave_lifetime>("wave_lifetime", "sum of end - begin over the waves"));

std::optional<ByName<std::optional<double>>> state_shares(const Summary& summary) {
  if (!summary.states) return std::nullopt;
  std::int64_t whole = 0;
  for (const std::int64_t cycles : *summary.states) whole += cycles;
  ByName<std::optional<double>> shares;
  for (std::size_t state = 1; state < att::kWaveStates; ++state) {
    shares.emplace_back(
        att::wave_state_name(state),
        att::percent(static_cast<double>((*summary.states)[state]), static_cast<double>(whole)));
  }
  return shares;
}
std::optional<std::string> states_from(const Summary& summary) {
  return summary.states ? std::optional(summary.states_from) : std::nullopt;
}
constexpr auto kStateFields = bound_to<Summary>(
    column<&state_shares>("wave_state_pct",
                          "share of wave-cycles by state (EXEC, WAIT, STALL, IDLE); not the idle "
                          "above")
        .in(Unit::pct)
        .if_known(),
    column<&states_from>("wave_state_source", "wstates files, timelines or instructions")
        .if_known());

std::vector<std::pair<std::string, EngineOccupancy>> engines_of(const Summary& summary) {
  std::vector<std::pair<std::string, EngineOccupancy>> out;
  for (const EngineOccupancy& engine : summary.occupancy)
    out.emplace_back(fmt::format("se{}", engine.se), engine);
  return out;
}

constexpr auto kCoverageField = bound_to<Summary>(
    column<&Summary::coverage>(
        "coverage", "how much of the kernel this is: waves, compute units, shader engines"),
    column<&engines_of>("occupancy", "waves in flight by shader engine: peak, mean, span in cycles")
        .or_null()
        .if_known());

using att::WaveFacts;
ByName<att::LatencyStats> latencies_of(const WaveFacts& facts) {
  ByName<att::LatencyStats> out;
  for (std::size_t i = 0; i < att::kCounters; ++i) {
    if (facts.latencies[i].n > 0)
      out.emplace_back(to_string(static_cast<att::Counter>(i)), facts.latencies[i]);
  }
  return out;
}

struct WaitLists {
  std::uint64_t waves = 0, stored = 0, equal = 0;
};
constexpr auto kWaitListFields = bound_to<WaitLists>(
    column<&WaitLists::waves>("waves", "waves that were read"),
    column<&WaitLists::stored>("stored", "of these, with stored wait lists"),
    column<&WaitLists::equal>("rebuilt_equal", "of these, whose rebuilt list is equal"));
Columns<WaitLists> bound(const WaitLists*) { return kWaitListFields; }
WaitLists wait_lists(const WaveFacts& facts) {
  return {facts.waves, facts.stored_waits, facts.equal_waits};
}
constexpr auto kFactsFields = bound_to<WaveFacts>(
    column<&latencies_of>("memory_latency_cycles",
                          "with --waves: from issue to the end of the wait, by counter"),
    column<&wait_lists>("wait_lists",
                        "with --waves: waves whose stored wait lists equal the rebuilt ones"));

using att::Samples;
ByName<double> reasons_of(const Samples& samples) {
  ByName<double> out;
  for (std::size_t i = 0; i < samples.reasons.size(); ++i) {
    if (samples.reasons[i] > 0)
      out.emplace_back(att::stall_reason_name(i),
                       att::percent(samples.reasons[i], samples.count()).value_or(0));
  }
  return out;
}
constexpr auto kSampleFields = bound_to<Samples>(
    column<&Samples::count>("samples", "PC samples"),
    column<&issued_pct>("samples_issued_pct", "samples in which the wave issued"),
    column<&reasons_of>("stall_reasons_pct", "the other samples by reason, of all samples")
        .in(Unit::pct));

struct UnitRow {
  const att::UnitFacts* unit = nullptr;
  bool counted = false;

  [[nodiscard]] std::string name() const {
    return unit->cu ? fmt::format("se{}/cu{}", unit->se, *unit->cu) : fmt::format("se{}", unit->se);
  }
  [[nodiscard]] std::optional<std::uint64_t> instructions() const {
    return counted ? std::optional(unit->instructions) : std::nullopt;
  }
  template <class T>
  [[nodiscard]] std::optional<double> each_cycle(T count) const {
    if (unit->busy_cycles <= 0) return std::nullopt;
    return static_cast<double>(count) / static_cast<double>(unit->busy_cycles);
  }
  [[nodiscard]] std::optional<double> ipc() const {
    return counted ? each_cycle(unit->instructions) : std::nullopt;
  }
  [[nodiscard]] std::optional<double> avg_waves() const { return each_cycle(unit->wave_cycles); }
};
constexpr auto kUnitColumns = bound_to<UnitRow>(
    column<&UnitRow::name>("unit", "shader engine and compute unit").as(Type::id),
    column<&UnitRow::unit, &UnitFacts::waves>("waves", "its traced waves"),
    column<&UnitRow::unit, &UnitFacts::busy_cycles>("busy_cycles",
                                                    "cycles in which it had at least one"),
    column<&UnitRow::instructions>("instructions", "executed; of several units with --waves only"),
    column<&UnitRow::ipc>("ipc", "instructions / busy_cycles"),
    column<&UnitRow::avg_waves>("avg_waves", "traced waves at a time while busy"));

std::vector<UnitRow> units_of(const Summary& summary) {
  std::vector<UnitRow> rows;
  for (const att::UnitFacts& unit : summary.units)
    rows.push_back({&unit, summary.unit_instructions});
  return rows;
}

std::string heading_of(const AttEntry& entry, const att::WaveFacts* facts, const Summary& summary,
                       const Canvas& canvas) {
  const att::ThreadTrace& trace = *entry->value->trace;
  std::string text = one_line(entry);
  if (!trace.device.name.empty()) text += ", " + trace.device.name;
  if (summary.gfx_hz) text += fmt::format(", {:.0f} MHz", *summary.gfx_hz / 1e6);
  text += "\n";
  if (trace.kind == att::Kind::samples) return text + sample_bars(trace.code, canvas);
  text += "coverage: " + coverage_text(summary.coverage) + "\n\n" + cycle_bars(summary, canvas);
  const std::string strip = state_strip_text(trace, facts, summary, canvas);
  if (!strip.empty()) text += "\n" + strip;
  const std::string mix = mix_text(summary, canvas);
  if (!mix.empty()) text += "\n" + mix;
  if (summary.simd_busy > 0) {
    text += fmt::format(
        "\nVALU {}, MFMA {} of the cycles in which a SIMD had a wave; IPC of a compute unit "
        "{:.3f}\n",
        pct_text(summary.util_pct(Category::valu)), pct_text(summary.util_pct(Category::matrix)),
        summary.ipc().value_or(0));
  }
  return text;
}

void warn(const att::ThreadTrace& trace, const Summary& summary, Document& out) {
  for (const std::string& note : trace.notes) out.notes.push_back(note);
  if (trace.kind == att::Kind::samples) return;
  if (trace.code.rows.empty() && summary.totals.hits > 0)
    out.notes.emplace_back(
        "without a listing waits are not told from other internal instructions, and lines are "
        "unknown");
  if (summary.totals.hits == 0) {
    out.notes.emplace_back(
        "no instruction was traced: no wave ran on the traced compute unit. Raise the grid size, "
        "or record with "
        "--att-target-cu N, --att-shader-engine-mask 0x11111111, or HSA_CU_MASK");
  }
  for (const auto& [name, util] : {std::pair{"VALU", summary.util_pct(Category::valu)},
                                   {"MFMA", summary.util_pct(Category::matrix)}}) {
    if (util && *util > 100)
      out.notes.push_back(
          fmt::format("{} utilisation of {:.1f} % is impossible for one pipe: tokens of matrix "
                      "co-issue or of several pipes overlap",
                      name, *util));
  }
  if (trace.occupancy && trace.occupancy->packet_losses > 0)
    out.notes.push_back(
        fmt::format("the recorder lost packets {} times: waves and cycles are missing",
                    trace.occupancy->packet_losses));
  if (trace.gfxip() >= 10) {
    out.notes.emplace_back(
        "gfx10 and later: one SIMD of a WGP is traced, and latency ends with execution, not issue; "
        "unverified with a recording");
  }
}

Result<Document> att_summary(const AttSummaryArgs& args, Inputs inputs, Screen screen) {
  const AttEntry entry = TRY(thread_trace_named(inputs, args.att));
  const att::ThreadTrace& trace = *entry->value->trace;
  // Only the wave files know what the small files beside them lack.
  std::shared_ptr<const att::WaveFacts> facts = TRY(needed_wave_facts(inputs, entry, true));
  const bool needed = facts != nullptr;
  if (args.waves && !needed && !trace.manifest.waves.empty())
    facts = TRY(wave_facts_of(inputs, entry));
  const Summary summary = att::summarise(trace, facts.get());
  Document out;
  out.put(kAttId, *entry);
  out.put(kTraceFields, *entry);
  out.put(kClockField, summary);
  if (trace.code.timed) out.put(kCycleFields, summary);
  if (trace.code.timed) out.put(kUseFields, summary);
  out.put(kWaveFields, summary);
  out.put(kStateFields, summary);
  out.put(kCoverageField, summary);
  if (facts) out.put(kFactsFields, *facts);
  if (facts) out.notes = facts->notes;
  if (!trace.code.samples.empty()) out.put(kSampleFields, all_samples(trace.code));
  out.table(kUnitColumns, units_of(summary));
  warn(trace, summary, out);
  if (needed && trace.states.empty())
    out.notes.push_back(
        fmt::format("wave states are from the {}, for lack of wstates files", summary.states_from));
  (out.rows.empty() ? out.text : out.heading) = heading_of(entry, facts.get(), summary, screen);
  out.provenance = provenance_of(trace);
  if (!trace.manifest.model.empty())
    out.notes.push_back("modelled, not recorded: " + trace.manifest.modelled_what);
  out.next = {"att lines", "att insts", "att waits"};
  return out;
}

constexpr const char* kSummaryHelp =
    "Cycles are shader-clock cycles of waves: two waves that wait for a cycle make two. Read from "
    "the listing and the small files "
    "beside it; `--waves` also reads every wave file, for taken and untaken branches, memory "
    "latencies, and instructions by compute unit. A thread "
    "trace sees one compute unit of each traced shader engine, and slows the kernel down: it shows "
    "patterns, never run time. "
    "docs/thread-traces.md says how each number is made.";

}  // namespace

void add_att_commands(Registry& registry) {
  add(registry,
      command(
          Command{.path = "att open",
                  .does = kKeeps,
                  .chapter = Class::analysis,
                  .summary = "Open the thread traces at or below a path.",
                  .help = "Takes a decoded ui_output folder, a folder above several, a "
                          "stats_ui_output CSV file, or PC samples "
                          "(CSV, or the results JSON of rocprofv3). They become att1, att2, …; the "
                          "last is current. What cannot be read "
                          "is a note, and the rest is used.",
                  .columns = described(kOpenColumns),
                  .scalar = "id",
                  .examples = {"att open ATT"},
                  .changes_program = true},
          {arg("path", &AttPathArgs::path, "folder or file").required().completes(Complete::file)},
          open_att));
  add(registry,
      command(
          Command{.path = "att list",
                  .does = kReads,
                  .chapter = Class::analysis,
                  .summary = "List the open thread traces.",
                  .help = "They are opened by `att open`, `open`, and by naming them in a command.",
                  .columns = described(kListColumns),
                  .scalar = "id",
                  .aliases = {"info att"},
                  .examples = {"att list"}},
          list_att));
  add(registry,
      command(Command{.path = "att summary",
                      .does = kReads,
                      .chapter = Class::analysis,
                      .summary = "Show where the cycles of the traced waves went.",
                      .help = kSummaryHelp,
                      .fields = described({kAttId, kTraceFields, kClockField, kCycleFields,
                                           kStateFields, kUseFields, kWaveFields, kCoverageField,
                                           kFactsFields, kSampleFields}),
                      .columns = described(kUnitColumns),
                      .scalar = "stall_pct",
                      .examples = {"att summary ATT", "att summary ATT --waves"}},
              {arg("att", &AttSummaryArgs::att,
                   "thread trace: a folder or att1; the current one without")
                   .completes(Complete::file),
               flag("waves", &AttSummaryArgs::waves, "read the wave files too")},
              att_summary));
}

}  // namespace rpl
