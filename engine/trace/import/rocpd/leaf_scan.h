// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "engine/trace/core/columns.h"
#include "engine/trace/import/rocpd/page_file.h"
#include "engine/trace/import/rocpd/record_plan.h"

namespace rpl {

/// A row that SQLite's API has to read, and where it belongs.
struct OddRow {
  std::size_t slot = 0;
  std::int64_t rowid = 0;
};

/// One thread's share of the leaves. Lanes and launches are numbered as this thread first saw them; the rows that stand
/// for them are kept, because turning them into entities takes SQLite, which is not for several threads.
class LeafScan {
 public:
  LeafScan(const PageFile& file, const DispatchTable& table, std::span<const std::uint32_t> leaves)
      : file_(file), plans_(table), leaves_(leaves) {}

  /// Rows of the share. 0 rows and stop when a page is damaged.
  std::size_t count(std::atomic<bool>& stop) const;
  /// Fills columns from `slot` on. Sets `stop` when a page is damaged or the interrupt flag is up, and ends early when
  /// another thread has. `progress` gets the number of leaves done.
  void decode(TraceColumns& columns, std::size_t slot, std::atomic<bool>& stop,
              const std::function<void(std::size_t)>& progress);

  /// Whether this share's rowids all come after those of the share before it.
  [[nodiscard]] bool follows(const LeafScan& before) const {
    return !any_ || !before.any_ || first_rowid_ > before.last_rowid_;
  }

  struct Escape {
    std::size_t slot;
    std::int64_t value;
  };
  std::vector<DispatchRow> lanes, launches;
  std::vector<OddRow> odd;
  std::vector<Escape> durations, dispatch_ids, event_ids;

 private:
  /// `next`: the leaf that comes after it; any, for the last.
  bool decode_leaf(std::uint32_t number, std::uint32_t next, TraceColumns& columns,
                   std::size_t& slot);
  // Inlined by hand: what they save and restore around the call is a tenth of what they do.
  [[gnu::always_inline]] bool decode_cell(const std::uint8_t* page, std::uint32_t cell,
                                          TraceColumns& columns, std::size_t slot);
  [[gnu::always_inline]] void store(const RecordPlan& plan, const std::uint8_t* record,
                                    TraceColumns& columns, std::size_t slot);

  const PageFile& file_;
  PlanCache plans_;
  std::span<const std::uint32_t> leaves_;
  TupleTable<5> lane_index_, launch_index_;
  bool any_ = false;
  std::int64_t first_rowid_ = 0, last_rowid_ = 0;
};

}  // namespace rpl
