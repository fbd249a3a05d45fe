// SPDX-License-Identifier: MIT
#include "engine/trace/core/row_index.h"

namespace rpl {

RowIndex::RowIndex(const Trace& trace, std::uint32_t file, Key key)
    : processes_(trace.entities().processes.size(), IdTable(trace.size())) {
  for_rows_of_file(trace, file, [&](std::uint32_t row) {
    const std::int64_t id = key == Key::dispatch_id ? trace.dispatch_id(row) : trace.event_id(row);
    IdTable& rows = processes_[trace.lane(row).process];
    repeated_ += rows.set(static_cast<std::uint64_t>(id), row) ? 1 : 0;
  });
}

std::uint32_t RowIndex::find(std::uint32_t process, std::int64_t id) const {
  if (process >= processes_.size()) return kNone;
  return processes_[process].find(static_cast<std::uint64_t>(id));
}

}  // namespace rpl
