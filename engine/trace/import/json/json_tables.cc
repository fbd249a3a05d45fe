// SPDX-License-Identifier: MIT
#include "engine/trace/import/json/json_sections.h"

#include <fmt/format.h>

#include <optional>
#include <unordered_map>
#include <utility>

#include "engine/base/interrupt.h"
#include "engine/trace/core/counter_fold.h"
#include "engine/trace/core/entity_lookup.h"
#include "engine/trace/core/name_index.h"
#include "engine/trace/core/row_index.h"
#include "engine/trace/core/trace.h"
#include "engine/trace/import/json/json_names.h"

namespace rpl {

namespace {

using Cells = std::span<const JsonCell>;

constexpr std::string_view kCopies = "buffer_records.memory_copy";
constexpr std::string_view kMarkers = "buffer_records.marker_api";
constexpr std::string_view kEvents = "buffer_records.hip_event";
constexpr std::string_view kCounters = "callback_records.counter_collection";

/// `operation` of a hip_event record where the file does not name it.
constexpr std::int64_t kEventRecord = 1;
constexpr std::int64_t kEventWait = 2;

/// Fields that every record of an API has, in this order; the enumeration below names their cells.
std::vector<JsonField> region_fields() {
  return {{"start_timestamp", JsonType::integer, true},
          {"end_timestamp", JsonType::integer, true},
          {"kind"},
          {"operation"},
          {"correlation_id.internal"},
          {"thread_id"}};
}
enum Region : std::size_t { start, end, kind, operation, correlation, thread, region_count };

std::uint64_t as_unsigned(const JsonCell& cell) { return static_cast<std::uint64_t>(cell.integer); }

bool is_api(std::string_view section) {
  return section.starts_with("buffer_records.") && section.ends_with("_api") && section != kMarkers;
}

/// Names are made once for each (kind, operation), not for every record.
class OperationNames {
 public:
  OperationNames(const JsonNames& names, NameIndex& index) : names_(names), index_(index) {}

  std::uint32_t operator()(std::int64_t kind, std::int64_t operation) {
    const auto key = static_cast<std::uint64_t>(kind) << 32 ^ static_cast<std::uint64_t>(operation);
    if (const auto found = known_.find(key); found != known_.end()) return found->second;
    return known_.emplace(key, index_(names_.operation(kind, operation))).first->second;
  }
  std::uint32_t kind(std::int64_t kind) {
    if (const auto found = kinds_.find(kind); found != kinds_.end()) return found->second;
    return kinds_.emplace(kind, index_(names_.kind(kind))).first->second;
  }

 private:
  const JsonNames& names_;
  NameIndex& index_;
  std::unordered_map<std::uint64_t, std::uint32_t> known_;
  std::unordered_map<std::int64_t, std::uint32_t> kinds_;
};

class JsonTables : public FileTables {
 public:
  explicit JsonTables(JsonSections sections) : sections_(std::move(sections)) {}

  Status copies(const Trace& trace, std::uint32_t file, Fact, CopyTable& out) override;
  Status api(const Trace& trace, std::uint32_t file, ApiTable& out) override;
  Status markers(const Trace& trace, std::uint32_t file, MarkerTable& out) override;
  Status syncs(const Trace& trace, std::uint32_t file, SyncTable& out) override;
  Status counters(const Trace& trace, std::uint32_t file, CounterTable& out) override;

 private:
  /// Index of a document's process in the merged trace; kNone for one that left nothing there.
  Result<std::uint32_t> process(const EntityLookup& lookup, std::size_t index) {
    const JsonProcess found = TRY(read_json_process(sections_, index));
    return lookup.process("", found.pid);
  }
  Status event_ops(const EntityLookup& lookup, std::uint32_t owner, std::size_t index,
                   SyncTable& out);
  Status host_ops(std::uint32_t owner, std::size_t index, SyncTable& out);

  JsonSections sections_;
};

Status JsonTables::copies(const Trace& trace, std::uint32_t file, Fact, CopyTable& out) {
  const EntityLookup lookup(trace.entities(), file);
  NameIndex index(out.names);
  for (std::size_t i = 0; i < sections_.processes(); ++i) {
    if (!sections_.has(i, kCopies)) continue;
    const std::uint32_t owner = TRY(process(lookup, i));
    const JsonNames names = TRY(JsonNames::read(sections_, i));
    const JsonAgents agents = TRY(read_json_agents(sections_, i));
    OperationNames operations(names, index);
    std::vector<JsonField> fields = region_fields();
    fields.insert(fields.end(), {{"src_agent_id.handle", JsonType::handle},
                                 {"dst_agent_id.handle", JsonType::handle},
                                 {"bytes"},
                                 {"stream_id.handle", JsonType::handle}});
    TRY(sections_.rows(i, kCopies, std::move(fields), [&](Cells cells) -> Status {
      Copy copy;
      copy.start_ns = cells[start].integer;
      copy.end_ns = cells[end].integer;
      copy.process = owner;
      copy.thread = cells[thread].integer;
      copy.name = operations(cells[kind].integer, cells[operation].integer);
      copy.correlation = as_unsigned(cells[correlation]);
      const Cells own = cells.subspan(region_count);
      copy.src_agent = lookup.agent(owner, recorded_agent(agents, own[0].integer));
      copy.dst_agent = lookup.agent(owner, recorded_agent(agents, own[1].integer));
      copy.bytes = own[2].present ? as_unsigned(own[2]) : kUnknownBytes;
      if (own[3].present) copy.stream = lookup.stream(owner, as_unsigned(own[3]));
      out.rows.push_back(copy);
      return {};
    }));
  }
  return {};
}

Status JsonTables::api(const Trace& trace, std::uint32_t file, ApiTable& out) {
  for_rows_of_file(trace, file, [&](std::uint32_t row) {
    out.dispatch_correlation.set(row, static_cast<std::uint64_t>(trace.event_id(row)));
  });
  const EntityLookup lookup(trace.entities(), file);
  NameIndex index(out.names);
  for (std::size_t i = 0; i < sections_.processes(); ++i) {
    const std::uint32_t owner = TRY(process(lookup, i));
    const JsonNames names = TRY(JsonNames::read(sections_, i));
    OperationNames operations(names, index);
    for (const auto& [section, offset] : sections_.sections(i)) {
      if (!is_api(section)) continue;
      TRY(sections_.rows(i, section, region_fields(), [&](Cells cells) -> Status {
        ApiCall call;
        call.start_ns = cells[start].integer;
        call.end_ns = cells[end].integer;
        call.process = owner;
        call.thread = cells[thread].integer;
        call.name = operations(cells[kind].integer, cells[operation].integer);
        call.category = operations.kind(cells[kind].integer);
        call.correlation = as_unsigned(cells[correlation]);
        out.rows.push_back(call);
        return {};
      }));
    }
  }
  return {};
}

Status JsonTables::markers(const Trace& trace, std::uint32_t file, MarkerTable& out) {
  const EntityLookup lookup(trace.entities(), file);
  for (std::size_t i = 0; i < sections_.processes(); ++i) {
    if (!sections_.has(i, kMarkers)) continue;
    const std::uint32_t owner = TRY(process(lookup, i));
    const JsonNames names = TRY(JsonNames::read(sections_, i));
    std::unordered_map<std::int64_t, std::string> texts;
    TRY(sections_.rows(i, "strings.marker_api", {{"key"}, {"value", JsonType::text}},
                       [&](Cells cells) -> Status {
                         texts.insert_or_assign(cells[0].integer, std::string(cells[1].text));
                         return {};
                       }));
    TRY(sections_.rows(i, kMarkers, region_fields(), [&](Cells cells) -> Status {
      const auto text = texts.find(cells[correlation].integer);
      out.rows.push_back({cells[start].integer, cells[end].integer, owner, cells[thread].integer,
                          text != texts.end()
                              ? text->second
                              : names.operation(cells[kind].integer, cells[operation].integer)});
      return {};
    }));
  }
  return {};
}

Status JsonTables::syncs(const Trace& trace, std::uint32_t file, SyncTable& out) {
  const EntityLookup lookup(trace.entities(), file);
  for (std::size_t i = 0; i < sections_.processes(); ++i) {
    const std::uint32_t owner = TRY(process(lookup, i));
    TRY(event_ops(lookup, owner, i, out));
    TRY(host_ops(owner, i, out));
  }
  return {};
}

Status JsonTables::event_ops(const EntityLookup& lookup, std::uint32_t owner, std::size_t index,
                             SyncTable& out) {
  if (!sections_.has(index, kEvents)) return {};
  const JsonNames names = TRY(JsonNames::read(sections_, index));
  std::vector<JsonField> fields = region_fields();
  fields.insert(fields.end(), {{"stream_id.handle", JsonType::handle},
                               {"queue_id.handle", JsonType::handle},
                               {"source_queue_id.handle", JsonType::handle},
                               {"hip_event_handle", JsonType::handle}});
  std::size_t unknown = 0;
  TRY(sections_.rows(index, kEvents, std::move(fields), [&](Cells cells) -> Status {
    const std::int64_t number = cells[operation].integer;
    const std::string name = names.operation(cells[kind].integer, number);
    const bool wait = name.find("WAIT") != std::string::npos;
    const bool record = name.find("RECORD") != std::string::npos;
    if (!wait && !record && number != kEventRecord && number != kEventWait) {
      ++unknown;
      return {};
    }
    SyncOp op;
    op.kind =
        wait || (!record && number == kEventWait) ? SyncKind::event_wait : SyncKind::event_record;
    op.source = SyncSource::hip_event_table;
    op.start_ns = cells[start].integer;
    op.end_ns = cells[end].integer;
    op.process = owner;
    op.correlation = as_unsigned(cells[correlation]);
    const Cells own = cells.subspan(region_count);
    if (own[0].present) op.stream = lookup.stream(owner, as_unsigned(own[0]));
    if (own[1].present) op.queue = lookup.queue(owner, as_unsigned(own[1]));
    if (own[2].present && op.kind == SyncKind::event_wait) {
      op.source_queue = lookup.queue(owner, as_unsigned(own[2]));
    }
    op.event = as_unsigned(own[3]);
    out.rows.push_back(op);
    return {};
  }));
  if (unknown > 0)
    out.notes.push_back(fmt::format("{} HIP event records have an unknown operation", unknown));
  return {};
}

Status JsonTables::host_ops(std::uint32_t owner, std::size_t index, SyncTable& out) {
  const bool events = sections_.has(index, kEvents);
  const JsonNames names = TRY(JsonNames::read(sections_, index));
  std::vector<std::string> functions;
  NameIndex function_index(functions);
  OperationNames operations(names, function_index);
  std::vector<std::optional<SyncKind>> kinds;
  return sections_.rows(
      index, "buffer_records.hip_api", region_fields(), [&](Cells cells) -> Status {
        const std::uint32_t function = operations(cells[kind].integer, cells[operation].integer);
        while (kinds.size() <= function) kinds.push_back(sync_kind(functions[kinds.size()]));
        const std::optional<SyncKind> found = kinds[function];
        if (!found) return {};
        const bool on_device = *found == SyncKind::event_record || *found == SyncKind::event_wait;
        if (events && on_device) return {};
        SyncOp op;
        op.kind = *found;
        op.source = SyncSource::api_name;
        op.start_ns = cells[start].integer;
        op.end_ns = cells[end].integer;
        op.process = owner;
        op.thread = cells[thread].integer;
        op.correlation = as_unsigned(cells[correlation]);
        out.rows.push_back(op);
        return {};
      });
}

/// The counter records of one process: names by handle, and instances folded into rows.
class CounterReader {
 public:
  CounterReader(const RowIndex& rows, std::uint32_t owner, NameIndex& index, CounterTable& out)
      : rows_(rows), owner_(owner), index_(index), out_(out) {}

  Status read(JsonSections& sections, std::size_t process) {
    TRY(sections.rows(process, "counters",
                      {{"id.handle", JsonType::handle, true}, {"name", JsonType::text}},
                      [&](Cells cells) -> Status {
                        names_.insert_or_assign(cells[0].integer, index_(cells[1].text));
                        return {};
                      }));
    return sections.rows(
        process, kCounters,
        {{"dispatch_data.dispatch_info.dispatch_id", JsonType::integer, true},
         {"records", JsonType::raw}},
        [&](Cells cells) { return read_dispatch(cells[0].integer, cells[1].text); });
  }
  [[nodiscard]] std::size_t lost() const { return lost_; }

 private:
  Status read_dispatch(std::int64_t id, std::string_view records) {
    const std::uint32_t row = rows_.find(owner_, id);
    if (row == kNone) {
      ++lost_;
      return {};
    }
    return instances_.read_array(records, [&](Cells cells) -> Status {
      const double value = cells[1].number;
      add_sample(out_.rows, {row, name_of(cells[0].integer), 1, value, value});
      return {};
    });
  }

  std::uint32_t name_of(std::int64_t handle) {
    const auto known = names_.find(handle);
    return known != names_.end() ? known->second : index_(fmt::format("counter {}", handle));
  }

  const RowIndex& rows_;
  std::uint32_t owner_;
  NameIndex& index_;
  CounterTable& out_;
  std::unordered_map<std::int64_t, std::uint32_t> names_;
  JsonRows instances_{
      fmt::format("{}.records", kCounters),
      {{"counter_id.handle", JsonType::handle, true}, {"value", JsonType::number, true}}};
  std::size_t lost_ = 0;
};

Status JsonTables::counters(const Trace& trace, std::uint32_t file, CounterTable& out) {
  const EntityLookup lookup(trace.entities(), file);
  const RowIndex rows(trace, file, RowIndex::Key::dispatch_id);
  NameIndex index(out.names);
  std::size_t lost = 0;
  for (std::size_t i = 0; i < sections_.processes(); ++i) {
    if (!sections_.has(i, kCounters)) continue;
    CounterReader reader(rows, TRY(process(lookup, i)), index, out);
    TRY(reader.read(sections_, i));
    lost += reader.lost();
  }
  fold_samples(out.rows);
  if (lost > 0) {
    out.notes.push_back(
        fmt::format("counters of {} dispatches that the trace does not have", lost));
  }
  return {};
}

}  // namespace

std::unique_ptr<FileTables> json_tables(JsonSections sections) {
  return std::make_unique<JsonTables>(std::move(sections));
}

}  // namespace rpl
