// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <optional>
#include <unordered_map>
#include <utility>

#include "engine/base/interrupt.h"
#include "engine/base/numbers.h"
#include "engine/trace/core/entity_lookup.h"
#include "engine/trace/core/name_index.h"
#include "engine/trace/core/row_index.h"
#include "engine/trace/import/rocpd/rocpd_source.h"
#include "engine/trace/import/rocpd/rocpd_tables.h"

namespace rpl {
namespace {

/// The recorder writes ranges of roctx as calls of this name, their text as the arguments.
constexpr std::string_view kMarker = "UserMarker";
/// Handles for orders that have no HIP event; HIP's are pointers into user space, which end far below.
constexpr std::uint64_t kSignalHandle = std::uint64_t{1} << 63;

std::string_view category_of(std::string_view function) {
  if (function.starts_with("hip")) return "HIP_RUNTIME_API";
  if (function.starts_with("hsa_")) return "HSA_CORE_API";
  return "RPD";
}

/// The value of "key=value" in "a=1 | b=2".
std::string_view argument(std::string_view arguments, std::string_view key) {
  while (!arguments.empty()) {
    const std::size_t bar = arguments.find('|');
    std::string_view part = arguments.substr(0, bar);
    part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
    part = part.substr(0, part.find_last_not_of(' ') + 1);
    if (part.starts_with(key) && part.substr(key.size()).starts_with('=')) {
      return part.substr(key.size() + 1);
    }
    arguments = bar == std::string_view::npos ? std::string_view{} : arguments.substr(bar + 1);
  }
  return {};
}

struct ApiRow {
  std::int64_t id = 0, pid = 0, tid = 0, start = 0, end = 0, name = 0, arguments = 0;
};

class RpdTables : public FileTables {
 public:
  explicit RpdTables(std::unique_ptr<RpdDatabase> rpd) : rpd_(std::move(rpd)) {}

  Status copies(const Trace& trace, std::uint32_t file, Fact, CopyTable& out) override;
  Status api(const Trace& trace, std::uint32_t file, ApiTable& out) override;
  Status markers(const Trace& trace, std::uint32_t file, MarkerTable& out) override;
  Status syncs(const Trace& trace, std::uint32_t file, SyncTable& out) override;

 private:
  using ApiBody = std::function<Status(const ApiRow&, std::string_view name)>;

  Status each_call(const ApiBody& body);
  Status host_ops(const EntityLookup& lookup, SyncTable& out);
  Status input_signals(const EntityLookup& lookup, SyncTable& out);
  /// Calls of a process that issued nothing to a GPU belong to the file's only process, if it has one.
  std::uint32_t process(const EntityLookup& lookup, std::int64_t pid) const {
    const std::uint32_t found = lookup.process("", pid != 0 ? pid : rpd_->first_pid());
    return found == kNone ? lookup.only_process() : found;
  }
  Result<SyncOp> device_op(const EntityLookup& lookup, const RpdOp& op, SyncKind kind);

  std::unique_ptr<RpdDatabase> rpd_;
};

Status RpdTables::each_call(const ApiBody& body) {
  Statement rows =
      TRY(select_columns(rpd_->database(), "rocpd_api",
                         {"id", "pid", "tid", "start", "end", "apiName_id", "args_id"}));
  std::size_t count = 0;
  while (TRY(rows.step())) {
    if (++count % interrupt::kRowsBetweenChecks == 0) TRY(interrupt::check());
    const ApiRow row{rows.int64(0), rows.int64(1), rows.int64(2), rows.int64(3),
                     rows.int64(4), rows.int64(5), rows.int64(6)};
    TRY(body(row, TRY(rpd_->text(row.name))));
  }
  return {};
}

Status RpdTables::copies(const Trace& trace, std::uint32_t file, Fact, CopyTable& out) {
  const EntityLookup lookup(trace.entities(), file);
  NameIndex names(out.names);
  RpdDatabase::Lookup details{"rocpd_copyapi", "api_ptr_id", {"stream", "size"}, {}, false, false};
  std::size_t lost = 0;
  TRY(rpd_->each_op([&](const RpdOp& op) -> Status {
    if (TRY(rpd_->kind(op)) != RpdKind::copy) return {};
    const RpdCall call = TRY(rpd_->call(op.api));
    const std::string_view type = TRY(rpd_->text(op.type));
    Copy copy;
    copy.start_ns = op.start_ns;
    copy.end_ns = op.end_ns;
    copy.process = process(lookup, call.pid);
    if (copy.process == kNone) {
      ++lost;
      return {};
    }
    copy.thread = call.tid;
    copy.queue = lookup.queue(copy.process, static_cast<std::uint64_t>(op.queue));
    copy.name = names(type);
    const std::uint32_t agent = lookup.agent(copy.process, op.gpu);
    if (!type.starts_with("CopyHostTo")) copy.src_agent = type.starts_with("Copy") ? agent : kNone;
    if (!type.ends_with("ToHost")) copy.dst_agent = agent;
    copy.bytes = kUnknownBytes;
    if (op.api != 0 && TRY(rpd_->find(details, op.api))) {
      if (!details.statement.is_null(1)) {
        copy.bytes = static_cast<std::uint64_t>(details.statement.int64(1));
      }
      const auto stream = parse_handle(details.statement.text(0));
      if (stream) copy.stream = lookup.stream(copy.process, *stream);
    }
    copy.correlation = static_cast<std::uint64_t>(op.api);
    out.rows.push_back(copy);
    return {};
  }));
  if (lost > 0) out.notes.push_back(fmt::format("{} copies name no known process", lost));
  return {};
}

Status RpdTables::api(const Trace& trace, std::uint32_t file, ApiTable& out) {
  for_rows_of_file(trace, file, [&](std::uint32_t row) {
    out.dispatch_correlation.set(row, static_cast<std::uint64_t>(trace.event_id(row)));
  });
  const EntityLookup lookup(trace.entities(), file);
  NameIndex names(out.names);
  return each_call([&](const ApiRow& row, std::string_view name) -> Status {
    const std::uint32_t owner = process(lookup, row.pid);
    if (name == kMarker || owner == kNone) return {};
    out.rows.push_back({row.start, row.end, owner, row.tid, names(name), names(category_of(name)),
                        static_cast<std::uint64_t>(row.id)});
    return {};
  });
}

Status RpdTables::markers(const Trace& trace, std::uint32_t file, MarkerTable& out) {
  const EntityLookup lookup(trace.entities(), file);
  return each_call([&](const ApiRow& row, std::string_view name) -> Status {
    const std::uint32_t owner = process(lookup, row.pid);
    if (name != kMarker || owner == kNone) return {};
    const auto text = TRY(rpd_->text(row.arguments));
    out.rows.push_back({row.start, row.end, owner, row.tid, std::string(text)});
    return {};
  });
}

Status RpdTables::syncs(const Trace& trace, std::uint32_t file, SyncTable& out) {
  const EntityLookup lookup(trace.entities(), file);
  TRY(host_ops(lookup, out));
  return input_signals(lookup, out);
}

Status RpdTables::host_ops(const EntityLookup& lookup, SyncTable& out) {
  return each_call([&](const ApiRow& row, std::string_view name) -> Status {
    const auto kind = sync_kind(name);
    const std::uint32_t owner = process(lookup, row.pid);
    if (!kind || owner == kNone) return {};
    SyncOp op;
    op.kind = *kind;
    op.source = SyncSource::api_name;
    op.start_ns = row.start;
    op.end_ns = row.end;
    op.process = owner;
    op.thread = row.tid;
    op.correlation = static_cast<std::uint64_t>(row.id);
    const std::string_view arguments = TRY(rpd_->text(row.arguments));
    if (const auto event = parse_handle(argument(arguments, "event"))) {
      op.event = *event;
      op.source = SyncSource::api_arguments;
    }
    if (const auto stream = parse_handle(argument(arguments, "stream"))) {
      op.stream = lookup.stream(owner, *stream);
      op.source = SyncSource::api_arguments;
    }
    out.rows.push_back(op);
    return {};
  });
}

Result<SyncOp> RpdTables::device_op(const EntityLookup& lookup, const RpdOp& op, SyncKind kind) {
  SyncOp out;
  out.kind = kind;
  out.source = SyncSource::hip_event_table;
  out.start_ns = out.end_ns = kind == SyncKind::event_record ? op.end_ns : op.start_ns;
  out.process = process(lookup, TRY(rpd_->call(op.api)).pid);
  out.queue = lookup.queue(out.process, static_cast<std::uint64_t>(op.queue));
  out.correlation = static_cast<std::uint64_t>(op.api);
  return out;
}

Status RpdTables::input_signals(const EntityLookup& lookup, SyncTable& out) {
  Statement rows =
      TRY(select_columns(rpd_->database(), "rocpd_op_inputSignals", {"from_op_id", "to_op_id"}));
  std::vector<std::pair<std::int64_t, std::int64_t>> signals;
  while (TRY(rows.step())) signals.emplace_back(rows.int64(0), rows.int64(1));
  if (signals.empty()) return {};
  std::unordered_map<std::int64_t, RpdOp> ops;
  for (const auto& [from, to] : signals) {
    ops[from];
    ops[to];
  }
  TRY(rpd_->each_op([&](const RpdOp& op) -> Status {
    if (const auto wanted = ops.find(op.id); wanted != ops.end()) wanted->second = op;
    return {};
  }));
  std::size_t lost = 0;
  for (const auto& [from, to] : signals) {
    const RpdOp* first = &ops[from];
    const RpdOp* second = &ops[to];
    // The file does not say which of the two waited; time does.
    if (second->end_ns <= first->start_ns) std::swap(first, second);
    if (first->id == 0 || second->id == 0 || first->end_ns > second->start_ns) {
      ++lost;
      continue;
    }
    SyncOp record = TRY(device_op(lookup, *first, SyncKind::event_record));
    SyncOp wait = TRY(device_op(lookup, *second, SyncKind::event_wait));
    if (record.process == kNone || wait.process == kNone) {
      ++lost;
      continue;
    }
    record.event = wait.event = kSignalHandle | out.rows.size();
    wait.source_queue = record.queue;
    out.rows.push_back(record);
    out.rows.push_back(wait);
  }
  if (lost > 0) {
    out.notes.push_back(
        fmt::format("{} input signals join operations that overlap or are missing", lost));
  }
  return {};
}

}  // namespace

std::unique_ptr<FileTables> rpd_tables(std::unique_ptr<RpdDatabase> rpd) {
  return std::make_unique<RpdTables>(std::move(rpd));
}

}  // namespace rpl
