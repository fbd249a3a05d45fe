// SPDX-License-Identifier: MIT
#include "engine/trace/core/row_index.h"

namespace rpl {

namespace {

/// Ids up to this many times the number of dispatches are kept in an array, others in a map.
constexpr std::size_t kDenseFactor = 8;

}  // namespace

RowIndex::RowIndex(const Trace& trace, std::uint32_t file, Key key)
    : processes_(trace.entities().processes.size()) {
  const std::size_t dense_limit = trace.size() * kDenseFactor + 1024;
  for_rows_of_file(trace, file, [&](std::uint32_t row) {
    const std::int64_t id = key == Key::dispatch_id ? trace.dispatch_id(row) : trace.event_id(row);
    Process& process = processes_[trace.lane(row).process];
    if (id < 0 || static_cast<std::uint64_t>(id) >= dense_limit) {
      repeated_ += process.sparse.insert_or_assign(id, row).second ? 0 : 1;
      return;
    }
    const auto slot = static_cast<std::size_t>(id);
    if (process.dense.size() <= slot) process.dense.resize(slot + 1 + slot / 2, kNone);
    repeated_ += process.dense[slot] == kNone ? 0 : 1;
    process.dense[slot] = row;
  });
}

std::uint32_t RowIndex::find(std::uint32_t process, std::int64_t id) const {
  if (process >= processes_.size()) return kNone;
  const Process& rows = processes_[process];
  if (id >= 0 && static_cast<std::uint64_t>(id) < rows.dense.size()) {
    return rows.dense[static_cast<std::size_t>(id)];
  }
  const auto found = rows.sparse.find(id);
  return found == rows.sparse.end() ? kNone : found->second;
}

}  // namespace rpl
