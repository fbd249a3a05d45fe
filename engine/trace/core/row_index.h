// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "engine/trace/core/id_table.h"
#include "engine/trace/core/trace.h"

namespace rpl {

/// From a recorded id of a dispatch back to its row in the merged trace, for the dispatches of one file.
class RowIndex {
 public:
  enum class Key { dispatch_id, event_id };

  RowIndex(const Trace& trace, std::uint32_t file, Key key);

  /// The row, or kNone. Of several dispatches with one id the last row answers.
  [[nodiscard]] std::uint32_t find(std::uint32_t process, std::int64_t id) const;
  /// Ids that stood at more than one dispatch of a process.
  [[nodiscard]] std::size_t repeated() const { return repeated_; }

 private:
  std::vector<IdTable> processes_;
  std::size_t repeated_ = 0;
};

/// Calls `body(row)` for every dispatch of the trace that stems from `file`.
template <class Body>
void for_rows_of_file(const Trace& trace, std::uint32_t file, Body body) {
  const TraceEntities& entities = trace.entities();
  std::vector<char> inside(entities.lanes.size());
  for (std::size_t lane = 0; lane < inside.size(); ++lane) {
    inside[lane] = entities.processes[entities.lanes[lane].process].file == file ? 1 : 0;
  }
  const auto& lanes = trace.columns().lane;
  for (std::size_t row = 0; row < trace.size(); ++row) {
    if (inside[lanes[row]] != 0) body(static_cast<std::uint32_t>(row));
  }
}

}  // namespace rpl
