// SPDX-License-Identifier: MIT
#include "engine/trace/import/rocpd/rocpd_tables.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <span>
#include <thread>
#include <utility>

#include "engine/trace/core/counter_fold.h"
#include "engine/trace/core/name_index.h"
#include "engine/trace/import/rocpd/rocpd_source.h"

namespace rpl {
namespace {

/// The tables whose pages a fact is read from.
std::vector<std::string_view> tables_of(Fact fact) {
  switch (fact) {
    case Fact::copy_places:
      return {"rocpd_memory_copy"};
    case Fact::copy_calls:
    case Fact::copies:
      return {"rocpd_memory_copy", "rocpd_event"};
    case Fact::calls:
      return {"rocpd_region", "rocpd_event"};
    case Fact::orders:
      return {"rocpd_region", "rocpd_event", "rocpd_memory_copy", "rocpd_arg"};
    case Fact::markers:
      return {"rocpd_region", "rocpd_event", "rocpd_sample"};
    case Fact::counters:
      return {"rocpd_pmc_event"};
    case Fact::call_sites:
      return {"rpl_call_site"};
  }
  return {};
}

class RocpdTables : public FileTables {
 public:
  RocpdTables(std::shared_ptr<ForeignDatabase> database, const TableAccess& access)
      : database_(std::move(database)), access_(access) {}

  Status copies(const Trace& trace, std::uint32_t file, Fact depth, CopyTable& out) override {
    const bool linked = depth != Fact::copy_places;
    if (depth != Fact::copies) out.rows.leave_out_amounts();
    return each_source(trace, file, linked, [&](const RocpdPart& part, Source& source) -> Status {
      std::vector<RocpdLaunched> launched = TRY(read_rocpd_copies(part, out));
      if (linked) source.copies = std::move(launched);
      return {};
    });
  }
  Status api(const Trace& trace, std::uint32_t file, ApiTable& out) override;
  Status markers(const Trace& trace, std::uint32_t file, MarkerTable& out) override {
    return each_source(trace, file, false, [&](const RocpdPart& part, Source&) {
      return read_rocpd_markers(part, out);
    });
  }
  Status syncs(const Trace& trace, std::uint32_t file, SyncTable& out) override;
  Status counters(const Trace& trace, std::uint32_t file, CounterTable& out) override {
    TRY(each_source(trace, file, false, [&](const RocpdPart& part, Source&) {
      return read_rocpd_counters(part, out);
    }));
    fold_samples(out.rows);
    return {};
  }
  Status call_sites(const Trace& trace, std::uint32_t file, CallSiteTable& out) override {
    return each_source(trace, file, false, [&](const RocpdPart& part, Source&) {
      return read_rocpd_call_sites(part, out);
    });
  }
  Result<std::uint64_t> price(Fact fact) override;
  const Reading* reading() const override { return access_.reading.get(); }
  [[nodiscard]] std::vector<std::string> damage() const override { return access_.damage->list(); }
  void settle() override {
    reader_.reset();
    for (const auto& source : sources_) {
      source->events.reset();
      source->orders.reset();
      source->copies.reset();
    }
  }

 private:
  struct Source {
    RocpdSource tables;
    std::optional<RocpdScope> scope;
    std::optional<RocpdEvents> events;
    std::optional<ColumnVector<RocpdHostOp>> orders;  ///< found with the calls
    std::optional<std::vector<RocpdLaunched>> copies;
  };

  template <class Body>
  Status each_source(const Trace& trace, std::uint32_t file, bool with_events, Body body);
  Status load_sources(const Trace& trace, std::uint32_t file);

  std::shared_ptr<ForeignDatabase> database_;
  TableAccess access_;
  std::vector<std::unique_ptr<Source>> sources_;
  /// While facts are read that were asked for together.
  std::unique_ptr<TableReader> reader_;
};

Status RocpdTables::load_sources(const Trace& trace, std::uint32_t file) {
  if (!reader_) reader_ = TRY(TableReader::begin(*database_, access_));
  if (!sources_.empty()) return {};
  std::vector<std::unique_ptr<Source>> sources;
  for (RocpdSource& each : TRY(rocpd_sources(*database_))) {
    reader_->look_at("rocpd_string", each.suffix);
    auto source = std::make_unique<Source>();
    source->tables = std::move(each);
    source->scope.emplace(*database_, source->tables, trace, file, *access_.connection);
    TRY(source->scope->load());
    sources.push_back(std::move(source));
  }
  sources_ = std::move(sources);
  return {};
}

template <class Body>
Status RocpdTables::each_source(const Trace& trace, std::uint32_t file, bool with_events,
                                Body body) {
  TRY(load_sources(trace, file));
  const RocpdEvents none;
  for (const auto& source : sources_) {
    if (with_events && !source->events) {
      RocpdEvents events;
      TRY(events.load(*source->scope, *reader_));
      source->events = std::move(events);
    }
    const RocpdPart part{trace,          file,
                         *source->scope, with_events ? *source->events : none,
                         *reader_,       source->copies ? &*source->copies : nullptr};
    TRY(body(part, *source));
    TRY(source->scope->strings_read());
  }
  return {};
}

Status RocpdTables::api(const Trace& trace, std::uint32_t file, ApiTable& out) {
  return each_source(trace, file, true, [&](const RocpdPart& part, Source& source) -> Status {
    Result<RocpdRegions> read;
    {
      std::jthread other;
      if (part.reader.threads() > 1)
        other = std::jthread([&] { link_rocpd_dispatches(part, out.dispatch_correlation); });
      read = read_rocpd_regions(part);
    }
    if (part.reader.threads() == 1) link_rocpd_dispatches(part, out.dispatch_correlation);
    RocpdRegions regions = TRY(std::move(read));
    if (regions.lost > 0)
      out.notes.push_back(fmt::format("{} API calls name no known process", regions.lost));
    source.orders = std::move(regions.orders);
    // Several recordings in one file have each numbered their names from 0 on.
    std::vector<std::uint32_t> moved;
    NameIndex names(out.names);
    for (const std::string& name : regions.names) moved.push_back(names(name));
    regions.calls.rename(moved);
    out.rows.append(std::move(regions.calls));
    return {};
  });
}

Status RocpdTables::syncs(const Trace& trace, std::uint32_t file, SyncTable& out) {
  return each_source(trace, file, true, [&](const RocpdPart& part, Source& source) -> Status {
    if (!source.orders) source.orders = TRY(read_rocpd_regions(part)).orders;
    ColumnVector<RocpdHostOp> orders = std::move(*source.orders);
    source.orders.reset();
    return read_rocpd_syncs(part, std::move(orders), out);
  });
}

Result<std::uint64_t> RocpdTables::price(Fact fact) {
  if (!reader_) reader_ = TRY(TableReader::begin(*database_, access_));
  std::uint64_t pages = 0;
  for (const RocpdSource& source : TRY(rocpd_sources(*database_))) {
    for (const std::string_view table : tables_of(fact))
      pages += TRY(reader_->prepare(table, source.suffix, {})).leaves.size();
  }
  reader_.reset();
  return pages;
}

}  // namespace

std::unique_ptr<FileTables> rocpd_tables(std::shared_ptr<ForeignDatabase> database,
                                         const TableAccess& access) {
  return std::make_unique<RocpdTables>(std::move(database), access);
}

}  // namespace rpl
