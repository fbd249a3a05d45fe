// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "engine/trace/core/reader.h"
#include "engine/trace/import/rocpd/rocpd_dispatches.h"
#include "engine/trace/import/rocpd/rocpd_entities.h"
#include "engine/trace/import/rocpd/rocpd_source.h"
#include "engine/trace/import/rocpd/rocpd_tables.h"
#include "engine/trace/import/rocpd/verify_database.h"

namespace rpl {
namespace {

Status check_version(const RocpdSource& source) {
  const std::string& version = source.version;
  if (version.empty() || version.starts_with('3') || version.starts_with("4")) return {};
  return fail(Errc::unsupported, fmt::format("rocpd schema version {} is not known", version),
              "this build reads schema 3 to 3.0.5 and 4.1");
}

Result<bool> has_rows(ForeignDatabase& database, const RocpdSource& source, TableReader& reader,
                      std::string_view base) {
  if (!source.has(base)) return false;
  Statement probe = TRY(database.database().prepare(
      fmt::format("SELECT 1 FROM {} LIMIT 1", sql_name(source.table(base)))));
  const bool any = TRY(probe.step());
  if (!any) reader.note_empty(base, source.suffix);
  return any;
}

Status add_presence(ForeignDatabase& database, const RocpdSource& source, TableReader& reader,
                    Presence& presence) {
  const auto has = [&](std::string_view base) { return has_rows(database, source, reader, base); };
  presence.copies |= TRY(has("rocpd_memory_copy"));
  const bool regions = TRY(has("rocpd_region"));
  presence.api |= regions;
  presence.api_args |= TRY(has("rocpd_arg"));
  presence.counters |= TRY(has("rocpd_pmc_event"));
  presence.events |= TRY(has("rocpd_hip_event"));
  presence.events |= TRY(has("rocpd_event_operation"));
  // Which regions are markers only the events' categories tell, too many to look through here: those recorded at all
  // are interned strings.
  bool markers = TRY(has("rocpd_sample"));
  if (regions && !markers && source.has("rocpd_string")) {
    Statement names = TRY(database.database().prepare(
        fmt::format("SELECT 1 FROM {} WHERE string LIKE 'MARKER%' LIMIT 1",
                    sql_name(source.table("rocpd_string")))));
    markers = TRY(names.step());
  }
  presence.markers |= markers;
  presence.modelled |= source.modelled;
  presence.joined_counters |= source.joined_counters;
  return {};
}

void note_gaps(const RocpdSource& source, RawTrace& raw, bool has_table) {
  const auto say = [&](std::string_view what) { raw.notes.emplace_back(what); };
  if (source.version.empty()) say("the metadata has no schema version; read as schema 3");
  if (!has_table) {
    say("the table rocpd_kernel_dispatch is missing: the recorder stopped early, or kernels were "
        "not traced");
  } else if (raw.columns.start_ns.empty()) {
    say("no dispatch was recorded: the application launched no kernel, kernels were not traced, or "
        "the recorder crashed");
  }
  if (raw.processes().empty())
    say("no process was recorded: the recorder crashed before it wrote one");
  if (raw.agents().empty()) say("no agent was recorded: the recorder crashed before it wrote one");
}

/// The highest id of an event; nullopt when there is no such table.
Result<std::optional<std::int64_t>> last_event(ForeignDatabase& database, const RocpdSource& source,
                                               const TableReader& reader) {
  if (!source.has("rocpd_event")) return std::optional<std::int64_t>();
  // SQLite takes longer to understand the question than the pages to be looked at.
  if (const auto last = reader.last_rowid("rocpd_event", source.suffix)) return last;
  const auto last = database.database().scalar(
      fmt::format("SELECT max(id) FROM {}", sql_name(source.table("rocpd_event"))));
  // A table without ids, or one that is damaged: who reads it says so.
  if (!last) return std::optional<std::int64_t>();
  return last->value_or(0);
}

Status read_dispatches(ForeignDatabase& database, const RocpdSource& source, TableReader& reader,
                       RawTrace& raw, const ReadRequest& request) {
  TRY(check_version(source));
  const DispatchTable table = TRY(dispatch_table(database, source));
  RocpdEntities entities(database, source, raw);
  const bool look = request.options.look_for_damage;
  for (const std::string_view base : RocpdEntities::kTables)
    if (look) reader.look_at(base, source.suffix);
  TRY(entities.load());
  const std::size_t first_row = raw.columns.start_ns.size();
  if (!table.name.empty()) {
    DispatchRows rows(database, table, entities, raw);
    std::optional<DispatchFacts> facts;
    if (!request.options.api_only) {
      facts = TRY(decode_leaves(reader, source, entities, rows, raw, request.monitor));
    }
    if (!facts) {
      reader.note_api_read("rocpd_kernel_dispatch");
      TRY(rows.read_all(request.monitor));
    }
    raw.file.direct_decoder &= facts.has_value();
    if (look) {
      if (!facts) facts = DispatchFacts::of(raw, first_row);
      check_dispatches(raw, first_row, *facts, TRY(last_event(database, source, reader)),
                       reader.damage());
    }
    rows.add_notes();
    entities.add_notes();
  }
  TRY(add_presence(database, source, reader, raw.presence));
  note_gaps(source, raw, !table.name.empty());
  return {};
}

/// Tables of PC samples, whatever a schema calls them.
Status note_pc_samples(ForeignDatabase& database, RawTrace& raw) {
  for (const std::string& table : TRY(database.tables())) {
    if (!table.starts_with("rocpd_") || table.find("pc_sampl") == std::string::npos) continue;
    const auto rows =
        TRY(database.database().scalar(fmt::format("SELECT 1 FROM {} LIMIT 1", sql_name(table))));
    if (!rows) continue;
    raw.notes.push_back(fmt::format(
        "{} holds PC samples, which slow kernels down: they are not read, and times are "
        "those of a sampled run",
        table));
    return {};
  }
  return {};
}

/// A file against which something speaks is looked through as a whole, where that takes no longer than a person waits.
Status look_closer(ForeignDatabase& database, Damage& damage, const Monitor& monitor) {
  constexpr std::int64_t kMostBytes = std::int64_t{256} << 20;
  if (damage.size() == 0) return {};
  const auto pages = TRY(database.database().scalar("PRAGMA page_count")).value_or(0);
  const auto bytes = TRY(database.database().scalar("PRAGMA page_size")).value_or(0);
  if (pages * bytes > kMostBytes) {
    damage.add("the file is large: 'trace verify' looks through all of it");
    return {};
  }
  for (std::string& finding : TRY(verify_database(database, monitor)).findings)
    damage.add(std::move(finding));
  return {};
}

}  // namespace

Result<RawTrace> read_rocpd(std::shared_ptr<ForeignDatabase> database, const ReadRequest& request) {
  const std::vector<RocpdSource> sources = TRY(rocpd_sources(*database));
  const TableAccess access{.api_only = request.options.api_only,
                           .threads = request.options.threads,
                           .look_for_damage = request.options.look_for_damage};
  std::unique_ptr<TableReader> reader = TRY(TableReader::begin(*database, access));
  RawTrace raw;
  raw.file.format = TraceFormat::rocpd;
  raw.file.direct_decoder = true;
  for (const RocpdSource& source : sources) {
    if (raw.file.schema_version.empty()) raw.file.schema_version = source.version;
    auto status = read_dispatches(*database, source, *reader, raw, request);
    if (!status) return Failure(std::move(status).error().in(request.path));
  }
  if (sources.size() > 1) {
    raw.notes.push_back(
        fmt::format("the file holds {} recordings, merged by guid", sources.size()));
  }
  TRY(note_pc_samples(*database, raw));
  reader.reset();
  TRY(look_closer(*database, *access.damage, request.monitor));
  raw.tables = rocpd_tables(std::move(database), access);
  return raw;
}

}  // namespace rpl
