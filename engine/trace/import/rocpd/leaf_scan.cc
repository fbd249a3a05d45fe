// SPDX-License-Identifier: MIT
#include "engine/trace/import/rocpd/leaf_scan.h"

#include <algorithm>

#include "engine/base/interrupt.h"

namespace rpl {
namespace {

constexpr std::uint32_t kLeafHeader = 8;  ///< bytes before the cell pointers of a leaf page
constexpr std::size_t kLeavesBetweenChecks = 512;
constexpr std::size_t kCacheLine = 64;

/// A variable-length integer of up to nine bytes (fileformat2.html §1.6); at most nine bytes are read.
std::uint64_t read_varint(const std::uint8_t*& at) {
  std::uint64_t value = 0;
  for (int i = 0; i < 8; ++i) {
    const std::uint8_t byte = *at++;
    value = value << 7 | (byte & 0x7fU);
    if (byte < 0x80) return value;
  }
  return value << 8 | *at++;
}

/// Brings a page nearer while another one is decoded, some lines with each of its cells: of a burst of all the processor forgets many. From the end
/// on, where the first cells of a table lie that was written in order.
class PageAhead {
 public:
  /// `bytes`: of the page, a power of two from 512 and so a whole number of lines.
  PageAhead(const std::uint8_t* page, std::size_t bytes, std::uint32_t steps)
      : page_(page),
        left_(page + bytes),
        step_bytes_((bytes / kCacheLine / std::max(steps, 1U) + 1) * kCacheLine) {
    __builtin_prefetch(page);
  }

  void step() {
    const std::uint8_t* to = left_ - std::min(step_bytes_, static_cast<std::size_t>(left_ - page_));
    for (; left_ > to; left_ -= kCacheLine) __builtin_prefetch(left_ - kCacheLine);
  }

 private:
  const std::uint8_t* page_;
  const std::uint8_t*
      left_;  ///< the end of what was not asked for yet; a whole number of lines above page_
  std::size_t step_bytes_;
};

/// Stores what fits; the rest is for the caller to keep apart, because several threads fill the column.
[[gnu::always_inline]] inline void put(CompactColumn& column, std::size_t slot, std::int64_t value,
                                       std::vector<LeafScan::Escape>& escaped) {
  const bool fits = static_cast<std::uint64_t>(value) < CompactColumn::kEscaped;
  column.raw()[slot] = fits ? static_cast<std::uint32_t>(value) : CompactColumn::kEscaped;
  if (!fits) escaped.push_back({slot, value});
}

[[gnu::always_inline]] inline std::uint32_t intern(TupleTable<5>& index,
                                                   const TupleTable<5>::Key& key,
                                                   std::vector<DispatchRow>& rows,
                                                   const PlanCache& plans, const RecordPlan& plan,
                                                   const std::uint8_t* record) {
  if (const std::uint32_t* known = index.find(key)) return *known;
  const auto next = static_cast<std::uint32_t>(rows.size());
  rows.push_back(plans.row(plan, record));
  index.insert(key, next);
  return next;
}

}  // namespace

std::size_t LeafScan::count(std::atomic<bool>& stop) const {
  std::size_t rows = 0;
  for (const std::uint32_t leaf : leaves_) {
    const std::uint8_t* page = file_.page(leaf);
    const std::uint32_t cells = big_endian_16(page + 3);
    // SQLite takes an empty leaf for damage, except as the root.
    const bool empty = cells == 0 && leaves_.size() > 1;
    if (page[0] != PageFile::kLeaf || empty || cells > (file_.page_bytes() - kLeafHeader) / 6) {
      stop = true;
      return 0;
    }
    rows += cells;
  }
  return rows;
}

inline void LeafScan::store(const RecordPlan& plan, const std::uint8_t* record,
                            TraceColumns& columns, std::size_t slot) {
  const std::int64_t start = plan.start.read(record);
  const std::int64_t end = plan.end.read(record);
  columns.start_ns[slot] = start;
  const std::uint64_t duration =
      static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(start);
  put(columns.duration_ns, slot, static_cast<std::int64_t>(duration), durations);
  put(columns.dispatch_id, slot, plan.dispatch_id.read(record), dispatch_ids);
  put(columns.event_id, slot, plan.event_id.read(record), event_ids);
  columns.lane[slot] = intern(lane_index_, plan.lane.read(record), lanes, plans_, plan, record);
  columns.launch[slot] =
      intern(launch_index_, plan.launch.read(record), launches, plans_, plan, record);
}

inline bool LeafScan::decode_cell(const std::uint8_t* page, std::uint32_t cell,
                                  TraceColumns& columns, std::size_t slot) {
  constexpr std::uint32_t kOverflowMargin =
      35;  // payloads up to this much short of a page stay in it
  const std::uint8_t* at = page + cell;
  const std::uint64_t payload = read_varint(at);
  const auto rowid = static_cast<std::int64_t>(read_varint(at));
  // Rows that go to the API are looked up by rowid, which only finds them when rowids ascend.
  if (any_ && rowid <= last_rowid_) return false;
  if (!any_) first_rowid_ = rowid;
  any_ = true;
  last_rowid_ = rowid;
  if (payload > file_.page_bytes() - kOverflowMargin) {
    odd.push_back({slot, rowid});
    return true;
  }
  if (static_cast<std::uint64_t>(at - page) + payload > file_.page_bytes()) return false;
  const RecordPlan* plan = plans_.find(at);
  if (plan == nullptr || plan->odd) {
    // SQLite checks what the plan did not.
    odd.push_back({slot, rowid});
    return true;
  }
  if (plan->broken || plan->payload_bytes != payload) return false;
  store(*plan, at, columns, slot);
  return true;
}

bool LeafScan::decode_leaf(std::uint32_t number, std::uint32_t next, TraceColumns& columns,
                           std::size_t& slot) {
  const std::uint8_t* page = file_.page(number);
  const std::uint32_t cells = big_endian_16(page + 3);
  const std::uint32_t first = kLeafHeader + 2 * cells;
  PageAhead ahead(file_.page(next), file_.page_bytes(), cells);
  for (std::uint32_t i = 0; i < cells; ++i) {
    ahead.step();
    const std::uint32_t cell = big_endian_16(page + kLeafHeader + 2 * i);
    if (cell < first || cell + 4 > file_.page_bytes()) return false;
    if (!decode_cell(page, cell, columns, slot++)) return false;
  }
  return true;
}

void LeafScan::decode(TraceColumns& columns, std::size_t slot, std::atomic<bool>& stop,
                      const std::function<void(std::size_t)>& progress) {
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    if (i % kLeavesBetweenChecks == 0) {
      if (stop || interrupt::pending()) {
        stop = true;
        return;
      }
      progress(i);
    }
    if (!decode_leaf(leaves_[i], leaves_[std::min(i + 1, leaves_.size() - 1)], columns, slot)) {
      stop = true;
      return;
    }
  }
  // Here, because every thread does it for its part, while unmapping is done by one for all.
  const auto [first, last] = std::minmax_element(leaves_.begin(), leaves_.end());
  if (first != leaves_.end()) file_.release(*first, *last);
}

}  // namespace rpl
