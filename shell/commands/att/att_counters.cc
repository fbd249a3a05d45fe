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

struct CountersFacts {
  std::optional<double> interval;
  std::map<std::string, att::LatencyStats> latencies;
};

constexpr auto kCountersFields = bound_to<CountersFacts>(
    unitless<&CountersFacts::interval>("interval_cycles", "median between samples; null without"),
    column<&CountersFacts::latencies>(
        "memory_latency_cycles", "from issue to return, by VMEM and LDS: n, mean, p50, p95, max"));

using att::PerfCounter;
/// None of a counter that was not read.
template <auto member>
auto of_samples(const PerfCounter& counter) {
  return counter.samples > 0 ? std::optional(counter.*member) : std::nullopt;
}
constexpr auto kCounterColumns = bound_to<PerfCounter>(
    column<&PerfCounter::name>("counter", "its name"),
    column<&PerfCounter::simds>("simds", "hexadecimal mask of SIMDs; null for all")
        .if_room()
        .or_null(),
    column<&PerfCounter::total>("total", "over all samples and units"),
    column<&PerfCounter::samples>("samples", "how often it was read"),
    column<&PerfCounter::units>("units", "compute units that reported it").if_room(),
    column<&of_samples<&PerfCounter::per_sample>>("per_sample", "mean"),
    column<&of_samples<&PerfCounter::largest>>("largest", "of one sample").if_room(),
    column<&PerfCounter::of_busy_pct>(
        "of_busy_pct", "of SQ_BUSY_CU_CYCLES; two instructions a cycle make up to 200"));

Result<Document> att_counters(const AttCountersArgs& args, Inputs inputs) {
  const AttEntry entry = TRY(thread_trace_named(inputs, args.att));
  const att::ThreadTrace& trace = *entry->value->trace;
  Document out;
  const auto engines = att::read_perf_of(trace, out.notes);
  const att::PerfSummary summary = att::summarise_perf(engines, trace.manifest.counters);
  out.heading = one_line(entry) + "\n";
  if (summary.interval)
    out.heading += fmt::format("a sample every {:.0f} cycles over {} cycles\n", *summary.interval,
                               summary.last - summary.first);
  const auto latencies = att::latencies_by_level(trace, engines);
  out.put(kAttId, *entry);
  out.put(kCountersFields, CountersFacts{summary.interval, latencies});
  out.table(kCounterColumns, summary.counters);
  for (const auto& [kind, at] : latencies)
    out.heading +=
        fmt::format("{} latency, by instructions in flight: mean {:.0f}, p50 {}, p95 {}, max {}\n",
                    kind, at.mean, at.p50, at.p95, at.max);
  for (const att::PerfCounter& counter : summary.counters) {
    if (counter.of_busy_pct && *counter.of_busy_pct > 200)
      out.notes.push_back(fmt::format(
          "{} is {:.0f} % of the busy cycles: more than two instructions a cycle are impossible",
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
          Command{.path = "att counters",
                  .does = kReads,
                  .chapter = Class::analysis,
                  .summary = "Show performance counters that were streamed into a thread trace.",
                  .help =
                      "Of traces recorded with --att-perfcounters or --att-activity (gfx9): what "
                      "each counter counted on all compute units of the "
                      "traced shader engines. Active and busy cycles are also given as a share of "
                      "SQ_BUSY_CU_CYCLES. With SQ_INST_LEVEL_VMEM or _LDS "
                      "memory latency follows from the instructions in flight; that reads the wave "
                      "files.",
                  .fields = described({kAttId, kCountersFields}),
                  .columns = described(kCounterColumns),
                  .scalar = "total",
                  .examples = {"att counters ATT"}},
          {arg("att", &AttCountersArgs::att, "thread trace; the current one without")
               .completes(Complete::file)},
          att_counters));
}

}  // namespace rpl
