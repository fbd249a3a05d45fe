// SPDX-License-Identifier: MIT
#include "engine/trace/import/rocpd/rocpd_tables.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "engine/base/interrupt.h"
#include "engine/trace/core/counter_fold.h"
#include "engine/trace/core/name_index.h"
#include "engine/trace/core/reader.h"
#include "engine/trace/core/row_index.h"

namespace rpl {

namespace {

class RocpdTables : public FileTables {
 public:
  explicit RocpdTables(std::shared_ptr<ForeignDatabase> database)
      : database_(std::move(database)) {}

  Status copies(const Trace& trace, std::uint32_t file, CopyTable& out) override {
    return each_source(trace, file,
                       [&](const RocpdPart& part) { return read_rocpd_copies(part, out); });
  }
  Status api(const Trace& trace, std::uint32_t file, ApiTable& out) override {
    return each_source(trace, file,
                       [&](const RocpdPart& part) { return read_rocpd_api(part, out); });
  }
  Status markers(const Trace& trace, std::uint32_t file, MarkerTable& out) override {
    return each_source(trace, file,
                       [&](const RocpdPart& part) { return read_rocpd_markers(part, out); });
  }
  Status syncs(const Trace& trace, std::uint32_t file, SyncTable& out) override {
    return each_source(trace, file,
                       [&](const RocpdPart& part) { return read_rocpd_syncs(part, out); });
  }
  Status counters(const Trace& trace, std::uint32_t file, CounterTable& out) override;

 private:
  /// Tables that need the events; they are let go when the last of them has been read.
  static constexpr int kReadersOfEvents = 4;

  template <class Body>
  Status each_source(const Trace& trace, std::uint32_t file, Body body);
  Status load_sources(const Trace& trace, std::uint32_t file);

  struct Source {
    RocpdSource tables;
    std::optional<RocpdScope> scope;
    std::optional<RocpdEvents> events;
  };

  std::shared_ptr<ForeignDatabase> database_;
  std::vector<std::unique_ptr<Source>> sources_;
  int reads_ = 0;
};

Status RocpdTables::load_sources(const Trace& trace, std::uint32_t file) {
  if (!sources_.empty()) return {};
  for (RocpdSource& each : TRY(rocpd_sources(*database_))) {
    auto source = std::make_unique<Source>();
    source->tables = std::move(each);
    source->scope.emplace(*database_, source->tables, trace, file);
    TRY(source->scope->load());
    sources_.push_back(std::move(source));
  }
  return {};
}

template <class Body>
Status RocpdTables::each_source(const Trace& trace, std::uint32_t file, Body body) {
  TRY(load_sources(trace, file));
  for (const auto& source : sources_) {
    if (!source->events) {
      RocpdEvents events;
      TRY(events.load(*source->scope));
      source->events = std::move(events);
    }
    TRY(body(RocpdPart{trace, file, *source->scope, *source->events}));
  }
  if (++reads_ == kReadersOfEvents) {
    for (const auto& source : sources_) source->events.reset();
  }
  return {};
}

Status RocpdTables::counters(const Trace& trace, std::uint32_t file, CounterTable& out) {
  TRY(load_sources(trace, file));
  const RocpdEvents none;
  for (const auto& source : sources_) {
    TRY(read_rocpd_counters({trace, file, *source->scope, none}, out));
  }
  fold_samples(out.rows);
  return {};
}

}  // namespace

Status read_rocpd_copies(const RocpdPart& part, CopyTable& out) {
  Statement rows = TRY(
      select_columns(part.scope.database(), part.scope.source().table("rocpd_memory_copy"),
                     {"start", "end", "name_id", "size", "event_id", "src_agent_id", "dst_agent_id",
                      "pid", "tid", "track_id", "agent_id", "queue_id", "stream_id"}));
  NameIndex names(out.names);
  std::size_t count = 0, lost = 0;
  while (TRY(rows.step())) {
    if (++count % interrupt::kRowsBetweenChecks == 0) TRY(interrupt::check());
    const RocpdOwner owner = part.scope.owner(rows, 7);
    if (owner.process == kNone) {
      ++lost;
      continue;
    }
    Copy copy;
    copy.start_ns = rows.int64(0);
    copy.end_ns = rows.int64(1);
    copy.process = owner.process;
    copy.stream = owner.stream;
    copy.queue = owner.queue;
    copy.thread = owner.thread;
    copy.name = names(part.scope.string(rows.int64(2)));
    copy.bytes = rows.is_null(3) ? kUnknownBytes : static_cast<std::uint64_t>(rows.int64(3));
    copy.event_id = rows.int64(4);
    copy.correlation = part.events.correlation(copy.event_id);
    copy.src_agent = part.scope.agent(owner.process, rows, 5);
    copy.dst_agent = part.scope.agent(owner.process, rows, 6);
    out.rows.push_back(copy);
  }
  if (lost > 0) out.notes.push_back(fmt::format("{} copies name no known process", lost));
  return {};
}

Status read_rocpd_counters(const RocpdPart& part, CounterTable& out) {
  ForeignDatabase& database = part.scope.database();
  const RocpdSource& source = part.scope.source();
  NameIndex names(out.names);
  std::unordered_map<std::int64_t, std::uint32_t> counters;
  Statement infos =
      TRY(select_columns(database, source.table("rocpd_info_pmc"), {"id", "name", "symbol"}));
  while (TRY(infos.step())) {
    counters[infos.int64(0)] = names(infos.text(infos.text(1).empty() ? 2 : 1));
  }
  const RowIndex index(part.trace, part.file, RowIndex::Key::event_id);
  const auto row_of = [&](std::int64_t event) {
    for (const std::uint32_t process : part.scope.processes()) {
      if (const std::uint32_t row = index.find(process, event); row != kNone) return row;
    }
    return kNone;
  };
  Statement rows = TRY(select_columns(database, source.table("rocpd_pmc_event"),
                                      {"event_id", "pmc_id", "value", "sample_id"}));
  std::size_t count = 0, streaming = 0, lost = 0;
  std::int64_t event = 0;
  std::uint32_t row = kNone;
  while (TRY(rows.step())) {
    if (++count % interrupt::kRowsBetweenChecks == 0) TRY(interrupt::check());
    if (!rows.is_null(3)) {
      ++streaming;
      continue;
    }
    if (row == kNone || rows.int64(0) != event) {
      event = rows.int64(0);
      row = row_of(event);
    }
    if (row == kNone) {
      ++lost;
      continue;
    }
    const std::int64_t id = rows.int64(1);
    auto counter = counters.find(id);
    if (counter == counters.end()) {
      counter = counters.emplace(id, names(fmt::format("counter {}", id))).first;
    }
    add_sample(out.rows, {row, counter->second, 1, rows.real(2), rows.real(2)});
  }
  if (streaming > 0) {
    out.notes.push_back(fmt::format(
        "{} streaming counter samples belong to no dispatch and were left out", streaming));
  }
  if (lost > 0) {
    out.notes.push_back(fmt::format("{} counter values belong to no dispatch of the trace", lost));
  }
  return {};
}

std::unique_ptr<FileTables> rocpd_tables(std::shared_ptr<ForeignDatabase> database) {
  return std::make_unique<RocpdTables>(std::move(database));
}

}  // namespace rpl
