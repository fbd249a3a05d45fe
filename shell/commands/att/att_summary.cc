// SPDX-License-Identifier: MIT
// att open, list and summary: what a thread trace says as a whole.
#include <fmt/format.h>

#include "engine/att/analyse/legacy.h"
#include "engine/base/text_layout.h"
#include "engine/base/units.h"
#include "shell/commands/att/att_view.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/loaded.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/session/context.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace {

using att::Category;
using att::Summary;

struct AttPathArgs {
  std::string path;
};

Result<Document> open_att(Context& context, const AttPathArgs& args) {
  Document out;
  out.provenance = Provenance::recorded;
  for (const AttEntry& entry : TRY(open_thread_traces(context, args.path))) {
    const att::ThreadTrace& trace = *entry->value->trace;
    out.rows.push_back({Value(entry->id), Value(trace.kernel()), Value(to_string(trace.kind)),
                        Value(std::uint64_t{trace.manifest.waves.size()}), Value(entry->path)});
    for (const std::string& note : trace.notes) out.notes.push_back(note);
    if (provenance_of(trace) == Provenance::modelled) out.provenance = Provenance::modelled;
  }
  out.next = {"att summary", "att lines", "att insts"};
  return out;
}

Result<Document> list_att(Context& context) {
  Document out;
  out.provenance = Provenance::recorded;
  for (const AttEntry& entry : context.workspace().thread_traces.all()) {
    const att::ThreadTrace& trace = *entry->value->trace;
    out.rows.push_back({Value(entry->id),
                        Value(entry == context.workspace().thread_traces.current()),
                        Value(trace.kernel()), Value(to_string(trace.kind)),
                        Value(std::uint64_t{trace.manifest.waves.size()}), Value(entry->path)});
    if (provenance_of(trace) == Provenance::modelled) out.provenance = Provenance::modelled;
  }
  if (out.rows.empty()) out.notes.emplace_back("no thread trace is open; open one: att open DIR");
  return out;
}

struct AttSummaryArgs {
  std::string att;
  bool waves = false;
};

Value number_or_null(std::optional<double> value) { return value ? Value(*value) : Value(); }

Value pct_of(std::uint64_t part, std::uint64_t whole) {
  return number_or_null(att::percent(static_cast<double>(part), static_cast<double>(whole)));
}

Record mix_record(const Summary& summary) {
  std::uint64_t hits = 0, latency = 0;
  for (const att::Cost& cost : summary.mix) {
    hits += cost.hits;
    latency += cost.latency;
  }
  Record out;
  for (std::size_t pipe = 0; pipe < att::kCategories; ++pipe) {
    const att::Cost& cost = summary.mix[pipe];
    if (cost.hits == 0) continue;
    out.emplace_back(to_string(static_cast<Category>(pipe)),
                     Value(Record{{"hits", Value(cost.hits)},
                                  {"latency", Value(cost.latency)},
                                  {"stall", Value(cost.stall)},
                                  {"hits_pct", pct_of(cost.hits, hits)},
                                  {"latency_pct", pct_of(cost.latency, latency)}}));
  }
  return out;
}

void set_states(const Summary& summary, Document& out) {
  if (!summary.states) return;
  std::int64_t whole = 0;
  for (const std::int64_t cycles : *summary.states) whole += cycles;
  Record shares;
  for (std::size_t state = 1; state < att::kWaveStates; ++state) {
    shares.emplace_back(att::wave_state_name(state),
                        number_or_null(att::percent(static_cast<double>((*summary.states)[state]),
                                                    static_cast<double>(whole))));
  }
  out.set("wave_state_pct", Value(std::move(shares)));
  out.set("wave_state_source", summary.states_from);
}

void set_coverage(const Summary& summary, Document& out) {
  const att::Coverage& at = summary.coverage;
  out.set("coverage",
          Value(Record{{"waves_traced", Value(at.waves)},
                       {"waves_launched", Value(at.launched)},
                       {"waves_pct", at.launched ? pct_of(at.waves, *at.launched) : Value()},
                       {"units", Value(at.units)},
                       {"device_units", Value::known(at.device_units)},
                       {"shader_engines", Value(at.engines)},
                       {"shader_engines_recorded", Value(at.engines_recorded)},
                       {"device_shader_engines", Value::known(at.device_engines)},
                       {"simds", Value(at.simds)}}));
  Record engines;
  for (const att::EngineOccupancy& engine : summary.occupancy) {
    engines.emplace_back(fmt::format("se{}", engine.se),
                         Value(Record{{"events", Value(engine.events)},
                                      {"cus", Value(engine.cus)},
                                      {"peak_waves", Value(engine.peak_waves)},
                                      {"avg_waves", Value(engine.avg_waves)},
                                      {"final_active", Value(engine.final_waves)},
                                      {"span", Value(engine.span)}}));
  }
  if (!engines.empty()) out.set("occupancy", Value(std::move(engines)));
}

void set_cycles(const Summary& summary, Document& out) {
  const att::Cost& all = summary.totals;
  out.set("hits", Value(all.hits));
  out.set("latency", Value(all.latency));
  out.set("stall", Value(all.stall));
  out.set("idle", Value(all.idle));
  out.set("wave_cycles", Value(summary.cycles()));
  out.set("stall_pct", number_or_null(summary.of_cycles_pct(all.stall)));
  out.set("idle_pct", number_or_null(summary.of_cycles_pct(all.idle)));
  out.set("issue_pct", number_or_null(summary.of_cycles_pct(all.issue())));
  out.set("drain_pct", number_or_null(summary.of_cycles_pct(summary.drain)));
  out.set("issue_without_drain_pct",
          number_or_null(summary.of_cycles_pct(all.issue() - summary.drain)));
  out.set("stall_of_latency_pct", pct_of(all.stall, all.latency));
  Record parts;
  for (const auto& [name, cycles] : cycle_parts(summary))
    parts.emplace_back(name, pct_of(cycles, summary.cycles()));
  out.set("cycles_by_cause_pct", Value(std::move(parts)));
  out.set("mix", Value(mix_record(summary)));
  out.set("valu_util_pct", number_or_null(summary.util_pct(Category::valu)));
  out.set("mfma_util_pct", number_or_null(summary.util_pct(Category::matrix)));
  out.set("ipc", number_or_null(summary.ipc()));
}

void set_waves(const att::WaveFacts& facts, Document& out) {
  Record latencies;
  for (std::size_t i = 0; i < att::kCounters; ++i) {
    const att::LatencyStats& at = facts.latencies[i];
    if (at.n == 0) continue;
    latencies.emplace_back(to_string(static_cast<att::Counter>(i)),
                           Value(Record{{"n", Value(at.n)},
                                        {"mean", Value(at.mean)},
                                        {"p50", Value(at.p50)},
                                        {"p95", Value(at.p95)},
                                        {"max", Value(at.max)}}));
  }
  out.set("memory_latency_cycles", Value(std::move(latencies)));
  out.set("wait_lists", Value(Record{{"waves", Value(facts.waves)},
                                     {"stored", Value(facts.stored_waits)},
                                     {"rebuilt_equal", Value(facts.equal_waits)}}));
  for (const std::string& note : facts.notes) out.notes.push_back(note);
}

void set_samples(const att::CodeTable& code, Document& out) {
  if (code.samples.empty()) return;
  std::uint64_t issued = 0, stalled = 0;
  std::array<std::uint64_t, att::kStallReasons> reasons{};
  for (const att::Samples& row : code.samples) {
    issued += row.issued;
    stalled += row.stalled;
    for (std::size_t i = 0; i < reasons.size(); ++i) reasons[i] += row.reasons[i];
  }
  out.set("samples", Value(issued + stalled));
  out.set("samples_issued_pct", pct_of(issued, issued + stalled));
  Record named;
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    if (reasons[i] > 0)
      named.emplace_back(att::stall_reason_name(i), pct_of(reasons[i], issued + stalled));
  }
  out.set("stall_reasons_pct", Value(std::move(named)));
}

void add_units(const Summary& summary, Document& out) {
  for (const att::UnitFacts& unit : summary.units) {
    const bool counted = summary.unit_instructions && unit.busy_cycles > 0;
    const auto busy = static_cast<double>(unit.busy_cycles);
    out.rows.push_back(
        {Value(unit.cu ? fmt::format("se{}/cu{}", unit.se, *unit.cu)
                       : fmt::format("se{}", unit.se)),
         Value(unit.waves), Value(unit.busy_cycles),
         summary.unit_instructions ? Value(unit.instructions) : Value(),
         counted ? Value(static_cast<double>(unit.instructions) / busy) : Value(),
         unit.busy_cycles > 0 ? Value(static_cast<double>(unit.wave_cycles) / busy) : Value()});
  }
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

Result<Document> att_summary(Context& context, const AttSummaryArgs& args) {
  const AttEntry entry = TRY(thread_trace_named(context, args.att));
  const att::ThreadTrace& trace = *entry->value->trace;
  // Only the wave files know what the small files beside them lack.
  std::shared_ptr<const att::WaveFacts> facts = TRY(needed_wave_facts(context, entry, true));
  const bool needed = facts != nullptr;
  if (args.waves && !needed && !trace.manifest.waves.empty())
    facts = TRY(wave_facts_of(context, entry));
  const Summary summary = att::summarise(trace, facts.get());
  Document out;
  out.set("id", entry->id);
  out.set("path", entry->path);
  out.set("kernel", trace.kernel());
  out.set("kind", to_string(trace.kind));
  out.set("architecture", trace.device.name.empty() ? Value() : Value(trace.device.name));
  out.set("gfx_clock_hz", number_or_null(summary.gfx_hz));
  if (trace.code.timed) set_cycles(summary, out);
  out.set("waves", Value(summary.waves));
  out.set("wave_lifetime", Value(summary.wave_lifetime));
  set_states(summary, out);
  set_coverage(summary, out);
  if (facts) set_waves(*facts, out);
  set_samples(trace.code, out);
  add_units(summary, out);
  warn(trace, summary, out);
  if (needed && trace.states.empty())
    out.notes.push_back(
        fmt::format("wave states are from the {}, for lack of wstates files", summary.states_from));
  (out.rows.empty() ? out.text : out.heading) =
      heading_of(entry, facts.get(), summary, canvas_of(context));
  out.provenance = provenance_of(trace);
  if (!trace.manifest.model.empty())
    out.notes.push_back("modelled, not recorded: " + trace.manifest.modelled_what);
  out.next = {"att lines", "att insts", "att waits"};
  return out;
}

std::vector<Column> summary_fields() {
  return {
      {"id", Type::id, Unit::none, "name of the trace in this session"},
      {"path", Type::string, Unit::none, "its folder or file"},
      {"kernel", Type::kernel, Unit::none, "the function with most executed instructions"},
      {"kind", Type::string, Unit::none, "thread trace; thread trace, statistics only; PC samples"},
      {"architecture", Type::string, Unit::none,
       "from agent_info.csv beside it; null when unknown"},
      {"gfx_clock_hz", Type::number, Unit::hz,
       "shader clock during the trace, from realtime.json; null without"},
      {"hits", Type::integer, Unit::count, "instructions executed by the traced waves"},
      {"latency", Type::integer, Unit::cycles,
       "wave-cycles from the first attempt to the end of issue; includes stall"},
      {"stall", Type::integer, Unit::cycles,
       "of these, cycles in which the instruction could not issue"},
      {"idle", Type::integer, Unit::cycles, "gaps before the first attempt"},
      {"wave_cycles", Type::integer, Unit::cycles,
       "latency + idle: the denominator of what follows"},
      {"stall_pct", Type::number, Unit::pct, "100 stall / wave_cycles"},
      {"idle_pct", Type::number, Unit::pct, "100 idle / wave_cycles"},
      {"issue_pct", Type::number, Unit::pct,
       "100 (latency - stall) / wave_cycles; includes the drain"},
      {"drain_pct", Type::number, Unit::pct,
       "100 (latency - stall) of s_endpgm / wave_cycles: outstanding stores"},
      {"issue_without_drain_pct", Type::number, Unit::pct, "issue_pct - drain_pct"},
      {"stall_of_latency_pct", Type::number, Unit::pct, "100 stall / latency"},
      {"cycles_by_cause_pct", Type::record, Unit::pct,
       "wave_cycles by cause: issue, drain, idle, waits by counter, barrier, stalls by pipe; adds "
       "up to 100"},
      {"mix", Type::record, Unit::none,
       "hits, latency, stall and shares by pipe; with --waves branches are JUMP (taken) and NEXT, "
       "else BRANCH"},
      {"wave_state_pct", Type::record, Unit::pct,
       "share of wave-cycles by state (EXEC, WAIT, STALL, IDLE); not the idle above"},
      {"wave_state_source", Type::string, Unit::none, "wstates files, timelines or instructions"},
      {"valu_util_pct", Type::number, Unit::pct,
       "issue cycles of VALU / cycles in which its SIMD had a wave"},
      {"mfma_util_pct", Type::number, Unit::pct, "the same of matrix instructions"},
      {"ipc", Type::number, Unit::none,
       "instructions / cycles in which a traced compute unit had a wave"},
      {"waves", Type::integer, Unit::count, "traced waves"},
      {"wave_lifetime", Type::integer, Unit::cycles, "sum of end - begin over the waves"},
      {"coverage", Type::record, Unit::none,
       "how much of the kernel this is: waves, compute units, shader engines"},
      {"occupancy", Type::record, Unit::none,
       "waves in flight by shader engine: peak, mean, span in cycles"},
      {"memory_latency_cycles", Type::record, Unit::none,
       "with --waves: from issue to the end of the wait, by counter"},
      {"wait_lists", Type::record, Unit::none,
       "with --waves: waves whose stored wait lists equal the rebuilt ones"},
      {"samples", Type::integer, Unit::count, "PC samples"},
      {"samples_issued_pct", Type::number, Unit::pct, "samples in which the wave issued"},
      {"stall_reasons_pct", Type::record, Unit::pct,
       "the other samples by reason, of all samples"}};
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
                  .chapter = Class::analysis,
                  .summary = "Open the thread traces at or below a path.",
                  .help = "Takes a decoded ui_output folder, a folder above several, a "
                          "stats_ui_output CSV file, or PC samples "
                          "(CSV, or the results JSON of rocprofv3). They become att1, att2, …; the "
                          "last is current. What cannot be read "
                          "is a note, and the rest is used.",
                  .columns = {{"id", Type::id, Unit::none, "name in this session"},
                              {"kernel", Type::kernel, Unit::none,
                               "the function with most executed instructions"},
                              {"kind", Type::string, Unit::none, "what it holds"},
                              {"waves", Type::integer, Unit::count, "traced waves"},
                              {"path", Type::string, Unit::none, "its folder or file"}},
                  .scalar = "id",
                  .examples = {"att open ATT"},
                  .changes_program = true},
          {arg("path", &AttPathArgs::path, "folder or file").required().completes(Complete::file)},
          open_att));
  add(registry,
      command(
          Command{.path = "att list",
                  .chapter = Class::analysis,
                  .summary = "List the open thread traces.",
                  .help = "They are opened by `att open`, `open`, and by naming them in a command.",
                  .columns = {{"id", Type::id, Unit::none, "name in this session"},
                              {"current", Type::boolean, Unit::none, "whether commands work on it"},
                              {"kernel", Type::kernel, Unit::none,
                               "the function with most executed instructions"},
                              {"kind", Type::string, Unit::none, "what it holds"},
                              {"waves", Type::integer, Unit::count, "traced waves"},
                              {"path", Type::string, Unit::none, "its folder or file"}},
                  .scalar = "id",
                  .aliases = {"info att"},
                  .examples = {"att list"}},
          list_att));
  add(registry,
      command(Command{.path = "att summary",
                      .chapter = Class::analysis,
                      .summary = "Show where the cycles of the traced waves went.",
                      .help = kSummaryHelp,
                      .fields = summary_fields(),
                      .columns = {{"unit", Type::id, Unit::none, "shader engine and compute unit"},
                                  {"waves", Type::integer, Unit::count, "its traced waves"},
                                  {"busy_cycles", Type::integer, Unit::cycles,
                                   "cycles in which it had at least one"},
                                  {"instructions", Type::integer, Unit::count,
                                   "executed; of several units with --waves only"},
                                  {"ipc", Type::number, Unit::none, "instructions / busy_cycles"},
                                  {"avg_waves", Type::number, Unit::none,
                                   "traced waves at a time while busy"}},
                      .scalar = "stall_pct",
                      .examples = {"att summary ATT", "att summary ATT --waves"}},
              {arg("att", &AttSummaryArgs::att,
                   "thread trace: a folder or att1; the current one without")
                   .completes(Complete::file),
               flag("waves", &AttSummaryArgs::waves, "read the wave files too")},
              att_summary));
}

}  // namespace rpl
