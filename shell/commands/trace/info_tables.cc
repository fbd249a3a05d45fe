// SPDX-License-Identifier: MIT
// info copies, api, markers, counters: what the recording has beside dispatches.
#include <fmt/format.h>

#include <algorithm>

#include "engine/metrics/counters/catalogue.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/counter_files.h"
#include "shell/core/inputs/hardware.h"
#include "shell/core/inputs/loaded.h"

namespace rpl {
namespace {

/// Rows made from an index, one pass after another.
class IndexedRows : public RowSource {
 public:
  using Make = std::function<void(std::size_t index, Row& row)>;
  IndexedRows(std::size_t count, Make make) : count_(count), make_(std::move(make)) {}

  Result<bool> next(Row& row) override {
    if (next_ >= count_) return false;
    row.clear();
    make_(next_++, row);
    return true;
  }

 private:
  std::size_t count_, next_ = 0;
  Make make_;
};

void rows_by_index(Document& out, std::size_t count, IndexedRows::Make make) {
  out.rows_from = [count, make = std::move(make)] {
    return std::make_unique<IndexedRows>(count, make);
  };
}

void say_when_absent(Document& out, bool present, std::string_view what, std::string_view option) {
  if (!present) out.notes.push_back(fmt::format("the recording has no {} ({})", what, option));
}

Result<Document> info_copies(Context& context) {
  const Loaded now = TRY(loaded(context));
  const CopyTable* copies = TRY(now.trace->copies());
  Document out;
  rows_by_index(
      out, copies->rows.size(),
      [origin = origin_of(*now.trace), copies, trace = now.trace](std::size_t i, Row& row) {
        const Copy& copy = copies->rows[i];
        const std::int64_t ns = copy.end_ns - copy.start_ns;
        const bool sized = copy.bytes != kUnknownBytes;
        row = {Value(fmt::format("copy{}", i + 1)),
               Value(copies->names[copy.name]),
               entity_id('s', copy.stream),
               entity_id('a', copy.src_agent),
               entity_id('a', copy.dst_agent),
               Value(copy.start_ns - origin),
               Value(ns),
               sized ? Value(copy.bytes) : Value(),
               sized && ns > 0 ? Value(static_cast<double>(copy.bytes) / static_cast<double>(ns))
                               : Value()};
      });
  say_when_absent(out, !copies->rows.empty(), "memory copies", "rocprofv3 --memory-copy-trace");
  out.provenance = provenance_of(*now.trace);
  if (!copies->rows.empty()) out.next = {"overlap", "timeline"};
  return out;
}

Result<Document> info_api(Context& context) {
  const Loaded now = TRY(loaded(context));
  const ApiTable* api = TRY(now.trace->api());
  struct Total {
    std::uint64_t calls = 0;
    std::int64_t total_ns = 0, max_ns = 0;
    std::uint32_t category = 0;
  };
  std::vector<Total> totals(api->names.size());
  for (const ApiCall& call : api->rows) {
    Total& total = totals[call.name];
    ++total.calls;
    total.total_ns += call.end_ns - call.start_ns;
    total.max_ns = std::max(total.max_ns, call.end_ns - call.start_ns);
    total.category = call.category;
  }
  Document out;
  for (std::size_t i = 0; i < totals.size(); ++i) {
    const Total& total = totals[i];
    if (total.calls == 0) continue;
    out.rows.push_back(
        {Value(api->names[i]), Value(api->names[total.category]), Value(total.calls),
         Value(total.total_ns),
         Value(static_cast<double>(total.total_ns) / static_cast<double>(total.calls)),
         Value(total.max_ns)});
  }
  std::ranges::stable_sort(out.rows, [](const Row& a, const Row& b) {
    return *a[3].as<std::int64_t>() > *b[3].as<std::int64_t>();
  });
  say_when_absent(out, !out.rows.empty(), "API calls", "rocprofv3 --hip-trace or --sys-trace");
  out.provenance = provenance_of(*now.trace);
  if (!out.rows.empty()) out.next = {"gaps", "critpath"};
  return out;
}

Result<Document> info_markers(Context& context) {
  const Loaded now = TRY(loaded(context));
  const MarkerTable* markers = TRY(now.trace->markers());
  Document out;
  rows_by_index(
      out, markers->rows.size(),
      [origin = origin_of(*now.trace), markers, trace = now.trace](std::size_t i, Row& row) {
        const Marker& marker = markers->rows[i];
        row = {Value(marker.text), Value(marker.start_ns - origin),
               Value(marker.end_ns - marker.start_ns), Value(marker.thread)};
      });
  say_when_absent(out, !markers->rows.empty(), "markers", "rocprofv3 --marker-trace");
  out.provenance = provenance_of(*now.trace);
  out.next = {"trace window MARKER"};
  return out;
}

Result<Document> info_counters(Context& context) {
  TRY(load_counter_files(context));
  const Loaded now = TRY(loaded(context));
  const CounterTable* counters = TRY(now.trace->counters());
  struct Total {
    std::uint64_t samples = 0;
    double sum = 0, most = 0;
  };
  std::vector<Total> totals(counters->names.size());
  for (const CounterSample& sample : counters->rows) {
    Total& total = totals[sample.counter];
    ++total.samples;
    total.sum += sample.sum;
    total.most = std::max(total.most, sample.sum);
  }
  Document out;
  const std::uint32_t agent = busiest_agent(*now.trace);
  const std::string arch = agent == kNone ? "" : now.trace->entities().agents[agent].arch;
  for (std::size_t i = 0; i < totals.size(); ++i) {
    const Total& total = totals[i];
    const double mean = total.samples == 0 ? 0 : total.sum / static_cast<double>(total.samples);
    const CounterInfo* info = CounterCatalogue::current().find(arch, counters->names[i]);
    const auto known = [&](std::string_view text) { return info ? Value(text) : Value(); };
    out.rows.push_back(
        {Value(counters->names[i]), Value(total.samples), Value(total.sum), Value(mean),
         Value(total.most), known(info ? info->block : ""), known(info ? info->unit : ""),
         known(info ? to_string(info->instances) : ""), known(info ? info->description : "")});
  }
  say_when_absent(out, !out.rows.empty(), "hardware counters", "rocprofv3 --pmc");
  out.provenance = provenance_of(*now.trace);
  return out;
}

Command listing(std::string path, std::string summary, std::string help,
                std::vector<Column> columns) {
  return Command{.path = path,
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
              {{"id", Type::id, Unit::none, "copy1, copy2, …"},
               {"direction", Type::string, Unit::none, "as the recorder calls it"},
               {"stream", Type::string, Unit::none, "HIP stream"},
               {"from", Type::string, Unit::none, "source device", InText::if_room},
               {"to", Type::string, Unit::none, "destination device", InText::if_room},
               {"at_ns", Type::integer, Unit::ns, "begin, from the beginning of the trace"},
               {"duration_ns", Type::integer, Unit::ns, "end - begin"},
               {"size_bytes", Type::integer, Unit::bytes, "null when not recorded"},
               {"rate_gbps", Type::number, Unit::gbps, "size / duration"}});
  copies.scalar = "id";
  add(registry, command(std::move(copies), info_copies));
  Command api = listing("info api", "List host API calls by name, the longest total first.",
                        "HIP, HSA and other calls that were recorded, summed by name. Nested calls "
                        "are counted in their callers too.",
                        {{"name", Type::string, Unit::none, "function"},
                         {"category", Type::string, Unit::none, "as recorded", InText::if_room},
                         {"calls", Type::integer, Unit::count, "how often"},
                         {"total_ns", Type::integer, Unit::ns, "sum of durations"},
                         {"mean_ns", Type::number, Unit::ns, "mean duration"},
                         {"max_ns", Type::integer, Unit::ns, "longest"}});
  api.scalar = "name";
  add(registry, command(std::move(api), info_api));
  Command markers =
      listing("info markers", "List the program's own ranges and marks (ROCTx).",
              "A mark has no duration. `trace window TEXT` cuts out the range of that name.",
              {{"text", Type::string, Unit::none, "what the program said"},
               {"at_ns", Type::integer, Unit::ns, "begin, from the beginning of the trace"},
               {"duration_ns", Type::integer, Unit::ns, "0 for a mark"},
               {"thread", Type::integer, Unit::none, "OS thread", InText::if_room}});
  markers.scalar = "text";
  add(registry, command(std::move(markers), info_markers));
  Command counters =
      listing("info counters", "List the hardware counters of the recording.",
              "Sums over instances (XCC, shader engine, channel) and dispatches, as "
              "rocprofv3 sums them; for GRBM "
              "counters a sum over instances is no time.",
              {{"counter", Type::string, Unit::none, "name"},
               {"dispatches", Type::integer, Unit::count, "with a value"},
               {"sum", Type::number, Unit::none, "over all of them"},
               {"mean", Type::number, Unit::none, "of a dispatch"},
               {"max", Type::number, Unit::none, "largest of a dispatch"},
               {"block", Type::string, Unit::none, "hardware block; null: not in the catalogue",
                InText::if_room},
               {"unit", Type::string, Unit::none, "of one count", InText::if_room},
               {"instances", Type::string, Unit::none,
                "sum, or max where instances count the same time", InText::never},
               {"description", Type::string, Unit::none, "what it counts", InText::if_room}});
  counters.scalar = "counter";
  add(registry, command(std::move(counters), info_counters));
}

}  // namespace rpl
