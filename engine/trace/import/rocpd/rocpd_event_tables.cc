// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <initializer_list>
#include <optional>

#include "engine/base/interrupt.h"
#include "engine/base/numbers.h"
#include "engine/trace/import/rocpd/rocpd_tables.h"

namespace rpl {

namespace {

/// The SDK's numbers for its two operations, where a table holds the number and not the name.
constexpr std::int64_t kRecordOperation = 1;
constexpr std::int64_t kWaitOperation = 2;

/// The first of several possible names that the table has; "" when it has none, which selects NULL.
std::string_view any_of(const std::vector<std::string>& columns,
                        std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    if (std::find(columns.begin(), columns.end(), name) != columns.end()) return name;
  }
  return "";
}

std::optional<SyncKind> kind_of(std::string_view name) {
  const auto says = [&](std::string_view upper, std::string_view lower) {
    return name.find(upper) != std::string_view::npos || name.find(lower) != std::string_view::npos;
  };
  if (says("WAIT", "wait") || says("Wait", "Wait")) return SyncKind::event_wait;
  if (says("RECORD", "record") || says("SIGNAL", "signal") || says("Record", "Signal")) {
    return SyncKind::event_record;
  }
  return std::nullopt;
}

class EventTable {
 public:
  EventTable(const RocpdPart& part, std::string table, SyncSource source)
      : part_(part), table_(std::move(table)), source_(source) {}

  /// False when there is nothing that could be read.
  Result<bool> read(SyncTable& out) {
    const std::vector<std::string> columns = TRY(part_.scope.database().columns(table_));
    if (columns.empty()) return false;
    Statement rows = TRY(select(columns));
    std::size_t count = 0, unknown = 0;
    const std::size_t before = out.rows.size();
    while (TRY(rows.step())) {
      if (++count % interrupt::kRowsBetweenChecks == 0) TRY(interrupt::check());
      const auto kind = operation(rows);
      const RocpdOwner owner = part_.scope.owner(rows, kOwner);
      if (kind && owner.process != kNone) {
        out.rows.push_back(make(rows, *kind, owner));
      } else {
        ++unknown;
      }
    }
    if (unknown > 0) {
      out.notes.push_back(
          fmt::format("{} of {} rows of {} are in a form that this build does not know and were "
                      "left out",
                      unknown, count, table_));
    }
    return out.rows.size() > before;
  }

 private:
  enum Column : int { kStart, kEnd, kText, kName, kHandle, kSourceQueue, kEvent, kOwner };

  Result<Statement> select(const std::vector<std::string>& columns) {
    return select_columns(part_.scope.database(), table_,
                          {any_of(columns, {"start", "start_timestamp", "timestamp"}),
                           any_of(columns, {"end", "end_timestamp", "timestamp"}),
                           any_of(columns, {"operation", "op", "type", "kind", "name"}),
                           any_of(columns, {"name_id", "operation_id", "type_id", "kind_id"}),
                           any_of(columns, {"hip_event_handle", "event_handle", "hip_event_id",
                                            "hip_event", "handle"}),
                           any_of(columns, {"source_queue_id", "src_queue_id"}), "event_id", "pid",
                           "tid", "track_id", "agent_id", "queue_id", "stream_id"});
  }

  std::optional<SyncKind> operation(const Statement& row) const {
    if (row.type(kText) == SQLITE_TEXT) return kind_of(row.text(kText));
    if (!row.is_null(kName)) return kind_of(part_.scope.string(row.int64(kName)));
    if (row.is_null(kText) || source_ != SyncSource::hip_event_table) return std::nullopt;
    if (row.int64(kText) == kRecordOperation) return SyncKind::event_record;
    if (row.int64(kText) == kWaitOperation) return SyncKind::event_wait;
    return std::nullopt;
  }

  SyncOp make(const Statement& row, SyncKind kind, const RocpdOwner& owner) const {
    SyncOp op;
    op.kind = kind;
    op.source = source_;
    op.start_ns = row.int64(kStart);
    op.end_ns = row.int64(kEnd);
    op.process = owner.process;
    op.stream = owner.stream;
    op.queue = owner.queue;
    if (kind == SyncKind::event_wait) {
      op.source_queue = part_.scope.queue(owner.process, row, kSourceQueue);
    }
    op.event = row.type(kHandle) == SQLITE_TEXT ? parse_handle(row.text(kHandle)).value_or(0)
                                                : static_cast<std::uint64_t>(row.int64(kHandle));
    op.correlation = part_.events.correlation(row.int64(kEvent));
    return op;
  }

  const RocpdPart& part_;
  std::string table_;
  SyncSource source_;
};

}  // namespace

Result<bool> read_rocpd_event_tables(const RocpdPart& part, SyncTable& out) {
  const RocpdSource& source = part.scope.source();
  EventTable hip_events(part, source.table("rocpd_hip_event"), SyncSource::hip_event_table);
  if (TRY(hip_events.read(out))) return true;
  EventTable operations(part, source.table("rocpd_event_operation"),
                        SyncSource::event_operation_table);
  return operations.read(out);
}

}  // namespace rpl
