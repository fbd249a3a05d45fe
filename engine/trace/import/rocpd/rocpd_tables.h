// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/store/foreign.h"
#include "engine/trace/core/column_memory.h"
#include "engine/trace/core/secondary.h"
#include "engine/trace/import/rocpd/rocpd_events.h"
#include "engine/trace/import/rocpd/rocpd_scope.h"
#include "engine/trace/import/rocpd/rpd_database.h"
#include "engine/trace/import/rocpd/table_reader.h"

namespace rpl {

/// A copy as far as it tells which stream a call meant; in the order of the table.
struct RocpdLaunched {
  std::uint64_t correlation = 0;
  std::uint32_t stream = kNone;
};

/// One source of a rocpd file while its tables are read.
struct RocpdPart {
  const Trace& trace;
  std::uint32_t file = 0;
  const RocpdScope& scope;
  const RocpdEvents& events;  ///< empty where they are not needed
  TableReader& reader;
  const std::vector<RocpdLaunched>* copies = nullptr;  ///< where they were read before
};

/// A region that orders something, and the event that its arguments are known by.
struct RocpdHostOp {
  SyncOp op;
  std::int64_t event = 0;
};

/// What one pass over the regions gives.
struct RocpdRegions {
  CallRows calls;                  ///< without markers
  std::vector<std::string> names;  ///< of calls
  std::size_t lost = 0;            ///< calls of no known process
  ColumnVector<RocpdHostOp> orders;
};
Result<RocpdRegions> read_rocpd_regions(const RocpdPart& part);
/// Fills in what the dispatches of the part were launched by.
void link_rocpd_dispatches(const RocpdPart& part, Correlations& out);

/// Gives what was launched, as far as events are there.
Result<std::vector<RocpdLaunched>> read_rocpd_copies(const RocpdPart& part, CopyTable& out);
/// Takes the categories of events from a pass of its own, which keeps no correlation ids.
Status read_rocpd_markers(const RocpdPart& part, MarkerTable& out);
/// Order between streams, from the first of these that the file has: rocpd_hip_event (schema 3.0.4),
/// rocpd_event_operation (some builds of 3.0.3), API regions with their arguments, API regions alone. What
/// the host waited for always comes from API regions. The first two tables were never seen in a recording: their columns are
/// found by the names that the recorder's JSON output and change log use, and anything unknown is noted. Unverified.
Status read_rocpd_syncs(const RocpdPart& part, ColumnVector<RocpdHostOp> host, SyncTable& out);
/// Base tables, not views. Rows with a sample_id (streaming counters, schema 3.0.3) are no counter of a dispatch: left out and
/// noted.
Status read_rocpd_counters(const RocpdPart& part, CounterTable& out);

/// From where calls were made, of recordings of the emulated device: rpl_call_site and rpl_site_frame. Rows that say nothing usable are left out and noted.
Status read_rocpd_call_sites(const RocpdPart& part, CallSiteTable& out);

/// The SyncOps of the GPU-side event tables; false when the file has none with rows.
Result<bool> read_rocpd_event_tables(const RocpdPart& part, SyncTable& out);

/// The tables of a rocpd database that are read on first use.
std::unique_ptr<FileTables> rocpd_tables(std::shared_ptr<ForeignDatabase> database,
                                         const TableAccess& access);

/// Copies (and fills), calls, user markers and order of an RPD file. A call's id is its correlation, and a dispatch's
/// event_id is the id of the call that issued it. rocpd_op_inputSignals, which says that one operation waited for
/// another, becomes a record and a wait on the device (SyncSource::hip_event_table): never seen with rows, unverified.
std::unique_ptr<FileTables> rpd_tables(std::unique_ptr<RpdDatabase> rpd);

}  // namespace rpl
