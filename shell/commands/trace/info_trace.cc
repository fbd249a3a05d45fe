// SPDX-License-Identifier: MIT
// info trace, agents, queues, streams, warnings: what the recording is.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "engine/arch/peaks.h"
#include "engine/base/interrupt.h"
#include "engine/document/bound.h"
#include "engine/isa/traits/architecture.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/doubts.h"
#include "shell/core/inputs/hardware.h"
#include "shell/core/inputs/loaded.h"
#include "shell/core/inputs/overview.h"

namespace rpl {
namespace {

struct TraceFacts {
  std::string id, path;
  Overview overview;
  bool timed = false;
  std::vector<std::string_view> recorded;
  std::uint64_t file_bytes = 0, memory_bytes = 0;
  std::size_t warnings = 0;

  /// A number that rests on times, where there are any.
  template <std::int64_t TraceTotals::* time>
  [[nodiscard]] std::optional<std::int64_t> ns() const {
    return timed ? std::optional(overview.totals.*time) : std::nullopt;
  }
  [[nodiscard]] std::optional<double> busy_share() const {
    if (!timed) return std::nullopt;
    return share_of(overview.totals.busy_ns, overview.totals.span_ns);
  }
};

template <auto Count>
consteval BoundColumn total(Label name, Label description) {
  return column<&TraceFacts::overview, &Overview::totals, Count>(name, description);
}

constexpr auto kTraceFields = bound_to<TraceFacts>(
    column<&TraceFacts::id>("id", "name of the trace in this session").as(Type::id),
    column<&TraceFacts::path>("path", "file, or files separated by ', '"),
    column<&TraceFacts::overview, &Overview::format>(
        "format", "rocpd, rpd, csv, json or kineto, with the version of its schema"),
    total<&TraceTotals::dispatches>("dispatches", "kernel dispatches"),
    total<&TraceTotals::kernels>("kernels", "distinct kernels that were dispatched"),
    total<&TraceTotals::streams>("streams", "streams that dispatches name"),
    total<&TraceTotals::queues>("queues", "hardware queues that dispatches name"),
    total<&TraceTotals::agents>("agents", "devices that dispatches name"),
    total<&TraceTotals::processes>("processes", "processes that dispatched"),
    column<&TraceFacts::ns<&TraceTotals::span_ns>>(
        "span_ns", "from the first start to the last end of a dispatch")
        .formula("last end - first start of the dispatches, copies left out"),
    column<&TraceFacts::ns<&TraceTotals::gpu_time_ns>>("gpu_time_ns", "sum of the durations"),
    column<&TraceFacts::ns<&TraceTotals::busy_ns>>(
        "busy_ns", "union of the intervals: time with at least one dispatch running"),
    column<&TraceFacts::busy_share>("busy_share", "busy_ns / span_ns"),
    column<&TraceFacts::overview, &Overview::devices>(
        "device", "architectures that ran something, and how many"),
    column<&TraceFacts::recorded>("recorded", "what the recording has beside dispatches"),
    column<&TraceFacts::file_bytes>("file_bytes", "size of the files"),
    column<&TraceFacts::memory_bytes>("memory_bytes", "memory held for the dispatches"),
    column<&TraceFacts::warnings>("warnings", "remarks about the recording"));

Result<Document> info_trace(Inputs inputs) {
  const Loaded now = TRY(loaded(inputs));
  const Trace& trace = *now.trace;
  const Presence& has = trace.presence();
  TraceFacts facts;
  facts.id = now.open->id();
  facts.path = fmt::format("{}", fmt::join(now.open->paths(), ", "));
  facts.overview = overview_of(trace, *TRY(stats_of(now)));
  facts.timed = trace.has_times();
  const std::pair<bool, std::string_view> parts[] = {{has.copies, "copies"},
                                                     {has.api, "api"},
                                                     {has.markers, "markers"},
                                                     {has.counters, "counters"},
                                                     {has.events, "events"}};
  for (const auto& [there, name] : parts) {
    if (there) facts.recorded.push_back(name);
  }
  for (const TraceFile& file : trace.entities().files) facts.file_bytes += file.bytes;
  facts.memory_bytes = trace.column_bytes();
  facts.warnings = trace.entities().notes.size() + trace.damage().size();
  Document out;
  out.put(kTraceFields, facts);
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

/// What ran on a stream, queue or agent.
struct LaneShare {
  LaneTotal total;
  std::int64_t span_ns = 0;
  bool timed = false;

  [[nodiscard]] std::optional<std::int64_t> total_ns() const {
    return timed ? std::optional(total.total_ns) : std::nullopt;
  }
  [[nodiscard]] std::optional<std::int64_t> busy_ns() const {
    return timed ? std::optional(total.busy_ns) : std::nullopt;
  }
  [[nodiscard]] std::optional<double> busy_share() const {
    return timed ? std::optional(share_of(total.busy_ns, span_ns)) : std::nullopt;
  }
};

std::vector<LaneShare> shares_by(const Trace& trace, std::size_t count, std::uint32_t Lane::* key) {
  const auto [first_ns, last_ns] = trace.extent_ns();
  std::vector<LaneShare> out;
  for (const LaneTotal& total : totals_by(trace, count, key))
    out.push_back({total, last_ns - first_ns, trace.has_times()});
  return out;
}

/// Agents, queues and streams have these columns behind their own.
template <auto Ran>
constexpr BoundColumn kRanDispatches = column<Ran, &LaneShare::total, &LaneTotal::dispatches>(
    "dispatches", "dispatches that ran there");
template <auto Ran>
constexpr BoundColumn kRanTotal =
    column<Ran, &LaneShare::total_ns>("total_ns", "sum of their durations");
template <auto Ran>
constexpr BoundColumn kRanBusy =
    column<Ran, &LaneShare::busy_ns>("busy_ns", "union of their intervals");
template <auto Ran>
constexpr BoundColumn kRanShare =
    column<Ran, &LaneShare::busy_share>("busy_share", "busy_ns / span of the trace");

struct AgentRow {
  std::optional<std::string> id;
  const Agent* agent = nullptr;
  LaneShare ran;
  // What the architecture files and the recording say of a GPU.
  std::optional<std::int64_t> compute_units;
  std::optional<double> clock_hz;
  std::optional<std::uint64_t> memory_bytes;
  std::optional<double> peak_gbps;

  [[nodiscard]] std::string_view type() const { return agent->gpu ? "GPU" : "CPU"; }
  [[nodiscard]] std::optional<std::int64_t> index() const {
    return agent->type_index < 0 ? std::nullopt : std::optional(agent->type_index);
  }
};

constexpr auto kAgentColumns = bound_to<AgentRow>(
    column<&AgentRow::id>("id", "a0, a1, …").as(Type::id),
    column<&AgentRow::type>("type", "CPU or GPU"),
    column<&AgentRow::index>("index", "0, 1, … among its type; null when unknown").in(Unit::none),
    column<&AgentRow::agent, &Agent::arch>("arch", "its gfx target"),
    column<&AgentRow::agent, &Agent::product>("product", "name of the product"),
    column<&AgentRow::agent, &Agent::recorded_id>("recorded_id", "id in the recording")
        .in(Unit::none)
        .if_room(),
    column<&AgentRow::agent, &Agent::process>("process", "index of the process that named it")
        .in(Unit::none)
        .if_room(),
    kRanDispatches<&AgentRow::ran>, kRanTotal<&AgentRow::ran>.if_room(), kRanBusy<&AgentRow::ran>,
    kRanShare<&AgentRow::ran>,
    column<&AgentRow::compute_units>("compute_units", "of a GPU; null when unknown").if_room(),
    column<&AgentRow::clock_hz>("clock_hz", "highest engine clock").if_room(),
    column<&AgentRow::memory_bytes>("memory_bytes", "device memory").if_room(),
    column<&AgentRow::peak_gbps>("peak_gbps", "its bandwidth").if_room());

/// Nothing for a CPU, and for what is unknown.
void add_hardware(const Inputs& inputs, const Trace& trace, std::uint32_t agent, AgentRow& row,
                  std::vector<std::string>& notes) {
  if (!row.agent->gpu) return;
  const auto gpu = hardware_of(inputs, trace, agent, {});
  if (!gpu) {
    if (std::ranges::find(notes, gpu.error().message) == notes.end())
      notes.push_back(gpu.error().message);
    return;
  }
  row.compute_units = gpu->whole("compute_units");
  if (const auto clock = gpu->number("clock_mhz")) row.clock_hz = *clock * 1e6;
  if (const auto bytes = gpu->number("memory_bytes"))
    row.memory_bytes = static_cast<std::uint64_t>(*bytes);
  if (const auto rate = arch::peak_bandwidth(*gpu, arch::Level::hbm)) row.peak_gbps = *rate->value;
}

Result<Document> info_agents(Inputs inputs) {
  const Loaded now = TRY(loaded(inputs));
  const auto& agents = now.trace->entities().agents;
  const auto ran = shares_by(*now.trace, agents.size(), &Lane::agent);
  Document out;
  std::vector<AgentRow> rows(agents.size());
  for (std::uint32_t i = 0; i < agents.size(); ++i) {
    rows[i].id = entity_id('a', i);
    rows[i].agent = &agents[i];
    rows[i].ran = ran[i];
    add_hardware(inputs, *now.trace, i, rows[i], out.notes);
  }
  out.table(kAgentColumns, rows);
  if (agents.empty()) out.notes.emplace_back("the recording names no agents");
  out.provenance = provenance_of(*now.trace);
  out.next = {"info arch", "info queues"};
  return out;
}

struct LaneRow {
  std::optional<std::string> id;
  std::string_view name;
  std::uint64_t handle = 0;
  std::uint32_t process = 0;
  LaneShare ran;
};

template <char Letter>
constexpr auto kLaneColumns = bound_to<LaneRow>(
    column<&LaneRow::id>("id", Letter == 'q' ? Label("q0, q1, …") : Label("s0, s1, …"))
        .as(Type::id),
    column<&LaneRow::name>("name", "as the recorder named it"),
    column<&LaneRow::handle>("handle", "as recorded").as(Type::address).if_room(),
    column<&LaneRow::process>("process", "index of its process").in(Unit::none),
    kRanDispatches<&LaneRow::ran>, kRanTotal<&LaneRow::ran>, kRanBusy<&LaneRow::ran>,
    kRanShare<&LaneRow::ran>);

/// Queues and streams have the same columns; the busiest come first, those without dispatches are left to the copies.
template <char Letter, class Entity>
Document lanes_table(const Trace& trace, const std::vector<Entity>& all,
                     std::uint32_t Lane::* key) {
  const auto ran = shares_by(trace, all.size(), key);
  std::vector<LaneRow> rows;
  for (std::uint32_t i = 0; i < all.size(); ++i)
    rows.push_back({entity_id(Letter, i), all[i].name, all[i].handle, all[i].process, ran[i]});
  std::ranges::stable_sort(rows, std::greater{},
                           [](const LaneRow& row) { return row.ran.total.busy_ns; });
  Document out;
  out.table(kLaneColumns<Letter>, rows);
  out.provenance = provenance_of(trace);
  return out;
}

Result<Document> info_queues(Inputs inputs) {
  const Loaded now = TRY(loaded(inputs));
  Document out = lanes_table<'q'>(*now.trace, now.trace->entities().queues, &Lane::queue);
  out.next = {"timeline", "overlap"};
  return out;
}

Result<Document> info_streams(Inputs inputs) {
  const Loaded now = TRY(loaded(inputs));
  Document out = lanes_table<'s'>(*now.trace, now.trace->entities().streams, &Lane::stream);
  out.next = {"timeline", "overlap"};
  return out;
}

struct ProcessRow {
  const Process* process = nullptr;
  const TraceFile* file = nullptr;

  [[nodiscard]] std::optional<std::int64_t> rank() const {
    return process->rank < 0 ? std::nullopt : std::optional(process->rank);
  }
  [[nodiscard]] std::optional<std::int64_t> clock_shift_ns() const {
    return file == nullptr ? std::nullopt : std::optional(file->clock_shift_ns);
  }
  [[nodiscard]] std::optional<std::int64_t> ranks() const {
    return process->world_size <= 0 ? std::nullopt : std::optional(process->world_size);
  }
};

constexpr auto kProcessColumns = bound_to<ProcessRow>(
    column<&ProcessRow::process, &Process::pid>("pid", "process id").in(Unit::none),
    column<&ProcessRow::process, &Process::hostname>("hostname", "machine"),
    column<&ProcessRow::process, &Process::command>("command", "its command line"),
    column<&ProcessRow::process, &Process::guid>("guid", "unique name of the recorded process"),
    column<&ProcessRow::file, &TraceFile::path>("path", "file it came from"),
    column<&ProcessRow::rank>("rank", "of a distributed program; null: not recorded")
        .in(Unit::none)
        .if_room(),
    column<&ProcessRow::ranks>("ranks", "how many that program has").in(Unit::none).never(),
    column<&ProcessRow::clock_shift_ns>("clock_shift_ns",
                                        "added to its recorded times, so that they compare with "
                                        "those of other hosts")
        .never());

Result<Document> info_processes(Inputs inputs) {
  const Loaded now = TRY(loaded(inputs));
  const auto& files = now.trace->entities().files;
  std::vector<ProcessRow> rows;
  for (const Process& process : now.trace->entities().processes)
    rows.push_back({&process, process.file < files.size() ? &files[process.file] : nullptr});
  Document out;
  out.table(kProcessColumns, rows);
  if (rows.empty()) out.notes.emplace_back("the recording names no processes");
  out.provenance = provenance_of(*now.trace);
  return out;
}

struct WarningRow {
  std::string_view about;
  std::string warning;
};

constexpr auto kWarningColumns = bound_to<WarningRow>(
    column<&WarningRow::about>(
        "about",
        "file (it is damaged), recording, graph, or a table of it: copies, api, markers, syncs, "
        "counters"),
    column<&WarningRow::warning>("warning", "what was found"));

/// What was odd about one of the tables that are read on first use, or why it cannot be read.
template <class Table>
void add_table_notes(const char* source, const Result<const Table*>& table,
                     std::vector<WarningRow>& rows) {
  if (!table) {
    rows.push_back({source, table.error().message});
    return;
  }
  for (const std::string& note : (*table)->notes) rows.push_back({source, note});
}

Result<Document> info_warnings(Inputs inputs) {
  const Loaded now = TRY(loaded(inputs));
  std::vector<WarningRow> rows;
  for (const std::string& note : now.trace->entities().notes) rows.push_back({"recording", note});
  add_table_notes("copies", now.trace->copies(), rows);
  add_table_notes("api", now.trace->api(), rows);
  add_table_notes("markers", now.trace->markers(), rows);
  add_table_notes("syncs", now.trace->syncs(), rows);
  add_table_notes("counters", now.trace->counters(), rows);
  TRY(interrupt::check());
  if (const auto why = nothing_ran(*now.trace)) {
    rows.push_back({"recording", *why});
  } else if (const auto graph = graph_of(inputs, now)) {
    for (const std::string& note : (*graph)->notes()) rows.push_back({"graph", note});
    const auto doubts = TRY(doubts_of(inputs, now));
    for (const Doubt& doubt : *doubts) rows.push_back({to_string(doubt.kind), doubt.sentence});
  } else {
    rows.push_back({"graph", graph.error().message});
  }
  // What was read meanwhile counts as well.
  for (std::string& found : now.trace->damage()) rows.push_back({"file", std::move(found)});
  Document out;
  out.table(kWarningColumns, rows);
  // A sentence must not be cut to fit a column.
  for (const WarningRow& row : rows) out.text += fmt::format("{}: {}\n", row.about, row.warning);
  if (rows.empty()) out.notes.emplace_back("nothing odd was found in this recording");
  out.provenance = provenance_of(*now.trace);
  return out;
}

Command status(std::string path, std::string summary, std::string help,
               std::vector<Column> columns) {
  return Command{.path = path,
                 .does = kReads,
                 .chapter = Class::status,
                 .summary = std::move(summary),
                 .help = std::move(help),
                 .columns = std::move(columns),
                 .examples = {path + " TRACE"}};
}

void add_info_trace(Registry& registry) {
  add(registry, command(Command{.path = "info trace",
                                .does = kReads,
                                .chapter = Class::status,
                                .summary = "Show what the current trace is.",
                                .help = "Counts and times of the recording as a whole. "
                                        "`gpu_time_ns` counts time twice in which two "
                                        "dispatches ran; `busy_ns` does not.",
                                .fields = described(kTraceFields),
                                .scalar = "dispatches",
                                .examples = {"info trace TRACE", "info trace/q TRACE"}},
                        info_trace));
}

void add_info_agents(Registry& registry) {
  Command agents = status(
      "info agents", "List the devices of the recording.",
      "CPUs and GPUs as the recorder named them, with what ran on each. `info arch a1` shows all "
      "that is known of one and who says so.",
      described(kAgentColumns));
  agents.scalar = "id";
  add(registry, command(std::move(agents), info_agents));
}

/// Queues and streams.
void add_info_lanes(Registry& registry) {
  Command queues = status("info queues", "List the hardware queues, busiest first.",
                          "Hardware queues with what ran on each. Streams share queues.",
                          described(kLaneColumns<'q'>));
  queues.scalar = "id";
  add(registry, command(std::move(queues), info_queues));
  Command streams = status(
      "info streams", "List the streams, busiest first.",
      "HIP streams with what ran on each. A stream is an order of work; which queue carries it "
      "is the runtime's choice.",
      described(kLaneColumns<'s'>));
  streams.scalar = "id";
  add(registry, command(std::move(streams), info_streams));
}

void add_info_processes(Registry& registry) {
  Command processes = status("info processes", "List the processes of the recording.",
                             "One row for each process, that is for each guid, not for each pid.",
                             described(kProcessColumns));
  processes.scalar = "pid";
  add(registry, command(std::move(processes), info_processes));
}

void add_info_warnings(Registry& registry) {
  Command warnings = status(
      "info warnings", "List what is odd about the recording.",
      "Everything that was left out, repaired or could not be read, what speaks against the file "
      "itself, and what is odd about the evidence of the dependency graph. `trace verify` looks "
      "through the whole file.",
      described(kWarningColumns));
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
