// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>

#include "engine/base/interrupt.h"
#include "engine/trace/import/rocpd/page_check.h"
#include "engine/trace/import/rocpd/page_file.h"
#include "engine/trace/import/rocpd/record_plan.h"

namespace rpl {

/// Goes over some leaves of a table, in key order. `Sink` has
///   bool row(const TableRow&, const RecordPlan&), bool odd(std::int64_t rowid)
/// for rows that a plan reads and for those that SQLite's API has to read; false from either stops the scan. One that has end_of_page() is told where the
/// records that it was given end to be there.
template <class Sink>
class LeafScan {
 public:
  /// `lonely`: the table has no other leaf, so that it may be empty. `ranges`: of the leaves, or none. `adds_up`: look also at what reading does not take.
  LeafScan(const PageFile& file, const TableLayout& layout, std::span<const std::uint32_t> leaves,
           std::span<const KeyRange> ranges, bool lonely, Sink& sink, bool adds_up = true)
      : file_(file),
        layout_(layout),
        plans_(layout),
        leaves_(leaves),
        ranges_(ranges),
        lonely_(lonely),
        adds_up_(adds_up),
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
      if (page == nullptr || !look(page, leaves_[i], ranges_.empty() ? KeyRange{} : ranges_[i]))
        break;
      if (i + 1 == leaves_.size()) return;
    }
    if (!leaves_.empty()) stop = true;
  }

  /// One page of any of the leaves, in any order; kOverread bytes may be read beyond it. False when it is damaged.
  bool page(const std::uint8_t* bytes, std::uint32_t number, const KeyRange& range) {
    any_ = false;
    return look(bytes, number, range);
  }

  /// Whether this share's rowids all come after those of the share before it.
  [[nodiscard]] bool follows(const LeafScan& before) const {
    return !any_ || !before.any_ || first_rowid_ > before.last_rowid_;
  }
  [[nodiscard]] std::size_t rows() const { return rows_; }
  [[nodiscard]] std::size_t odd_rows() const { return odd_rows_; }
  /// What was wrong with the pages that were read.
  [[nodiscard]] const PageFindings& findings() const { return findings_; }
  /// Of the rows that were read; nullopt without any.
  [[nodiscard]] std::optional<std::pair<std::int64_t, std::int64_t>> rowids() const {
    if (!any_) return std::nullopt;
    return std::pair(first_rowid_, last_rowid_);
  }

 private:
  static constexpr std::uint32_t kLeafHeader = 8;  ///< bytes before the cell pointers of a leaf
  static constexpr std::size_t kLeavesBetweenChecks = 512;
  /// Payloads up to this much short of a page stay in it.
  static constexpr std::uint32_t kOverflowMargin = 35;

  /// What stops the scan is found as well as what does not.
  bool look(const std::uint8_t* page, std::uint32_t number, const KeyRange& range) {
    const bool before = any_;
    const std::int64_t last_before = last_rowid_;
    const std::size_t misfits = plans_.misfits();
    in_cells_ = 0;
    broken_ = PageFault::unreadable;
    const bool read = leaf(page);
    if constexpr (requires { sink_.end_of_page(); }) sink_.end_of_page();
    if (!read) {
      if (broken_ != PageFault::none) findings_.add(broken_, number);
      return false;
    }
    if (!adds_up_) return true;
    const bool rows = any_ && (!before || last_rowid_ != last_before);
    if (rows && (page_first_ <= range.after || last_rowid_ > range.last))
      findings_.add(PageFault::place, number);
    else if (!accounts_for_bytes(page, file_.page_bytes(), kLeafHeader, in_cells_))
      findings_.add(PageFault::bytes, number);
    else if (plans_.misfits() != misfits)
      findings_.add(PageFault::record, number);
    return true;
  }

  bool leaf(const std::uint8_t* page) {
    const std::uint32_t cells = big_endian_16(page + 3), bytes = file_.page_bytes();
    // SQLite takes an empty leaf for damage, except as the root.
    if (page[0] != PageFile::kLeaf || (cells == 0 && !lonely_) || cells > (bytes - kLeafHeader) / 6)
      return false;
    const std::uint32_t first = kLeafHeader + 2 * cells;
    std::uint64_t in_cells = 0;
    for (std::uint32_t i = 0; i < cells; ++i) {
      const std::uint32_t at = big_endian_16(page + kLeafHeader + 2 * i);
      if (at < first || at + 4 > bytes) return false;
      if (!cell(page, at, in_cells)) return false;
      if (i == 0) page_first_ = last_rowid_;
    }
    in_cells_ = in_cells;
    rows_ += cells;
    return true;
  }

  // Inlined by hand: what it saves and restores around the call is a tenth of what it does.
  [[gnu::always_inline]] bool cell(const std::uint8_t* page, std::uint32_t cell,
                                   std::uint64_t& in_cells) {
    const std::uint8_t* at = page + cell;
    const std::uint64_t payload = read_varint(at);
    const auto rowid = static_cast<std::int64_t>(read_varint(at));
    // Rows that go to the API are looked up by rowid, which only finds them when rowids ascend.
    if (any_ && rowid <= last_rowid_) {
      broken_ = PageFault::order;
      return false;
    }
    if (!any_) first_rowid_ = rowid;
    any_ = true;
    last_rowid_ = rowid;
    const auto head = static_cast<std::uint32_t>(at - page) - cell;
    if (payload > file_.page_bytes() - kOverflowMargin) {
      in_cells += cell_bytes(head, payload, file_.page_bytes());
      return odd(rowid);
    }
    in_cells += head + payload;
    if (static_cast<std::uint64_t>(at - page) + payload > file_.page_bytes()) return false;
    const RecordPlan* plan = plans_.find(at);
    // SQLite checks what the plan did not.
    if (plan == nullptr) return odd(rowid);
    if (plan->broken || plan->payload_bytes != payload) return false;
    if (plan->odd) return odd(rowid);
    if (sink_.row(TableRow(rowid, layout_.rowid_column, plan->nulls, plans_.columns(*plan), at),
                  *plan)) {
      return true;
    }
    broken_ = PageFault::none;
    return false;
  }

  bool odd(std::int64_t rowid) {
    ++odd_rows_;
    if (sink_.odd(rowid)) return true;
    broken_ = PageFault::none;
    return false;
  }

  const PageFile& file_;
  const TableLayout& layout_;
  PlanCache plans_;
  std::span<const std::uint32_t> leaves_;
  std::span<const KeyRange> ranges_;
  bool lonely_, adds_up_;
  Sink& sink_;
  bool any_ = false;
  std::int64_t first_rowid_ = 0, last_rowid_ = 0;
  std::size_t rows_ = 0, odd_rows_ = 0;
  std::int64_t page_first_ = 0;  ///< row id of the page's first row
  std::uint64_t in_cells_ = 0;   ///< bytes of the page
  PageFault broken_ =
      PageFault::none;  ///< what a page is that stops the scan; none: the sink stopped it
  PageFindings findings_;
};

}  // namespace rpl
