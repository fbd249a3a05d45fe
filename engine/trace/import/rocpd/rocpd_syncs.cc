// SPDX-License-Identifier: MIT
#include "engine/trace/import/rocpd/rocpd_arguments.h"
#include "engine/trace/import/rocpd/rocpd_tables.h"

namespace rpl {

Status read_rocpd_syncs(const RocpdPart& part, std::vector<RocpdHostOp> host, SyncTable& out) {
  if (TRY(read_rocpd_event_tables(part, out))) {
    std::erase_if(host, [](const RocpdHostOp& each) {
      return each.op.kind == SyncKind::event_record || each.op.kind == SyncKind::event_wait;
    });
  }
  RocpdArguments arguments;
  TRY(arguments.load(part, host));
  out.rows.reserve(out.rows.size() + host.size());
  for (RocpdHostOp& each : host) {
    if (const RocpdArguments::Call* call = arguments.find(each.event)) {
      each.op.source = SyncSource::api_arguments;
      each.op.event = call->event;
      each.op.stream = arguments.stream(part, each.op.process, *call, each.op.correlation);
    }
    out.rows.push_back(each.op);
  }
  return {};
}

}  // namespace rpl
