// SPDX-License-Identifier: MIT
#include "engine/trace/core/trace.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/trace/core/row_parts.h"
#include "engine/trace/core/secondary.h"

namespace rpl {
namespace {

template <class T>
std::size_t held_bytes(const ColumnVector<T>& column) {
  return column.capacity() * sizeof(T);
}

std::size_t held_bytes(const CompactColumn& column) {
  constexpr std::size_t kNodeBytes = 48;  // of a hash map entry, with its share of the buckets
  return column.size() * sizeof(std::uint32_t) + column.escaped().size() * kNodeBytes;
}

std::int64_t last_end_ns(const Trace& trace) {
  const auto starts = std::span(trace.columns().start_ns);
  const auto durations = trace.columns().duration_ns.raw();
  const RowParts rows(0, starts.size());
  std::vector<std::int64_t> latest(rows.count(), trace.end_ns(0));
  rows.run_all([&](std::size_t part, std::size_t from, std::size_t to) {
    std::int64_t last = latest[part];
    for (std::size_t row = from; row < to; ++row) {
      if (durations[row] == CompactColumn::kEscaped) continue;
      last = std::max(last, static_cast<std::int64_t>(static_cast<std::uint64_t>(starts[row]) +
                                                      durations[row]));
    }
    latest[part] = last;
  });
  std::int64_t last = *std::max_element(latest.begin(), latest.end());
  for (const auto& [row, duration] : trace.columns().duration_ns.escaped()) {
    last = std::max(last, trace.end_ns(row));
  }
  return last;
}

}  // namespace

namespace {

/// Dispatches outside of the life of their process, as far as that is known. What is within the life of all of them needs no look at rows.
void check_lives(const Trace& trace, std::vector<std::string>& damage) {
  struct Life {
    std::int64_t from = INT64_MIN, to = INT64_MAX;
  };
  const TraceEntities& entities = trace.entities();
  std::vector<Life> lives;
  Life all;
  for (const Process& process : entities.processes) {
    const bool known = process.start_ns > 0 && process.end_ns > process.start_ns;
    lives.push_back(known ? Life{process.start_ns, process.end_ns} : Life{});
    all = {std::max(all.from, lives.back().from), std::min(all.to, lives.back().to)};
  }
  const auto [first, last] = trace.extent_ns();
  if (trace.size() == 0 || (first >= all.from && last <= all.to)) return;
  std::size_t early = 0, late = 0, one_early = 0, one_late = 0;
  for (std::size_t row = 0; row < trace.size(); ++row) {
    const Life& own = lives[trace.lane(row).process];
    const std::int64_t start = trace.start_ns(row), length = trace.duration_ns(row);
    if (start < own.from && early++ == 0) one_early = row;
    // Backwards ones are said elsewhere.
    const bool after = length >= 0 && (start > own.to || (length > 0 && start > own.to - length));
    if (after && late++ == 0) one_late = row;
  }
  const auto say = [&](std::size_t count, std::size_t row, std::string_view what) {
    if (count == 0) return;
    damage.push_back(fmt::format("dispatch d{} ({}){} {}", row + 1,
                                 trace.kernels()[trace.kernel_of(row)].name,
                                 count == 1 ? "" : fmt::format(" and {} more", count - 1), what));
  };
  say(early, one_early, "began before its process did");
  say(late, one_late, "ended after its process did");
}

}  // namespace

Trace::Trace(TraceColumns columns, TraceEntities entities,
             std::unique_ptr<SecondarySource> secondary)
    : columns_(std::move(columns)),
      entities_(std::move(entities)),
      secondary_(std::move(secondary)) {
  if (size() != 0) extent_ns_ = {start_ns(0), last_end_ns(*this)};
  check_lives(*this, entities_.damage);
  if (!secondary_) {
    secondary_ = std::make_unique<SecondarySource>(std::vector<std::unique_ptr<FileTables>>{});
  }
}

Trace::~Trace() = default;

Result<Facts> Trace::ask(FactSet wanted) const { return secondary_->ask(*this, wanted); }
Result<std::uint64_t> Trace::price(FactSet wanted) const { return secondary_->price(wanted); }
std::vector<TableReading> Trace::reading() const { return secondary_->reading(); }
std::vector<std::string> Trace::damage() const {
  std::vector<std::string> all = entities_.damage;
  for (std::size_t file = 0; file < entities_.files.size(); ++file) {
    for (std::string& one : secondary_->damage(file)) {
      all.push_back(entities_.files.size() == 1
                        ? std::move(one)
                        : fmt::format("{}: {}", entities_.files[file].path, one));
    }
  }
  return all;
}
std::vector<std::uint32_t> Trace::pages_read(std::size_t file) const {
  return secondary_->pages_read(file);
}

Result<const CopyTable*> Trace::copies() const { return TRY(ask({Fact::copies})).copies; }
Result<const ApiTable*> Trace::api() const { return TRY(ask({Fact::calls})).calls; }
Result<const MarkerTable*> Trace::markers() const { return TRY(ask({Fact::markers})).markers; }
Result<const SyncTable*> Trace::syncs() const { return TRY(ask({Fact::orders})).orders; }
Result<const CounterTable*> Trace::counters() const { return TRY(ask({Fact::counters})).counters; }
Result<const CallSiteTable*> Trace::call_sites() const {
  return TRY(ask({Fact::call_sites})).call_sites;
}

std::size_t Trace::column_bytes() const {
  return held_bytes(columns_.start_ns) + held_bytes(columns_.launch) + held_bytes(columns_.lane) +
         held_bytes(columns_.duration_ns) + held_bytes(columns_.dispatch_id) +
         held_bytes(columns_.event_id);
}

}  // namespace rpl
