// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>
#include <optional>

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

/// Copies `rows` rows from row `first` of columns to row `slot` of others, or further to the front of the same; half of it in a thread of its own.
/// Far values of compact columns are left out.
void place_words(TraceColumns& from, std::size_t first, std::size_t rows, TraceColumns& to,
                 std::size_t slot) {
  const auto copy = [&](const auto& source, auto&& target) {
    std::copy_n(source.begin() + static_cast<std::ptrdiff_t>(first), rows,
                target.begin() + static_cast<std::ptrdiff_t>(slot));
  };
  in_parallel(2, [&](std::size_t half) {
    if (half == 0) {
      copy(from.start_ns, to.start_ns);
      copy(from.lane, to.lane);
    } else {
      copy(from.launch, to.launch);
      copy(from.duration_ns.raw(), to.duration_ns.raw());
      copy(from.dispatch_id.raw(), to.dispatch_id.raw());
      copy(from.event_id.raw(), to.event_id.raw());
    }
  });
}

void place_far(const CompactColumn& from, CompactColumn& to, std::size_t slot) {
  for (const auto& [row, value] : from.escaped()) to.escaped()[slot + row] = value;
}

std::span<std::uint32_t> part(std::span<std::uint32_t> words, const DispatchSink& sink) {
  return words.subspan(sink.first(), sink.rows());
}

void add_far(const DispatchSink::FarValues& values, std::size_t first, CompactColumn& column) {
  for (const auto& [slot, value] : values) column.set(first + slot, value);
}

/// What the shares of a table come to as rows of the whole trace.
class Shares {
 public:
  /// `columns`: those that the sinks were given.
  Shares(std::vector<DispatchSink> sinks, TraceColumns columns)
      : sinks_(std::move(sinks)), columns_(std::move(columns)) {
    // They moved.
    for (DispatchSink& sink : sinks_) sink.give(columns_);
  }

  [[nodiscard]] std::size_t rows() const {
    return std::transform_reduce(sinks_.begin(), sinks_.end(), std::size_t{0}, std::plus<>(),
                                 [](const DispatchSink& sink) { return sink.rows(); });
  }
  [[nodiscard]] std::size_t odd_rows() const {
    return std::transform_reduce(sinks_.begin(), sinks_.end(), std::size_t{0}, std::plus<>(),
                                 [](const DispatchSink& sink) { return sink.odd_rows.size(); });
  }

  /// Numbers lanes and launches as the whole trace does, in the order of the rows, reads the odd rows, and puts all behind each other.
  Status resolve(RocpdEntities& entities, DispatchRows& rows, DispatchFacts& facts) {
    std::vector<std::vector<std::uint32_t>> lanes(sinks_.size()), launches(sinks_.size());
    for (std::size_t i = 0; i < sinks_.size(); ++i) {
      for (const DispatchRow& row : sinks_[i].lanes) lanes[i].push_back(TRY(entities.lane(row)));
      for (const DispatchRow& row : sinks_[i].launches)
        launches[i].push_back(TRY(entities.launch(row)));
      add_facts(sinks_[i], launches[i], facts);
    }
    in_parallel(sinks_.size(), [&](std::size_t i) {
      renumber(part(sinks_[i].columns().lane, sinks_[i]), lanes[i]);
      renumber(part(sinks_[i].columns().launch, sinks_[i]), launches[i]);
    });
    join();
    return fill_odd(rows, facts);
  }

  void append_to(TraceColumns& columns) {
    const std::size_t before = columns.start_ns.size();
    if (before == 0) {
      columns = std::move(columns_);
      return;
    }
    columns.resize(before + columns_.start_ns.size());
    place_words(columns_, 0, columns_.start_ns.size(), columns, before);
    place_far(columns_.duration_ns, columns.duration_ns, before);
    place_far(columns_.dispatch_id, columns.dispatch_id, before);
    place_far(columns_.event_id, columns.event_id, before);
  }

 private:
  static void add_facts(const DispatchSink& sink, const std::vector<std::uint32_t>& launches,
                        DispatchFacts& facts) {
    facts.highest_event = std::max(facts.highest_event, sink.highest_event);
    for (std::size_t i = 0; i < launches.size(); ++i) {
      if (launches[i] >= facts.lengths.size()) facts.lengths.resize(launches[i] + 1);
      facts.lengths[launches[i]].add(sink.lengths[i]);
    }
  }

  /// All rows into columns_, where they mostly are.
  void join() {
    const std::size_t all = rows();
    const bool spilled = std::ranges::any_of(sinks_, &DispatchSink::spilled);
    TraceColumns others;
    if (spilled) others.resize(all);
    TraceColumns& into = spilled ? others : columns_;
    std::size_t at = 0;
    for (DispatchSink& sink : sinks_) {
      if (spilled || sink.first() != at)
        place_words(sink.columns(), sink.first(), sink.rows(), into, at);
      at += sink.rows();
    }
    into.resize(all);
    at = 0;
    for (const DispatchSink& sink : sinks_) {
      add_far(sink.far_durations, at, into.duration_ns);
      add_far(sink.far_dispatch_ids, at, into.dispatch_id);
      add_far(sink.far_event_ids, at, into.event_id);
      at += sink.rows();
    }
    if (spilled) columns_ = std::move(others);
  }

  Status fill_odd(DispatchRows& rows, DispatchFacts& facts) {
    std::size_t first = 0;
    for (const DispatchSink& sink : sinks_) {
      for (const DispatchSink::OddRow& row : sink.odd_rows)
        fill(TRY(rows.read_one(row.rowid)), first + row.slot, facts);
      first += sink.rows();
    }
    return {};
  }

  void fill(const RawDispatch& dispatch, std::size_t slot, DispatchFacts& facts) {
    columns_.start_ns[slot] = dispatch.start_ns;
    columns_.duration_ns.set(
        slot, static_cast<std::int64_t>(static_cast<std::uint64_t>(dispatch.end_ns) -
                                        static_cast<std::uint64_t>(dispatch.start_ns)));
    columns_.launch[slot] = dispatch.launch;
    columns_.lane[slot] = dispatch.lane;
    columns_.dispatch_id.set(slot, dispatch.dispatch_id);
    columns_.event_id.set(slot, dispatch.event_id);
    if (dispatch.launch >= facts.lengths.size()) facts.lengths.resize(dispatch.launch + 1);
    facts.lengths[dispatch.launch].add(columns_.duration_ns.raw()[slot]);
    facts.highest_event = std::max(facts.highest_event, columns_.event_id.raw()[slot]);
  }

  std::vector<DispatchSink> sinks_;
  TraceColumns columns_;
};

}  // namespace

Result<std::optional<DispatchFacts>> decode_leaves(TableReader& reader, const RocpdSource& source,
                                                   RocpdEntities& entities, DispatchRows& rows,
                                                   RawTrace& raw, const Monitor& monitor) {
  const std::optional<DispatchFacts> left_to_sqlite;
  std::vector<WantedColumn> wanted;
  for (const std::string_view name : kDispatchColumns) wanted.push_back({name});
  PreparedTable table = TRY(reader.prepare("rocpd_kernel_dispatch", source.suffix, wanted));
  if (!table.direct || table.layout.rowid_column >= 0) return left_to_sqlite;
  table.layout.needed = 1U << static_cast<unsigned>(DispatchField::start) |
                        1U << static_cast<unsigned>(DispatchField::end);
  const std::size_t parts = reader.parts(table, 2);
  const std::vector<std::size_t> places = reader.places(table, parts);
  TraceColumns columns;
  columns.resize(places.back());
  std::vector<DispatchSink> sinks;
  sinks.reserve(parts);
  for (std::size_t i = 0; i < parts; ++i) sinks.emplace_back(columns, places[i], places[i + 1]);
  if (!TRY(reader.scan_rows(table, table.leaves, std::span(sinks), monitor))) return left_to_sqlite;
  Shares shares(std::move(sinks), std::move(columns));
  if (shares.odd_rows() > kFewOdd + shares.rows() / kOddShare) return left_to_sqlite;
  DispatchFacts facts;
  const Status resolved = shares.resolve(entities, rows, facts);
  if (resolved) {
    shares.append_to(raw.columns);
    return std::optional(std::move(facts));
  }
  // A damaged tree may hide rows from a search that a scan meets, or the other way round: SQLite's scan decides.
  TRY(interrupt::check());
  rows.forget();
  return left_to_sqlite;
}

}  // namespace rpl
