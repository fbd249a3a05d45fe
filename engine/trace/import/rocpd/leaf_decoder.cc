// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>

#include "engine/trace/import/rocpd/dispatch_sink.h"
#include "engine/trace/import/rocpd/rocpd_dispatches.h"
#include "engine/trace/import/rocpd/table_reader.h"

namespace rpl {
namespace {

/// One row in this many may go through the API; with more the API reads all rows faster in order.
constexpr std::size_t kOddShare = 16;
constexpr std::size_t kFewOdd = 64;

template <class Work>
void in_parallel(std::size_t count, const Work& work) {
  std::vector<std::jthread> threads;
  for (std::size_t i = 1; i < count; ++i) threads.emplace_back([&work, i] { work(i); });
  work(0);
}

void renumber(std::span<std::uint32_t> words, const std::vector<std::uint32_t>& map) {
  bool moved = false;
  for (std::size_t i = 0; i < map.size(); ++i) moved |= map[i] != i;
  if (!moved) return;
  for (std::uint32_t& word : words) word = word < map.size() ? map[word] : 0;
}

void place(const CompactColumn& from, CompactColumn& to, std::size_t slot) {
  std::ranges::copy(from.raw(), to.raw().begin() + static_cast<std::ptrdiff_t>(slot));
  for (const auto& [row, value] : from.escaped()) to.escaped()[slot + row] = value;
}

/// Copies columns behind what is there, all but the first parts in a thread of their own.
void place(const TraceColumns& from, TraceColumns& to, std::size_t slot) {
  const auto at = static_cast<std::ptrdiff_t>(slot);
  in_parallel(2, [&](std::size_t half) {
    if (half == 0) {
      std::ranges::copy(from.start_ns, to.start_ns.begin() + at);
      std::ranges::copy(from.lane, to.lane.begin() + at);
    } else {
      std::ranges::copy(from.launch, to.launch.begin() + at);
      place(from.duration_ns, to.duration_ns, slot);
      place(from.dispatch_id, to.dispatch_id, slot);
      place(from.event_id, to.event_id, slot);
    }
  });
}

/// What the shares of a table come to as rows of the whole trace.
class Shares {
 public:
  explicit Shares(std::vector<DispatchSink> sinks) : sinks_(std::move(sinks)) {
    for (DispatchSink& sink : sinks_) sink.finish();
  }

  [[nodiscard]] std::size_t rows() const {
    return std::transform_reduce(
        sinks_.begin(), sinks_.end(), std::size_t{0}, std::plus<>(),
        [](const DispatchSink& sink) { return sink.columns.start_ns.size(); });
  }
  [[nodiscard]] std::size_t odd_rows() const {
    return std::transform_reduce(sinks_.begin(), sinks_.end(), std::size_t{0}, std::plus<>(),
                                 [](const DispatchSink& sink) { return sink.odd_rows.size(); });
  }

  /// Numbers lanes and launches as the whole trace does, in the order of the rows, and reads the odd rows.
  Status resolve(RocpdEntities& entities, DispatchRows& rows) {
    std::vector<std::vector<std::uint32_t>> lanes(sinks_.size()), launches(sinks_.size());
    for (std::size_t i = 0; i < sinks_.size(); ++i) {
      for (const DispatchRow& row : sinks_[i].lanes) lanes[i].push_back(TRY(entities.lane(row)));
      for (const DispatchRow& row : sinks_[i].launches)
        launches[i].push_back(TRY(entities.launch(row)));
    }
    in_parallel(sinks_.size(), [&](std::size_t i) {
      renumber(sinks_[i].columns.lane, lanes[i]);
      renumber(sinks_[i].columns.launch, launches[i]);
    });
    for (DispatchSink& sink : sinks_) TRY(fill_odd(sink, rows));
    return {};
  }

  void append_to(TraceColumns& columns) {
    std::size_t base = columns.start_ns.size();
    for (DispatchSink& sink : sinks_) {
      if (base == 0) {
        base = sink.columns.start_ns.size();
        columns = std::move(sink.columns);
        continue;
      }
      const std::size_t more = sink.columns.start_ns.size();
      columns.resize(base + more);
      place(sink.columns, columns, base);
      base += more;
    }
  }

 private:
  static Status fill_odd(DispatchSink& sink, DispatchRows& rows) {
    TraceColumns& columns = sink.columns;
    for (const DispatchSink::OddRow& row : sink.odd_rows) {
      const RawDispatch dispatch = TRY(rows.read_one(row.rowid));
      columns.start_ns[row.slot] = dispatch.start_ns;
      columns.duration_ns.set(
          row.slot, static_cast<std::int64_t>(static_cast<std::uint64_t>(dispatch.end_ns) -
                                              static_cast<std::uint64_t>(dispatch.start_ns)));
      columns.launch[row.slot] = dispatch.launch;
      columns.lane[row.slot] = dispatch.lane;
      columns.dispatch_id.set(row.slot, dispatch.dispatch_id);
      columns.event_id.set(row.slot, dispatch.event_id);
    }
    return {};
  }

  std::vector<DispatchSink> sinks_;
};

}  // namespace

Result<bool> decode_leaves(TableReader& reader, const RocpdSource& source, RocpdEntities& entities,
                           DispatchRows& rows, RawTrace& raw, const Monitor& monitor) {
  std::vector<WantedColumn> wanted;
  for (const std::string_view name : kDispatchColumns) wanted.push_back({name});
  PreparedTable table = TRY(reader.prepare("rocpd_kernel_dispatch", source.suffix, wanted));
  if (!table.direct || table.layout.rowid_column >= 0) return false;
  table.layout.needed = 1U << static_cast<unsigned>(DispatchField::start) |
                        1U << static_cast<unsigned>(DispatchField::end);
  const std::size_t parts = reader.parts(table, 2);
  const std::size_t expected = reader.estimated_rows(table);
  std::vector<DispatchSink> sinks;
  sinks.reserve(parts);
  // The first has room for the others behind its own rows.
  for (std::size_t i = 0; i < parts; ++i) sinks.emplace_back(i == 0 ? expected : expected / parts);
  if (!TRY(reader.scan_rows(table, table.leaves, std::span(sinks), monitor))) return false;
  Shares shares(std::move(sinks));
  if (shares.odd_rows() > kFewOdd + shares.rows() / kOddShare) return false;
  const Status resolved = shares.resolve(entities, rows);
  if (resolved) {
    shares.append_to(raw.columns);
    return true;
  }
  // A damaged tree may hide rows from a search that a scan meets, or the other way round: SQLite's scan decides.
  TRY(interrupt::check());
  rows.forget();
  return false;
}

}  // namespace rpl
