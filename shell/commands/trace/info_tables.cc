// SPDX-License-Identifier: MIT
// info copies, api, markers, counters: what the recording has beside dispatches.
#include <fmt/format.h>

#include <algorithm>

#include "engine/document/bound.h"
#include "engine/document/sorting.h"
#include "engine/metrics/counters/catalogue.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/counter_files.h"
#include "shell/core/inputs/hardware.h"
#include "shell/core/inputs/loaded.h"

namespace rpl {
namespace {

/// How a recorder is asked for what the recording lacks.
struct HowToRecord {
  std::string_view rocprofv3, torch;
};

void say_when_absent(Document& out, const Trace& trace, bool present, std::string_view what,
                     const HowToRecord& how) {
  if (present) return;
  const bool torch = std::ranges::all_of(trace.entities().files, [](const TraceFile& file) {
    return file.format == TraceFormat::kineto;
  });
  out.notes.push_back(
      fmt::format("the recording has no {} ({})", what, torch ? how.torch : how.rocprofv3));
}

struct CopyRow {
  std::string id;
  std::string_view direction;
  std::optional<std::string> stream, from, to;
  std::int64_t at_ns = 0, duration_ns = 0;
  std::optional<std::uint64_t> size_bytes;

  [[nodiscard]] std::optional<double> rate_gbps() const {
    if (!size_bytes || duration_ns <= 0) return std::nullopt;
    return static_cast<double>(*size_bytes) / static_cast<double>(duration_ns);
  }
};

constexpr auto kCopyColumns =
    bound_to<CopyRow>(column<&CopyRow::id>("id", "copy1, copy2, …").as(Type::id),
                      column<&CopyRow::direction>("direction", "as the recorder calls it"),
                      column<&CopyRow::stream>("stream", "HIP stream"),
                      column<&CopyRow::from>("from", "source device").if_room(),
                      column<&CopyRow::to>("to", "destination device").if_room(),
                      column<&CopyRow::at_ns>("at_ns", "begin, from the beginning of the trace"),
                      column<&CopyRow::duration_ns>("duration_ns", "end - begin"),
                      column<&CopyRow::size_bytes>("size_bytes", "null when not recorded"),
                      column<&CopyRow::rate_gbps>("rate_gbps", "size / duration"));

Result<Document> info_copies(Inputs inputs) {
  const Loaded now = TRY(loaded(inputs));
  const CopyTable* copies = TRY(now.trace->copies());
  Document out;
  out.stream(kCopyColumns, copies->rows.size(),
             [origin = origin_of(*now.trace), copies, trace = now.trace](std::size_t i) {
               const Copy& copy = copies->rows[i];
               CopyRow row;
               row.id = fmt::format("copy{}", i + 1);
               row.direction = copies->names[copy.name];
               row.stream = entity_id('s', copy.stream);
               row.from = entity_id('a', copy.src_agent);
               row.to = entity_id('a', copy.dst_agent);
               row.at_ns = copy.start_ns - origin;
               row.duration_ns = copy.end_ns - copy.start_ns;
               if (copy.bytes != kUnknownBytes) row.size_bytes = copy.bytes;
               return row;
             });
  say_when_absent(out, *now.trace, !copies->rows.empty(), "memory copies",
                  {"rocprofv3 --memory-copy-trace", "torch.profiler with ProfilerActivity.CUDA"});
  out.provenance = provenance_of(*now.trace);
  if (!copies->rows.empty()) out.next = {"overlap", "timeline"};
  return out;
}

struct ApiRow {
  std::string_view name, category;
  std::uint64_t calls = 0;
  std::int64_t total_ns = 0, max_ns = 0;

  [[nodiscard]] double mean_ns() const {
    return static_cast<double>(total_ns) / static_cast<double>(calls);
  }
};

constexpr auto kApiColumns =
    bound_to<ApiRow>(column<&ApiRow::name>("name", "function"),
                     column<&ApiRow::category>("category", "as recorded").if_room(),
                     column<&ApiRow::calls>("calls", "how often"),
                     column<&ApiRow::total_ns>("total_ns", "sum of durations").sortable(),
                     column<&ApiRow::mean_ns>("mean_ns", "mean duration"),
                     column<&ApiRow::max_ns>("max_ns", "longest"));

Result<Document> info_api(Inputs inputs) {
  const Loaded now = TRY(loaded(inputs));
  const ApiTable* api = TRY(now.trace->api());
  std::vector<ApiRow> rows(api->names.size());
  for (const ApiCall& call : api->rows) {
    ApiRow& row = rows[call.name];
    row.name = api->names[call.name];
    row.category = api->names[call.category];
    ++row.calls;
    row.total_ns += call.end_ns - call.start_ns;
    row.max_ns = std::max(row.max_ns, call.end_ns - call.start_ns);
  }
  std::erase_if(rows, [](const ApiRow& row) { return row.calls == 0; });
  sort_rows(rows, kApiColumns, "total");
  Document out;
  out.table(kApiColumns, rows);
  say_when_absent(
      out, *now.trace, !rows.empty(), "API calls",
      {"rocprofv3 --hip-trace or --sys-trace", "torch.profiler with ProfilerActivity.CUDA"});
  out.provenance = provenance_of(*now.trace);
  if (!rows.empty()) out.next = {"gaps", "critpath"};
  return out;
}

struct MarkerRow {
  const Marker* marker = nullptr;
  std::int64_t origin_ns = 0;

  [[nodiscard]] std::int64_t at_ns() const { return marker->start_ns - origin_ns; }
  [[nodiscard]] std::int64_t duration_ns() const { return marker->end_ns - marker->start_ns; }
};

constexpr auto kMarkerColumns = bound_to<MarkerRow>(
    column<&MarkerRow::marker, &Marker::text>("text", "what the program said"),
    column<&MarkerRow::at_ns>("at_ns", "begin, from the beginning of the trace"),
    column<&MarkerRow::duration_ns>("duration_ns", "0 for a mark"),
    column<&MarkerRow::marker, &Marker::thread>("thread", "OS thread").in(Unit::none).if_room());

Result<Document> info_markers(Inputs inputs) {
  const Loaded now = TRY(loaded(inputs));
  const MarkerTable* markers = TRY(now.trace->markers());
  Document out;
  out.stream(kMarkerColumns, markers->rows.size(),
             [origin = origin_of(*now.trace), markers, trace = now.trace](std::size_t i) {
               return MarkerRow{&markers->rows[i], origin};
             });
  say_when_absent(out, *now.trace, !markers->rows.empty(), "markers",
                  {"rocprofv3 --marker-trace",
                   "torch.profiler with ProfilerActivity.CPU, and record_function"});
  out.provenance = provenance_of(*now.trace);
  out.next = {"trace window MARKER"};
  return out;
}

struct CounterRow {
  std::string_view counter;
  const CounterInfo* info = nullptr;  ///< nullptr: not in the catalogue
  std::uint64_t dispatches = 0;
  double sum = 0, max = 0;

  [[nodiscard]] double mean() const {
    return dispatches == 0 ? 0 : sum / static_cast<double>(dispatches);
  }
};

constexpr auto kCounterColumns = bound_to<CounterRow>(
    column<&CounterRow::counter>("counter", "name"),
    column<&CounterRow::dispatches>("dispatches", "with a value"),
    column<&CounterRow::sum>("sum", "over all of them"),
    column<&CounterRow::mean>("mean", "of a dispatch"),
    column<&CounterRow::max>("max", "largest of a dispatch"),
    column<&CounterRow::info, &CounterInfo::block>("block",
                                                   "hardware block; null: not in the catalogue")
        .if_room(),
    column<&CounterRow::info, &CounterInfo::unit>("unit", "of one count").if_room(),
    column<&CounterRow::info, &CounterInfo::instances>(
        "instances", "sum, or max where instances count the same time")
        .never(),
    column<&CounterRow::info, &CounterInfo::description>("description", "what it counts")
        .if_room());

Result<Document> info_counters(Inputs inputs) {
  TRY(load_counter_files(inputs.settings));
  const Loaded now = TRY(loaded(inputs));
  const CounterTable* counters = TRY(now.trace->counters());
  const std::uint32_t agent = busiest_agent(*now.trace);
  const std::string arch = agent == kNone ? "" : now.trace->entities().agents[agent].arch;
  std::vector<CounterRow> rows;
  for (const std::string& name : counters->names) {
    CounterRow& row = rows.emplace_back();
    row.counter = name;
    row.info = CounterCatalogue::current().find(arch, name);
  }
  for (const CounterSample& sample : counters->rows) {
    CounterRow& row = rows[sample.counter];
    ++row.dispatches;
    row.sum += sample.sum;
    row.max = std::max(row.max, sample.sum);
  }
  Document out;
  out.table(kCounterColumns, rows);
  say_when_absent(
      out, *now.trace, !rows.empty(), "hardware counters",
      {"rocprofv3 --pmc", "PyTorch's profiler records none: rocprofv3 --pmc -- python APP.py"});
  out.provenance = provenance_of(*now.trace);
  return out;
}

Command listing(std::string path, std::string summary, std::string help,
                std::vector<Column> columns) {
  return Command{.path = path,
                 .does = kReads,
                 .chapter = Class::status,
                 .summary = std::move(summary),
                 .help = std::move(help),
                 .columns = std::move(columns),
                 .examples = {path + " TRACE --limit 3"}};
}

}  // namespace

void add_table_commands(Registry& registry) {
  Command copies =
      listing("info copies", "List memory copies in order of their starts.",
              "One row for each copy or fill, with its direction and rate where the recording "
              "knows its size.",
              described(kCopyColumns));
  copies.scalar = "id";
  add(registry, command(std::move(copies), info_copies));
  Command api = listing("info api", "List host API calls by name, the longest total first.",
                        "HIP, HSA and other calls that were recorded, summed by name. Nested calls "
                        "are counted in their callers too.",
                        described(kApiColumns));
  api.scalar = "name";
  add(registry, command(std::move(api), info_api));
  Command markers =
      listing("info markers", "List the program's own ranges and marks (ROCTx).",
              "A mark has no duration. `trace window TEXT` cuts out the range of that name.",
              described(kMarkerColumns));
  markers.scalar = "text";
  add(registry, command(std::move(markers), info_markers));
  Command counters = listing("info counters", "List the hardware counters of the recording.",
                             "Sums over instances (XCC, shader engine, channel) and dispatches, as "
                             "rocprofv3 sums them; for GRBM "
                             "counters a sum over instances is not a time.",
                             described(kCounterColumns));
  counters.scalar = "counter";
  add(registry, command(std::move(counters), info_counters));
}

}  // namespace rpl
