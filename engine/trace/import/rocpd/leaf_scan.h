// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>

#include "engine/base/interrupt.h"
#include "engine/trace/import/rocpd/page_file.h"
#include "engine/trace/import/rocpd/record_plan.h"

namespace rpl {

/// A variable-length integer of up to nine bytes (fileformat2.html §1.6); at most nine bytes are read.
inline std::uint64_t read_varint(const std::uint8_t*& at) {
  std::uint64_t value = 0;
  for (int i = 0; i < 8; ++i) {
    const std::uint8_t byte = *at++;
    value = value << 7 | (byte & 0x7fU);
    if (byte < 0x80) return value;
  }
  return value << 8 | *at++;
}

/// Goes over some leaves of a table, in key order. `Sink` has
///   bool row(const TableRow&, const RecordPlan&), bool odd(std::int64_t rowid)
/// for rows that a plan reads and for those that SQLite's API has to read; false from either stops the scan.
template <class Sink>
class LeafScan {
 public:
  /// `lonely`: the table has no other leaf, so that it may be empty.
  LeafScan(const PageFile& file, const TableLayout& layout, std::span<const std::uint32_t> leaves,
           bool lonely, Sink& sink)
      : file_(file),
        layout_(layout),
        plans_(layout),
        leaves_(leaves),
        lonely_(lonely),
        sink_(sink) {}

  /// Sets `stop` when a page is damaged or the interrupt flag is up, and ends early when another thread has. `progress` gets
  /// the number of leaves done.
  void run(std::atomic<bool>& stop, const std::function<void(std::size_t)>& progress) {
    PageStream stream(file_, leaves_);
    for (std::size_t i = 0; i < leaves_.size(); ++i) {
      if (i % kLeavesBetweenChecks == 0) {
        if (stop || interrupt::pending()) break;
        progress(i);
      }
      const std::uint8_t* page = stream.next();
      if (page == nullptr || !leaf(page)) break;
      if (i + 1 == leaves_.size()) return;
    }
    if (!leaves_.empty()) stop = true;
  }

  /// One page of any of the leaves, in any order; kOverread bytes may be read beyond it. False when it is damaged.
  bool page(const std::uint8_t* bytes) {
    any_ = false;
    return leaf(bytes);
  }

  /// Whether this share's rowids all come after those of the share before it.
  [[nodiscard]] bool follows(const LeafScan& before) const {
    return !any_ || !before.any_ || first_rowid_ > before.last_rowid_;
  }
  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::size_t odd_rows() const { return odd_rows_; }

 private:
  static constexpr std::uint32_t kLeafHeader = 8;  ///< bytes before the cell pointers of a leaf
  static constexpr std::size_t kLeavesBetweenChecks = 512;
  /// Payloads up to this much short of a page stay in it.
  static constexpr std::uint32_t kOverflowMargin = 35;

  bool leaf(const std::uint8_t* page) {
    const std::uint32_t cells = big_endian_16(page + 3), bytes = file_.page_bytes();
    // SQLite takes an empty leaf for damage, except as the root.
    if (page[0] != PageFile::kLeaf || (cells == 0 && !lonely_) || cells > (bytes - kLeafHeader) / 6)
      return false;
    const std::uint32_t first = kLeafHeader + 2 * cells;
    for (std::uint32_t i = 0; i < cells; ++i) {
      const std::uint32_t at = big_endian_16(page + kLeafHeader + 2 * i);
      if (at < first || at + 4 > bytes) return false;
      if (!cell(page, at)) return false;
    }
    rows_ += cells;
    return true;
  }

  // Inlined by hand: what it saves and restores around the call is a tenth of what it does.
  [[gnu::always_inline]] bool cell(const std::uint8_t* page, std::uint32_t cell) {
    const std::uint8_t* at = page + cell;
    const std::uint64_t payload = read_varint(at);
    const auto rowid = static_cast<std::int64_t>(read_varint(at));
    // Rows that go to the API are looked up by rowid, which only finds them when rowids ascend.
    if (any_ && rowid <= last_rowid_) return false;
    if (!any_) first_rowid_ = rowid;
    any_ = true;
    last_rowid_ = rowid;
    if (payload > file_.page_bytes() - kOverflowMargin) return odd(rowid);
    if (static_cast<std::uint64_t>(at - page) + payload > file_.page_bytes()) return false;
    const RecordPlan* plan = plans_.find(at);
    // SQLite checks what the plan did not.
    if (plan == nullptr || plan->odd) return odd(rowid);
    if (plan->broken || plan->payload_bytes != payload) return false;
    return sink_.row(TableRow(rowid, layout_.rowid_column, plan->nulls, plans_.columns(*plan), at),
                     *plan);
  }

  bool odd(std::int64_t rowid) {
    ++odd_rows_;
    return sink_.odd(rowid);
  }

  const PageFile& file_;
  const TableLayout& layout_;
  PlanCache plans_;
  std::span<const std::uint32_t> leaves_;
  bool lonely_;
  Sink& sink_;
  bool any_ = false;
  std::int64_t first_rowid_ = 0, last_rowid_ = 0;
  std::size_t rows_ = 0, odd_rows_ = 0;
};

}  // namespace rpl
