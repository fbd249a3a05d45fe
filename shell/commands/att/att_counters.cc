// SPDX-License-Identifier: MIT
// att counters: performance counters that were streamed into a thread trace.
#include <fmt/format.h>

#include "engine/att/analyse/perf_counters.h"
#include "shell/commands/att/att_view.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/loaded.h"
#include "shell/core/inputs/opened.h"

namespace rpl {
namespace {

struct AttCountersArgs {
  std::string att;
};

Value latency_record(const std::map<std::string, att::LatencyStats>& latencies) {
  Record out;
  for (const auto& [kind, at] : latencies) {
    out.emplace_back(kind, Value(Record{{"n", Value(at.n)},
                                        {"mean", Value(at.mean)},
                                        {"p50", Value(at.p50)},
                                        {"p95", Value(at.p95)},
                                        {"max", Value(at.max)}}));
  }
  return Value(std::move(out));
}

Result<Document> att_counters(Context& context, const AttCountersArgs& args) {
  const AttEntry entry = TRY(thread_trace_named(context, args.att));
  const att::ThreadTrace& trace = *entry->value->trace;
  Document out;
  const auto engines = att::read_perf_of(trace, out.notes);
  const att::PerfSummary summary = att::summarise_perf(engines, trace.manifest.counters);
  out.set("id", entry->id);
  out.set("interval_cycles", summary.interval ? Value(*summary.interval) : Value());
  out.heading = one_line(entry) + "\n";
  if (summary.interval)
    out.heading += fmt::format("a sample every {:.0f} cycles over {} cycles\n", *summary.interval,
                               summary.last - summary.first);
  const auto latencies = att::latencies_by_level(trace, engines);
  out.set("memory_latency_cycles", latency_record(latencies));
  for (const auto& [kind, at] : latencies)
    out.heading +=
        fmt::format("{} latency, by instructions in flight: mean {:.0f}, p50 {}, p95 {}, max {}\n",
                    kind, at.mean, at.p50, at.p95, at.max);
  for (const att::PerfCounter& counter : summary.counters) {
    out.rows.push_back({Value(counter.name), counter.simds.empty() ? Value() : Value(counter.simds),
                        Value(counter.total), Value(counter.samples), Value(counter.units),
                        counter.samples > 0 ? Value(counter.per_sample) : Value(),
                        counter.samples > 0 ? Value(std::uint64_t{counter.largest}) : Value(),
                        counter.of_busy_pct ? Value(*counter.of_busy_pct) : Value()});
    if (counter.of_busy_pct && *counter.of_busy_pct > 200)
      out.notes.push_back(fmt::format(
          "{} is {:.0f} % of the busy cycles: more than two instructions a cycle cannot be",
          counter.name, *counter.of_busy_pct));
  }
  if (summary.counters.empty()) {
    out.notes.emplace_back(
        "no performance counters were streamed into this trace; record some: rocprofv3 --att "
        "--att-perfcounters "
        "\"SQ_BUSY_CU_CYCLES SQ_ACTIVE_INST_VALU SQ_INST_LEVEL_VMEM\" --att-perfcounter-ctrl 3 "
        "(gfx9)");
  } else {
    out.notes.emplace_back(
        "streamed counters follow a description of the format: unverified with a recording");
  }
  out.provenance = provenance_of(trace);
  out.next = {"att summary", "att waits"};
  return out;
}

}  // namespace

void add_att_counter_commands(Registry& registry) {
  add(registry,
      command(
          Command{
              .path = "att counters",
              .chapter = Class::analysis,
              .summary = "Show performance counters that were streamed into a thread trace.",
              .help = "Of traces recorded with --att-perfcounters or --att-activity (gfx9): what "
                      "each counter counted on all compute units of the "
                      "traced shader engines. Active and busy cycles are also given as a share of "
                      "SQ_BUSY_CU_CYCLES. With SQ_INST_LEVEL_VMEM or _LDS "
                      "memory latency follows from the instructions in flight; that reads the wave "
                      "files.",
              .fields = {{"id", Type::id, Unit::none, "name of the trace in this session"},
                         {"interval_cycles", Type::number, Unit::none,
                          "median between samples; null without"},
                         {"memory_latency_cycles", Type::record, Unit::none,
                          "from issue to return, by VMEM and LDS: n, mean, p50, p95, max"}},
              .columns = {{"counter", Type::string, Unit::none, "its name"},
                          {"simds", Type::string, Unit::none,
                           "hexadecimal mask of SIMDs; null for all", InText::if_room},
                          {"total", Type::integer, Unit::count, "over all samples and units"},
                          {"samples", Type::integer, Unit::count, "how often it was read"},
                          {"units", Type::integer, Unit::count, "compute units that reported it",
                           InText::if_room},
                          {"per_sample", Type::number, Unit::none, "mean"},
                          {"largest", Type::integer, Unit::count, "of one sample", InText::if_room},
                          {"of_busy_pct", Type::number, Unit::pct,
                           "of SQ_BUSY_CU_CYCLES; two instructions a cycle make up to 200"}},
              .scalar = "total",
              .examples = {"att counters ATT"}},
          {arg("att", &AttCountersArgs::att, "thread trace; the current one without")
               .completes(Complete::file)},
          att_counters));
}

}  // namespace rpl
