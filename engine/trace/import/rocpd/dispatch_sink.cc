// SPDX-License-Identifier: MIT
#include "engine/trace/import/rocpd/dispatch_sink.h"

#include <algorithm>

namespace rpl {
namespace {

using enum DispatchField;

constexpr int column_of(DispatchField field) { return static_cast<int>(field); }

/// A column's span of bytes, as words of a key. False when there are too many.
bool add_words(std::uint32_t offset, std::uint32_t bytes, std::size_t& words, KeyPlan& into) {
  for (std::uint32_t done = 0; done < bytes; done += 8, ++words) {
    if (words == KeyPlan::kWords) return false;
    const std::uint32_t left = std::min(bytes - done, 8U);
    into.offsets[words] = offset + done;
    into.masks[words] = left == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * left) - 1;
  }
  return true;
}

DispatchRow row_of(const TableRow& row) {
  DispatchRow out;
  for (std::size_t field = 0; field < kDispatchFields; ++field)
    out.values[field] = row.integer(static_cast<int>(field));
  out.nulls = row.nulls();
  return out;
}

[[gnu::always_inline]] inline std::uint32_t intern(TupleTable<5>& index,
                                                   const TupleTable<5>::Key& key,
                                                   std::vector<DispatchRow>& rows,
                                                   const TableRow& row) {
  if (const std::uint32_t* known = index.find(key)) return *known;
  const auto next = static_cast<std::uint32_t>(rows.size());
  rows.push_back(row_of(row));
  index.insert(key, next);
  return next;
}

}  // namespace

bool DispatchSink::make_key(const TableRow& row, DispatchField first, DispatchField last,
                            KeyPlan& into) {
  Shape shape{static_cast<std::uint32_t>(first)};
  std::vector<std::pair<std::uint32_t, std::uint32_t>> spans;
  for (int column = column_of(first); column <= column_of(last); ++column) {
    const ColumnPlan& plan = row.columns()[column];
    // NULL, 0 and 1 have no bytes.
    shape.push_back(row.is_null(column) ? 255U : plan.bytes() * 2U + plan.constant);
    if (plan.bytes() != 0) spans.emplace_back(plan.offset, plan.bytes());
  }
  std::ranges::sort(spans);
  std::size_t words = 0;
  for (std::size_t i = 0; i < spans.size();) {
    const std::uint32_t offset = spans[i].first;
    std::uint32_t end = offset;
    for (; i < spans.size() && spans[i].first == end; ++i) end += spans[i].second;
    if (!add_words(offset, end - offset, words, into)) return false;
    // Records of other headers share keys when types and grouping agree, wherever the bytes lie.
    shape.push_back(end - offset);
  }
  into.shape = shapes_.try_emplace(std::move(shape), static_cast<std::uint32_t>(shapes_.size()))
                   .first->second;
  return true;
}

void DispatchSink::make(const TableRow& row, Plan& plan) {
  plan.made = true;
  plan.start = row.columns()[column_of(start)];
  plan.end = row.columns()[column_of(end)];
  plan.dispatch_id = row.columns()[column_of(dispatch_id)];
  plan.event_id = row.columns()[column_of(event_id)];
  plan.odd = !make_key(row, pid, track, plan.lane) || !make_key(row, kernel, grid_z, plan.launch);
}

void DispatchSink::resize(std::size_t rows) { columns.resize(rows); }

void DispatchSink::grow() { resize(rows_ + rows_ / 2 + 1024); }

bool DispatchSink::odd(std::int64_t rowid) {
  if (rows_ == columns.start_ns.size()) grow();
  odd_rows.push_back({rows_, rowid});
  // Whatever is put here is replaced.
  columns.duration_ns.set(rows_, 0);
  columns.dispatch_id.set(rows_, 0);
  columns.event_id.set(rows_, 0);
  columns.start_ns[rows_] = 0;
  columns.lane[rows_] = columns.launch[rows_] = 0;
  ++rows_;
  return true;
}

bool DispatchSink::row(const TableRow& row, const RecordPlan& record) {
  if (record.number >= plans_.size()) plans_.resize(record.number + 1U);
  Plan& plan = plans_[record.number];
  if (!plan.made) make(row, plan);
  if (plan.odd) return odd(row.rowid());
  if (rows_ == columns.start_ns.size()) grow();
  const std::uint8_t* bytes = row.record();
  const std::size_t slot = rows_++;
  const std::int64_t start_ns = plan.start.read(bytes);
  columns.start_ns[slot] = start_ns;
  const std::uint64_t duration_ns =
      static_cast<std::uint64_t>(plan.end.read(bytes)) - static_cast<std::uint64_t>(start_ns);
  columns.duration_ns.set(slot, static_cast<std::int64_t>(duration_ns));
  columns.dispatch_id.set(slot, plan.dispatch_id.read(bytes));
  columns.event_id.set(slot, plan.event_id.read(bytes));
  columns.lane[slot] = intern(lane_index_, plan.lane.read(bytes), lanes, row);
  columns.launch[slot] = intern(launch_index_, plan.launch.read(bytes), launches, row);
  return true;
}

}  // namespace rpl
