// SPDX-License-Identifier: MIT
#include "engine/trace/import/csv/csv_files.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

#include "engine/base/interrupt.h"
#include "engine/base/numbers.h"
#include "engine/trace/core/counter_fold.h"
#include "engine/trace/core/entity_lookup.h"
#include "engine/trace/core/name_index.h"
#include "engine/trace/core/row_index.h"
#include "engine/trace/core/trace.h"
#include "engine/trace/import/csv/csv_table.h"

namespace rpl {

namespace {

/// What the kinds of host API are called in file names, by release.
constexpr std::array kApiFiles{
    "hip_api_trace.csv",      "hip_runtime_trace.csv",      "hip_runtime_api_trace.csv",
    "hip_compiler_trace.csv", "hip_compiler_api_trace.csv", "hsa_api_trace.csv",
    "rccl_api_trace.csv",     "rocdecode_api_trace.csv",    "rocjpeg_api_trace.csv",
};
constexpr std::array kMarkerFiles{"marker_api_trace.csv", "marker_trace.csv"};

bool exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(path, ignored);
}

}  // namespace

CsvSiblings find_csv_siblings(const std::string& path) {
  CsvSiblings siblings;
  std::string prefix;
  for (const std::string_view own : {"kernel_trace.csv", "counter_collection.csv"}) {
    if (path.ends_with(own)) prefix = path.substr(0, path.size() - own.size());
  }
  const std::size_t name = path.find_last_of('/') + 1;
  const bool known = path.ends_with("kernel_trace.csv") || path.ends_with("counter_collection.csv");
  // "my_kernel_trace.csv" has the prefix "my_"; "superkernel_trace.csv" was not named by the recorder.
  if (!known || (prefix.size() > name && prefix.back() != '_')) return siblings;

  const auto beside = [&](std::string_view file) {
    std::string candidate = prefix + std::string(file);
    return exists(candidate) ? candidate : std::string();
  };
  siblings.copies = beside("memory_copy_trace.csv");
  siblings.counters = beside("counter_collection.csv");
  siblings.agents = beside("agent_info.csv");
  siblings.pc_samples = beside("pc_sampling_host_trap.csv");
  if (siblings.pc_samples.empty()) siblings.pc_samples = beside("pc_sampling_stochastic.csv");
  for (const char* file : kMarkerFiles) {
    if (siblings.markers.empty()) siblings.markers = beside(file);
  }
  for (const char* file : kApiFiles) {
    if (std::string found = beside(file); !found.empty()) siblings.api.push_back(std::move(found));
  }
  return siblings;
}

std::int64_t pid_of_file_name(std::string_view path) {
  const std::string_view name = path.substr(path.find_last_of('/') + 1);
  const std::size_t digits = name.find_first_not_of("0123456789");
  if (digits == 0 || digits == std::string_view::npos || name[digits] != '_') return 0;
  return whole_number<std::int64_t>(name.substr(0, digits)).value_or(0);
}

namespace {

/// The processes of one kernel trace, found from the rows of its siblings.
class Processes {
 public:
  Processes(const Trace& trace, std::uint32_t file) : lookup_(trace.entities(), file) {
    const auto& processes = trace.entities().processes;
    for (std::uint32_t i = 0; i < processes.size(); ++i) {
      if (processes[i].file != file) continue;
      if (!processes[i].guid.empty()) by_guid_.emplace(processes[i].guid, i);
      by_pid_.emplace(processes[i].pid, i);
      first_ = first_ == kNone ? i : first_;
    }
  }

  /// A row that names a process without dispatches, or none, belongs to the file's first process.
  std::uint32_t find(CsvTable& row, std::size_t guid, std::size_t pid) const {
    if (const auto found = by_guid_.find(row.text(guid)); found != by_guid_.end()) {
      return found->second;
    }
    const auto found = by_pid_.find(row.integer(pid));
    return found == by_pid_.end() ? first_ : found->second;
  }
  [[nodiscard]] bool any() const { return first_ != kNone; }
  [[nodiscard]] const EntityLookup& entities() const { return lookup_; }

 private:
  EntityLookup lookup_;
  std::map<std::string, std::uint32_t, std::less<>> by_guid_;
  std::map<std::int64_t, std::uint32_t> by_pid_;
  std::uint32_t first_ = kNone;
};

/// Calls `body(table)` for every row of `path`; `body` is given the table before the first row to find its columns.
template <class Columns, class Body>
Status each_row(const std::string& path, Columns columns, Body body) {
  CsvTable table = TRY(CsvTable::open(path));
  columns(table);
  std::size_t rows = 0;
  while (TRY(table.next())) {
    if (++rows % interrupt::kRowsBetweenChecks == 0) TRY(interrupt::check());
    body(table);
  }
  return {};
}

struct RegionColumns {
  std::size_t guid = 0, pid = 0, thread = 0, domain = 0, function = 0, correlation = 0, start = 0,
              end = 0;

  explicit RegionColumns(const CsvTable& table)
      : guid(table.column("Guid")),
        pid(table.column("Process_Id")),
        thread(table.column("Thread_Id")),
        domain(table.column("Domain")),
        function(table.column("Function")),
        correlation(table.column("Correlation_Id")),
        start(table.column("Start_Timestamp")),
        end(table.column("End_Timestamp")) {}
  RegionColumns() = default;
};

class CsvTables : public FileTables {
 public:
  explicit CsvTables(CsvSiblings siblings) : siblings_(std::move(siblings)) {}

  Status copies(const Trace& trace, std::uint32_t file, Fact, CopyTable& out) override;
  Status api(const Trace& trace, std::uint32_t file, ApiTable& out) override;
  Status markers(const Trace& trace, std::uint32_t file, MarkerTable& out) override;
  Status syncs(const Trace& trace, std::uint32_t file, SyncTable& out) override;
  Status counters(const Trace& trace, std::uint32_t file, CounterTable& out) override;

 private:
  CsvSiblings siblings_;
};

Status CsvTables::copies(const Trace& trace, std::uint32_t file, Fact, CopyTable& out) {
  const Processes processes(trace, file);
  if (siblings_.copies.empty() || !processes.any()) return {};
  NameIndex names(out.names);
  RegionColumns at;
  std::size_t direction = 0, stream = 0, source = 0, destination = 0, bytes = 0;
  const auto find_columns = [&](const CsvTable& table) {
    at = RegionColumns(table);
    direction = table.column("Direction");
    stream = table.column("Stream_Id");
    source = table.column("Source_Agent_Id");
    destination = table.column("Destination_Agent_Id");
    bytes = table.column("Bytes");
  };
  return each_row(siblings_.copies, find_columns, [&](CsvTable& row) {
    const EntityLookup& entities = processes.entities();
    Copy copy;
    copy.start_ns = row.rounded(at.start).value;
    copy.end_ns = row.rounded(at.end).value;
    copy.process = processes.find(row, at.guid, at.pid);
    copy.thread = row.integer(at.thread);
    copy.name = names(row.text(direction));
    copy.bytes = bytes == CsvTable::kAbsent ? kUnknownBytes : row.handle(bytes);
    copy.correlation = row.handle(at.correlation);
    copy.src_agent = entities.agent(copy.process, row.agent(source));
    copy.dst_agent = entities.agent(copy.process, row.agent(destination));
    if (!row.text(stream).empty()) copy.stream = entities.stream(copy.process, row.handle(stream));
    out.rows.push_back(copy);
  });
}

Status CsvTables::api(const Trace& trace, std::uint32_t file, ApiTable& out) {
  const Processes processes(trace, file);
  if (!processes.any()) return {};
  for_rows_of_file(trace, file, [&](std::uint32_t row) {
    out.dispatch_correlation.set(row, static_cast<std::uint64_t>(trace.event_id(row)));
  });
  NameIndex names(out.names);
  for (const std::string& path : siblings_.api) {
    RegionColumns at;
    TRY(each_row(
        path, [&](const CsvTable& table) { at = RegionColumns(table); },
        [&](CsvTable& row) {
          ApiCall call;
          call.start_ns = row.rounded(at.start).value;
          call.end_ns = row.rounded(at.end).value;
          call.process = processes.find(row, at.guid, at.pid);
          call.thread = row.integer(at.thread);
          call.name = names(row.text(at.function));
          call.category = names(row.text(at.domain));
          call.correlation = row.handle(at.correlation);
          out.rows.push_back(call);
        }));
  }
  return {};
}

Status CsvTables::markers(const Trace& trace, std::uint32_t file, MarkerTable& out) {
  const Processes processes(trace, file);
  if (siblings_.markers.empty() || !processes.any()) return {};
  RegionColumns at;
  return each_row(
      siblings_.markers, [&](const CsvTable& table) { at = RegionColumns(table); },
      [&](CsvTable& row) {
        Marker marker;
        marker.start_ns = row.rounded(at.start).value;
        marker.end_ns = row.rounded(at.end).value;
        marker.process = processes.find(row, at.guid, at.pid);
        marker.thread = row.integer(at.thread);
        marker.text = std::string(row.text(at.function));
        out.rows.push_back(std::move(marker));
      });
}

Status CsvTables::syncs(const Trace& trace, std::uint32_t file, SyncTable& out) {
  const Processes processes(trace, file);
  if (!processes.any()) return {};
  for (const std::string& path : siblings_.api) {
    RegionColumns at;
    TRY(each_row(
        path, [&](const CsvTable& table) { at = RegionColumns(table); },
        [&](CsvTable& row) {
          const auto kind = sync_kind(row.text(at.function));
          if (!kind) return;
          SyncOp op;
          op.kind = *kind;
          op.source = SyncSource::api_name;
          op.start_ns = row.rounded(at.start).value;
          op.end_ns = row.rounded(at.end).value;
          op.process = processes.find(row, at.guid, at.pid);
          op.thread = row.integer(at.thread);
          op.correlation = row.handle(at.correlation);
          out.rows.push_back(op);
        }));
  }
  return {};
}

Status CsvTables::counters(const Trace& trace, std::uint32_t file, CounterTable& out) {
  const Processes processes(trace, file);
  if (siblings_.counters.empty() || !processes.any()) return {};
  const RowIndex rows(trace, file, RowIndex::Key::dispatch_id);
  NameIndex names(out.names);
  RegionColumns at;
  std::size_t dispatch = 0, name = 0, value = 0, lost = 0;
  const auto find_columns = [&](const CsvTable& table) {
    at = RegionColumns(table);
    dispatch = table.column("Dispatch_Id");
    name = table.column("Counter_Name");
    value = table.column("Counter_Value");
  };
  TRY(each_row(siblings_.counters, find_columns, [&](CsvTable& row) {
    const std::uint32_t process = processes.find(row, at.guid, at.pid);
    const std::uint32_t found = rows.find(process, row.integer(dispatch));
    if (found == kNone) {
      ++lost;
      return;
    }
    // The recorder has summed over instances already, so there is no maximum to tell from the sum.
    const double sample = row.number(value);
    add_sample(out.rows, {found, names(row.text(name)), 1, sample, sample});
  }));
  fold_samples(out.rows);
  if (lost > 0) {
    out.notes.push_back(fmt::format("{}: {} counter values belong to no dispatch of the trace",
                                    siblings_.counters, lost));
  }
  return {};
}

}  // namespace

std::unique_ptr<FileTables> csv_tables(CsvSiblings siblings) {
  return std::make_unique<CsvTables>(std::move(siblings));
}

}  // namespace rpl
