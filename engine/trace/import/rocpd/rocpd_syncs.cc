// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <unordered_map>

#include "engine/base/interrupt.h"
#include "engine/trace/core/entity_lookup.h"
#include "engine/trace/import/rocpd/rocpd_arguments.h"
#include "engine/trace/import/rocpd/rocpd_tables.h"

namespace rpl {

namespace {

struct HostOps {
  std::vector<SyncOp> ops;
  std::vector<std::int64_t> events;  ///< of each op
};

/// The regions that order something, without their arguments.
Result<HostOps> read_host_ops(const RocpdPart& part, bool device_ops_known) {
  HostOps found;
  std::unordered_map<std::int64_t, SyncKind> kinds;
  for (const auto& [id, name] : part.scope.strings()) {
    const auto kind = sync_kind(name);
    const bool on_device = kind == SyncKind::event_record || kind == SyncKind::event_wait;
    if (kind && !(on_device && device_ops_known)) kinds.emplace(id, *kind);
  }
  if (kinds.empty()) return found;
  Statement rows =
      TRY(select_columns(part.scope.database(), part.scope.source().table("rocpd_region"),
                         {"name_id", "start", "end", "event_id", "id", "pid", "tid", "track_id",
                          "agent_id", "queue_id", "stream_id"}));
  std::size_t count = 0;
  while (TRY(rows.step())) {
    if (++count % interrupt::kRowsBetweenChecks == 0) TRY(interrupt::check());
    const auto kind = kinds.find(rows.int64(0));
    if (kind == kinds.end()) continue;
    const RocpdOwner owner = part.scope.owner(rows, 5);
    if (owner.process == kNone) continue;
    SyncOp op;
    op.kind = kind->second;
    op.source = SyncSource::api_name;
    op.start_ns = rows.int64(1);
    op.end_ns = rows.int64(2);
    op.process = owner.process;
    op.thread = owner.thread;
    op.correlation = rows.is_null(3) ? static_cast<std::uint64_t>(rows.int64(4))
                                     : part.events.correlation(rows.int64(3));
    found.ops.push_back(op);
    found.events.push_back(rows.int64(3));
  }
  return found;
}

}  // namespace

Status read_rocpd_syncs(const RocpdPart& part, SyncTable& out) {
  const bool device_ops_known = TRY(read_rocpd_event_tables(part, out));
  HostOps host = TRY(read_host_ops(part, device_ops_known));
  RocpdArguments arguments;
  if (!host.ops.empty()) TRY(arguments.load(part, host.events));
  for (std::size_t i = 0; i < host.ops.size(); ++i) {
    SyncOp& op = host.ops[i];
    if (const RocpdArguments::Call* call = arguments.find(host.events[i])) {
      op.source = SyncSource::api_arguments;
      op.event = call->event;
      op.stream = arguments.stream(part, op.process, *call, op.correlation);
    }
    out.rows.push_back(op);
  }
  return {};
}

}  // namespace rpl
