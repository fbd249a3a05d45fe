// SPDX-License-Identifier: MIT
// info trace, agents, queues, streams, warnings: what the recording is.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/arch/peaks.h"
#include "engine/base/interrupt.h"
#include "engine/isa/traits/architecture.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/hardware.h"
#include "shell/core/inputs/loaded.h"
#include "shell/core/inputs/overview.h"

namespace rpl {
namespace {

Value present(std::initializer_list<std::pair<bool, const char*>> parts) {
  List out;
  for (const auto& [there, name] : parts) {
    if (there) out.emplace_back(name);
  }
  return Value(std::move(out));
}

Result<Document> info_trace(Context& context) {
  const Loaded now = TRY(loaded(context));
  const Trace& trace = *now.trace;
  const Overview overview = overview_of(trace, *TRY(stats_of(now)));
  const Presence& has = trace.presence();
  Document out;
  out.set("id", now.open->id());
  out.set("path", fmt::format("{}", fmt::join(now.open->paths(), ", ")));
  out.set("format", overview.format);
  out.set("dispatches", overview.totals.dispatches);
  out.set("kernels", overview.totals.kernels);
  out.set("streams", overview.totals.streams);
  out.set("queues", overview.totals.queues);
  out.set("agents", overview.totals.agents);
  out.set("processes", overview.totals.processes);
  out.set("span_ns", timed(trace, Value(overview.totals.span_ns)));
  out.set("gpu_time_ns", timed(trace, Value(overview.totals.gpu_time_ns)));
  out.set("busy_ns", timed(trace, Value(overview.totals.busy_ns)));
  out.set("busy_share",
          timed(trace, Value(share_of(overview.totals.busy_ns, overview.totals.span_ns))));
  out.set("device", overview.devices);
  out.set("recorded", present({{has.copies, "copies"},
                               {has.api, "api"},
                               {has.markers, "markers"},
                               {has.counters, "counters"},
                               {has.events, "events"}}));
  std::uint64_t bytes = 0;
  for (const TraceFile& file : trace.entities().files) bytes += file.bytes;
  out.set("file_bytes", bytes);
  out.set("memory_bytes", std::uint64_t{trace.column_bytes()});
  out.set("warnings", std::uint64_t{trace.entities().notes.size()});
  if (const auto why = nothing_ran(trace)) out.notes.push_back(*why);
  if (const auto why = no_times(trace)) out.notes.push_back(*why);
  out.provenance = provenance_of(trace);
  out.next = {"summary", "info kernels", "critpath"};
  return out;
}

struct LaneTotal {
  std::uint64_t dispatches = 0;
  std::int64_t busy_ns = 0, total_ns = 0, covered_to = INT64_MIN;
  std::int64_t first_ns = INT64_MAX, last_ns = INT64_MIN;
};

/// Totals of each stream, queue or agent: `key` picks the index out of a lane.
std::vector<LaneTotal> totals_by(const Trace& trace, std::size_t count, std::uint32_t Lane::* key) {
  std::vector<LaneTotal> totals(count);
  for (std::size_t row = 0; row < trace.size(); ++row) {
    const std::uint32_t index = trace.lane(row).*key;
    if (index >= count) continue;
    LaneTotal& total = totals[index];
    const std::int64_t start = trace.start_ns(row), end = std::max(trace.end_ns(row), start);
    ++total.dispatches;
    total.total_ns += end - start;
    total.first_ns = std::min(total.first_ns, start);
    total.last_ns = std::max(total.last_ns, end);
    if (end <= total.covered_to) continue;
    total.busy_ns += end - std::max(start, total.covered_to);
    total.covered_to = end;
  }
  return totals;
}

void append_totals(Row& row, const LaneTotal& total, const Trace& trace) {
  const auto [first_ns, last_ns] = trace.extent_ns();
  row.emplace_back(total.dispatches);
  row.push_back(timed(trace, Value(total.total_ns)));
  row.push_back(timed(trace, Value(total.busy_ns)));
  row.push_back(timed(trace, Value(share_of(total.busy_ns, last_ns - first_ns))));
}

std::vector<Column> with_totals(std::vector<Column> columns) {
  columns.push_back({"dispatches", Type::integer, Unit::count, "dispatches that ran there"});
  columns.push_back({"total_ns", Type::integer, Unit::ns, "sum of their durations"});
  columns.push_back({"busy_ns", Type::integer, Unit::ns, "union of their intervals"});
  columns.push_back({"busy_share", Type::number, Unit::share, "busy_ns / span of the trace"});
  return columns;
}

/// What the architecture files and the recording say of a GPU; nulls for a CPU and for what is unknown.
void append_hardware(const Context& context, const Trace& trace, std::uint32_t agent, Row& row,
                     std::vector<std::string>& notes) {
  if (!trace.entities().agents[agent].gpu) {
    row.insert(row.end(), 4, Value());
    return;
  }
  const auto gpu = hardware_of(context, trace, agent, {});
  if (!gpu) {
    if (std::ranges::find(notes, gpu.error().message) == notes.end())
      notes.push_back(gpu.error().message);
    row.insert(row.end(), 4, Value());
    return;
  }
  const auto clock = gpu->number("clock_mhz"), bytes = gpu->number("memory_bytes");
  const auto rate = arch::peak_bandwidth(*gpu, arch::Level::hbm);
  row.emplace_back(gpu->whole("compute_units"));
  row.push_back(clock ? Value(*clock * 1e6) : Value());
  row.push_back(bytes ? Value(static_cast<std::uint64_t>(*bytes)) : Value());
  row.push_back(rate ? Value(*rate->value) : Value());
}

Result<Document> info_agents(Context& context) {
  const Loaded now = TRY(loaded(context));
  const auto& agents = now.trace->entities().agents;
  const auto totals = totals_by(*now.trace, agents.size(), &Lane::agent);
  Document out;
  for (std::size_t i = 0; i < agents.size(); ++i) {
    const Agent& agent = agents[i];
    Row row{entity_id('a', static_cast<std::uint32_t>(i)),
            Value(agent.gpu ? "GPU" : "CPU"),
            agent.type_index < 0 ? Value() : Value(agent.type_index),
            Value(agent.arch),
            Value(agent.product),
            Value(agent.recorded_id),
            Value(std::uint64_t{agent.process})};
    append_totals(row, totals[i], *now.trace);
    append_hardware(context, *now.trace, static_cast<std::uint32_t>(i), row, out.notes);
    out.rows.push_back(std::move(row));
  }
  if (agents.empty()) out.notes.emplace_back("the recording names no agents");
  out.provenance = provenance_of(*now.trace);
  out.next = {"info arch", "info queues"};
  return out;
}

/// Queues and streams have the same columns; the busiest come first, those without dispatches are left to the copies.
template <class Entity>
Document lanes_table(const Trace& trace, const std::vector<Entity>& all, char letter,
                     std::uint32_t Lane::* key) {
  const auto totals = totals_by(trace, all.size(), key);
  std::vector<std::uint32_t> order(all.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
    return totals[a].busy_ns > totals[b].busy_ns;
  });
  Document out;
  for (const std::uint32_t i : order) {
    Row row{entity_id(letter, i), Value(all[i].name), Value(hex(all[i].handle)),
            Value(std::uint64_t{all[i].process})};
    append_totals(row, totals[i], trace);
    out.rows.push_back(std::move(row));
  }
  out.provenance = provenance_of(trace);
  return out;
}

Result<Document> info_queues(Context& context) {
  const Loaded now = TRY(loaded(context));
  Document out = lanes_table(*now.trace, now.trace->entities().queues, 'q', &Lane::queue);
  out.next = {"timeline", "overlap"};
  return out;
}

Result<Document> info_streams(Context& context) {
  const Loaded now = TRY(loaded(context));
  Document out = lanes_table(*now.trace, now.trace->entities().streams, 's', &Lane::stream);
  out.next = {"timeline", "overlap"};
  return out;
}

Result<Document> info_processes(Context& context) {
  const Loaded now = TRY(loaded(context));
  Document out;
  for (const Process& process : now.trace->entities().processes) {
    const auto& files = now.trace->entities().files;
    out.rows.push_back({Value(process.pid), Value(process.hostname), Value(process.command),
                        Value(process.guid),
                        process.file < files.size() ? Value(files[process.file].path) : Value()});
  }
  if (out.rows.empty()) out.notes.emplace_back("the recording names no processes");
  out.provenance = provenance_of(*now.trace);
  return out;
}

/// What was odd about one of the tables that are read on first use, or why it cannot be read.
template <class Table>
void add_table_notes(const char* source, const Result<const Table*>& table, Document& out) {
  if (!table) {
    out.rows.push_back({Value(source), Value(table.error().message)});
    return;
  }
  for (const std::string& note : (*table)->notes) out.rows.push_back({Value(source), Value(note)});
}

Result<Document> info_warnings(Context& context) {
  const Loaded now = TRY(loaded(context));
  Document out;
  for (const std::string& note : now.trace->entities().notes) {
    out.rows.push_back({Value("recording"), Value(note)});
  }
  add_table_notes("copies", now.trace->copies(), out);
  add_table_notes("api", now.trace->api(), out);
  add_table_notes("markers", now.trace->markers(), out);
  add_table_notes("syncs", now.trace->syncs(), out);
  add_table_notes("counters", now.trace->counters(), out);
  TRY(interrupt::check());
  if (const auto why = nothing_ran(*now.trace)) {
    out.rows.push_back({Value("recording"), Value(*why)});
  } else {
    const auto graph = graph_of(context, now);
    if (!graph) {
      out.rows.push_back({Value("graph"), Value(graph.error().message)});
    } else {
      for (const std::string& note : (*graph)->notes()) {
        out.rows.push_back({Value("graph"), Value(note)});
      }
    }
  }
  // A sentence must not be cut to fit a column.
  for (const Row& row : out.rows)
    out.text += fmt::format("{}: {}\n", *row[0].as<std::string>(), *row[1].as<std::string>());
  if (out.rows.empty()) out.notes.emplace_back("nothing odd was found in this recording");
  out.provenance = provenance_of(*now.trace);
  return out;
}

const std::vector<Column> kTraceFields{
    {"id", Type::id, Unit::none, "name of the trace in this session"},
    {"path", Type::string, Unit::none, "file, or files separated by ', '"},
    {"format", Type::string, Unit::none, "rocpd, rpd, csv or json, with the version of its schema"},
    {"dispatches", Type::integer, Unit::count, "kernel dispatches"},
    {"kernels", Type::integer, Unit::count, "distinct kernels that were dispatched"},
    {"streams", Type::integer, Unit::count, "streams that dispatches name"},
    {"queues", Type::integer, Unit::count, "hardware queues that dispatches name"},
    {"agents", Type::integer, Unit::count, "devices that dispatches name"},
    {"processes", Type::integer, Unit::count, "processes that dispatched"},
    {"span_ns", Type::integer, Unit::ns, "from the first start to the last end of a dispatch"},
    {"gpu_time_ns", Type::integer, Unit::ns, "sum of the durations"},
    {"busy_ns", Type::integer, Unit::ns,
     "union of the intervals: time with at least one dispatch running"},
    {"busy_share", Type::number, Unit::share, "busy_ns / span_ns"},
    {"device", Type::string, Unit::none, "architectures that ran something, and how many"},
    {"recorded", Type::strings, Unit::none, "what the recording has beside dispatches"},
    {"file_bytes", Type::integer, Unit::bytes, "size of the files"},
    {"memory_bytes", Type::integer, Unit::bytes, "memory held for the dispatches"},
    {"warnings", Type::integer, Unit::count, "remarks about the recording"},
};

Command status(std::string path, std::string summary, std::string help,
               std::vector<Column> columns) {
  return Command{.path = path,
                 .chapter = Class::status,
                 .summary = std::move(summary),
                 .help = std::move(help),
                 .columns = std::move(columns),
                 .examples = {path + " TRACE"}};
}

void add_info_trace(Registry& registry) {
  add(registry, command(Command{.path = "info trace",
                                .chapter = Class::status,
                                .summary = "Show what the current trace is.",
                                .help = "Counts and times of the recording as a whole. "
                                        "`gpu_time_ns` counts time twice in which two "
                                        "dispatches ran; `busy_ns` does not.",
                                .fields = kTraceFields,
                                .scalar = "dispatches",
                                .examples = {"info trace TRACE", "info trace/q TRACE"}},
                        info_trace));
}

void add_info_agents(Registry& registry) {
  Command agents = status(
      "info agents", "List the devices of the recording.",
      "CPUs and GPUs as the recorder named them, with what ran on each. `info arch a1` shows all "
      "that is known of one and who says so.",
      with_totals(
          {{"id", Type::id, Unit::none, "a0, a1, …"},
           {"type", Type::string, Unit::none, "CPU or GPU"},
           {"index", Type::integer, Unit::none, "0, 1, … among its type; null when unknown"},
           {"arch", Type::string, Unit::none, isa::usual_architecture()},
           {"product", Type::string, Unit::none, "name of the product"},
           {"recorded_id", Type::integer, Unit::none, "id in the recording"},
           {"process", Type::integer, Unit::none, "index of the process that named it"}}));
  const std::vector<Column> hardware{
      {"compute_units", Type::integer, Unit::count, "of a GPU; null when unknown", InText::if_room},
      {"clock_hz", Type::number, Unit::hz, "highest engine clock", InText::if_room},
      {"memory_bytes", Type::integer, Unit::bytes, "device memory", InText::if_room},
      {"peak_gbps", Type::number, Unit::gbps, "its bandwidth", InText::if_room}};
  agents.columns.insert(agents.columns.end(), hardware.begin(), hardware.end());
  agents.scalar = "id";
  add(registry, command(std::move(agents), info_agents));
}

/// Queues and streams.
void add_info_lanes(Registry& registry) {
  const auto lane_columns = [](Label id) {
    return with_totals({{"id", Type::id, Unit::none, id},
                        {"name", Type::string, Unit::none, "as the recorder named it"},
                        {"handle", Type::address, Unit::none, "as recorded"},
                        {"process", Type::integer, Unit::none, "index of its process"}});
  };
  Command queues = status("info queues", "List the hardware queues, busiest first.",
                          "Hardware queues with what ran on each. Streams share queues.",
                          lane_columns("q0, q1, …"));
  queues.scalar = "id";
  add(registry, command(std::move(queues), info_queues));
  Command streams = status(
      "info streams", "List the streams, busiest first.",
      "HIP streams with what ran on each. A stream is an order of work; which queue carries it "
      "is the runtime's choice.",
      lane_columns("s0, s1, …"));
  streams.scalar = "id";
  add(registry, command(std::move(streams), info_streams));
}

void add_info_processes(Registry& registry) {
  Command processes =
      status("info processes", "List the processes of the recording.",
             "One row for each process, that is for each guid, not for each pid.",
             {{"pid", Type::integer, Unit::none, "process id"},
              {"hostname", Type::string, Unit::none, "machine"},
              {"command", Type::string, Unit::none, "its command line"},
              {"guid", Type::string, Unit::none, "unique name of the recorded process"},
              {"path", Type::string, Unit::none, "file it came from"}});
  processes.scalar = "pid";
  add(registry, command(std::move(processes), info_processes));
}

void add_info_warnings(Registry& registry) {
  Command warnings = status(
      "info warnings", "List what is odd about the recording.",
      "Everything that was left out, repaired or could not be read, and what is odd about the "
      "evidence of the dependency graph.",
      {{"about", Type::string, Unit::none,
        "recording, graph, or a table of it: copies, api, markers, syncs, counters"},
       {"warning", Type::string, Unit::none, "what was found"}});
  warnings.scalar = "warning";
  add(registry, command(std::move(warnings), info_warnings));
}

}  // namespace

void add_trace_commands(Registry& registry) {
  add_info_trace(registry);
  add_info_agents(registry);
  add_info_lanes(registry);
  add_info_processes(registry);
  add_info_warnings(registry);
}

}  // namespace rpl
