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
    into.offsets[words] = static_cast<std::uint16_t>(offset + done);
    into.bytes[words] = static_cast<std::uint8_t>(std::min(bytes - done, 8U));
  }
  return true;
}

/// Into a word of a compact column, or to those that it does not hold.
[[gnu::always_inline]] inline void put(std::int64_t value, std::uint32_t& word, std::size_t slot,
                                       DispatchSink::FarValues& far) {
  if (static_cast<std::uint64_t>(value) < CompactColumn::kEscaped) [[likely]] {
    word = static_cast<std::uint32_t>(value);
    return;
  }
  word = CompactColumn::kEscaped;
  far.emplace_back(slot, value);
}

}  // namespace

bool KeyShapes::plan(const TableRow& row, DispatchField first, DispatchField last, KeyPlan& into) {
  std::vector<std::uint32_t> shape{static_cast<std::uint32_t>(first)};
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
  into.shape =
      known_.try_emplace(std::move(shape), static_cast<std::uint32_t>(known_.size())).first->second;
  return true;
}

DispatchPlan DispatchPlan::of(const TableRow& row, KeyShapes& shapes) {
  const auto number = [&](DispatchField field) {
    return NumberPlan::of(row.columns()[column_of(field)]);
  };
  DispatchPlan plan;
  plan.start = number(DispatchField::start);
  plan.end = number(DispatchField::end);
  plan.dispatch_id = number(DispatchField::dispatch_id);
  plan.event_id = number(DispatchField::event_id);
  plan.odd =
      !shapes.plan(row, pid, track, plan.lane) || !shapes.plan(row, kernel, grid_z, plan.launch);
  plan.made = true;
  return plan;
}

DispatchColumns DispatchColumns::of(const TableRow& row) {
  DispatchColumns out;
  std::copy_n(row.columns(), kDispatchFields, out.columns.begin());
  out.nulls = row.nulls();
  return out;
}

DispatchRow DispatchColumns::read(const std::uint8_t* record) const {
  DispatchRow out;
  for (std::size_t field = 0; field < kDispatchFields; ++field)
    out.values[field] = columns[field].read(record);
  out.nulls = nulls;
  return out;
}

DispatchSink::DispatchSink(TraceColumns& columns, std::size_t first, std::size_t end)
    : given_(&columns), first_(first), room_(end - first) {}

void DispatchSink::make(const TableRow& row, std::size_t plan) {
  if (plan >= plans_.size()) {
    plans_.resize(plan + 1);
    all_columns_.resize(plan + 1);
  }
  plans_[plan] = DispatchPlan::of(row, shapes_);
  all_columns_[plan] = DispatchColumns::of(row);
}

void DispatchSink::make_room(std::size_t rows) {
  if (rows_ + rows <= room_) return;
  room_ = rows_ + rows + rows_ / 2 + 1024;
  own_.resize(room_);
  if (!std::exchange(spilled_, true)) {
    const auto move = [&](const auto& from, auto&& to) {
      std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(first_), rows_, to.begin());
    };
    move(given_->start_ns, own_.start_ns);
    move(given_->duration_ns.raw(), own_.duration_ns.raw());
    move(given_->launch, own_.launch);
    move(given_->lane, own_.lane);
    move(given_->dispatch_id.raw(), own_.dispatch_id.raw());
    move(given_->event_id.raw(), own_.event_id.raw());
    first_ = 0;
  }
}

DispatchSink::Ends DispatchSink::ends() {
  TraceColumns& into = columns();
  const std::size_t at = first_ + rows_;
  return {into.start_ns.data() + at,
          into.duration_ns.raw().data() + at,
          into.launch.data() + at,
          into.lane.data() + at,
          into.dispatch_id.raw().data() + at,
          into.event_id.raw().data() + at};
}

bool DispatchSink::odd(std::int64_t rowid) {
  take_noted();
  make_room(1);
  odd_rows.push_back({rows_, rowid});
  // Whatever is put here is replaced.
  const Ends to = ends();
  *to.start_ns = 0;
  *to.duration_ns = *to.launch = *to.lane = *to.dispatch_id = *to.event_id = 0;
  ++rows_;
  return true;
}

void DispatchSink::take_noted() {
  if (waiting_ == 0) return;
  make_room(waiting_);
  const std::span noted = std::span<const Noted>(noted_).first(waiting_);
  const Ends to = ends();
  take_values(noted, to);
  take_lanes(noted, to);
  take_launches(noted, to);
  rows_ += waiting_;
  waiting_ = 0;
}

void DispatchSink::take_values(std::span<const Noted> noted, const Ends& to) {
  std::uint32_t highest = highest_event;
  for (std::size_t i = 0; i < noted.size(); ++i) {
    const std::uint8_t* const record = noted[i].record;
    const DispatchPlan& plan = plans_[noted[i].plan];
    const std::int64_t start_ns = plan.start.read(record);
    to.start_ns[i] = start_ns;
    const std::uint64_t duration_ns =
        static_cast<std::uint64_t>(plan.end.read(record)) - static_cast<std::uint64_t>(start_ns);
    put(static_cast<std::int64_t>(duration_ns), to.duration_ns[i], rows_ + i, far_durations);
    put(plan.dispatch_id.read(record), to.dispatch_id[i], rows_ + i, far_dispatch_ids);
    put(plan.event_id.read(record), to.event_id[i], rows_ + i, far_event_ids);
    highest = std::max(highest, to.event_id[i]);
  }
  highest_event = highest;
}

[[gnu::always_inline]] inline std::uint32_t DispatchSink::intern(
    TupleTable<KeyPlan::kWords + 1>& index, const KeyPlan::Key& key, std::vector<DispatchRow>& rows,
    const Noted& noted) {
  if (const std::uint32_t* known = index.find(key)) return *known;
  const auto next = static_cast<std::uint32_t>(rows.size());
  rows.push_back(all_columns_[noted.plan].read(noted.record));
  index.insert(key, next);
  return next;
}

void DispatchSink::take_lanes(std::span<const Noted> noted, const Ends& to) {
  for (std::size_t i = 0; i < noted.size(); ++i)
    to.lane[i] =
        intern(lane_index_, plans_[noted[i].plan].lane.read(noted[i].record), lanes, noted[i]);
}

void DispatchSink::take_launches(std::span<const Noted> noted, const Ends& to) {
  for (std::size_t i = 0; i < noted.size(); ++i) {
    const std::uint32_t launch = intern(
        launch_index_, plans_[noted[i].plan].launch.read(noted[i].record), launches, noted[i]);
    to.launch[i] = launch;
    if (launch == lengths.size()) [[unlikely]]
      lengths.emplace_back();
    lengths[launch].add(to.duration_ns[i]);
  }
}

}  // namespace rpl
