// SPDX-License-Identifier: MIT
#include "engine/trace/core/query.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "engine/trace/core/duration_sums.h"
#include "engine/trace/core/row_parts.h"

namespace rpl {
namespace {

std::vector<std::uint8_t> flags_of(const std::vector<std::uint32_t>& wanted, std::size_t size) {
  std::vector<std::uint8_t> flags(size, wanted.empty() ? 1 : 0);
  for (const std::uint32_t index : wanted) {
    if (index < size) flags[index] = 1;
  }
  return flags;
}

/// A query with everything about entities turned into one flag per launch and per lane.
class Filter {
 public:
  Filter(const Trace& trace, const DispatchQuery& query)
      : trace_(trace),
        least_(query.min_duration_ns.value_or(std::numeric_limits<std::int64_t>::min())),
        most_(query.max_duration_ns.value_or(std::numeric_limits<std::int64_t>::max())) {
    const TraceEntities& entities = trace.entities();
    const auto kernels = flags_of(query.kernels, entities.kernels.size());
    for (const Launch& launch : entities.launches) launches_.push_back(kernels[launch.kernel]);
    add_lanes(query, entities);
    const auto is_set = [](std::uint8_t flag) { return flag != 0; };
    any_ = std::ranges::all_of(launches_, is_set) && std::ranges::all_of(lanes_, is_set);
    const auto& starts = trace.columns().start_ns;
    const auto row_of = [&](std::int64_t time) {
      return static_cast<std::size_t>(std::lower_bound(starts.begin(), starts.end(), time) -
                                      starts.begin());
    };
    first_ = query.from_ns ? row_of(*query.from_ns) : 0;
    last_ = std::max(first_, query.to_ns ? row_of(*query.to_ns) : trace.size());
  }

  [[nodiscard]] RowParts parts() const { return RowParts(first_, last_); }
  [[nodiscard]] std::size_t first() const { return first_; }
  [[nodiscard]] std::size_t last() const { return last_; }

  /// Calls visit(row, word) for the matching rows; a word equal to kEscaped stands for duration_ns(row).
  template <class Visit>
  void each(std::size_t from, std::size_t to, const Visit& visit) const {
    const TraceColumns& columns = trace_.columns();
    const auto durations = columns.duration_ns.raw();
    for (std::size_t row = from; row < to; ++row) {
      if (!any_ && (launches_[columns.launch[row]] & lanes_[columns.lane[row]]) == 0) continue;
      const std::uint32_t word = durations[row];
      const std::int64_t duration =
          word == CompactColumn::kEscaped ? trace_.duration_ns(row) : std::int64_t{word};
      if (duration < least_ || duration > most_) continue;
      visit(row, word);
    }
  }

 private:
  void add_lanes(const DispatchQuery& query, const TraceEntities& entities) {
    const auto streams = flags_of(query.streams, entities.streams.size());
    const auto queues = flags_of(query.queues, entities.queues.size());
    const auto agents = flags_of(query.agents, entities.agents.size());
    const auto processes = flags_of(query.processes, entities.processes.size());
    // What a lane does not know matches only when it is not asked for.
    const auto matches = [](const auto& flags, std::uint32_t index, bool any) -> std::uint8_t {
      return index < flags.size() ? flags[index] : (any ? 1 : 0);
    };
    for (const Lane& lane : entities.lanes) {
      lanes_.push_back(matches(streams, lane.stream, query.streams.empty()) &
                       matches(queues, lane.queue, query.queues.empty()) &
                       matches(agents, lane.agent, query.agents.empty()) &
                       matches(processes, lane.process, query.processes.empty()));
    }
  }

  const Trace& trace_;
  std::int64_t least_, most_;
  std::vector<std::uint8_t> launches_, lanes_;
  bool any_ = false;  ///< launch and lane
  std::size_t first_ = 0, last_ = 0;
};

/// How often each of some bins was met, counted by several threads apart.
class Histogram {
 public:
  Histogram(std::size_t parts, std::size_t bins)
      : counts_(parts, std::vector<std::uint32_t>(bins)) {}

  void add(std::size_t part, std::uint32_t bin) { ++counts_[part][bin]; }

  /// The bin that holds the `rank`-th smallest value (from 1), and the rank within it.
  [[nodiscard]] std::pair<std::uint32_t, std::uint64_t> find(std::uint64_t rank) const {
    std::uint64_t before = 0;
    const auto bins = static_cast<std::uint32_t>(counts_.front().size());
    for (std::uint32_t bin = 0; bin < bins; ++bin) {
      std::uint64_t here = 0;
      for (const auto& part : counts_) here += part[bin];
      if (before + here >= rank) return {bin, rank - before};
      before += here;
    }
    return {bins - 1, 1};
  }

 private:
  std::vector<std::vector<std::uint32_t>> counts_;
};

/// Bins of 32-bit values that are one value wide up to 511, and above a 256th of what the least of them is: durations of a few
/// microseconds and of seconds alike spread over hundreds of them, so that counting does not wait for the same counter.
constexpr unsigned kStepBits = 8;
constexpr std::size_t kBins = std::size_t{32 - kStepBits + 1} << kStepBits;

std::uint32_t bin_of(std::uint32_t word) {
  const unsigned bits = std::max(static_cast<unsigned>(std::bit_width(word)), kStepBits + 1);
  const unsigned shift = bits - (kStepBits + 1);
  return (shift << kStepBits) + (word >> shift);
}

/// 2^bits values from `base`, counted in up to 2^16 equal bins.
class Range {
 public:
  static Range of_bin(std::uint32_t bin, std::size_t parts) {
    const unsigned shift = bin < (2U << kStepBits) ? 0 : (bin >> kStepBits) - 1;
    return {(bin - (shift << kStepBits)) << shift, shift, parts};
  }
  Range(std::uint32_t base, unsigned bits, std::size_t parts)
      : base_(base), bits_(bits), counts_(parts, std::size_t{1} << (bits - shift())) {}

  void add(std::size_t part, std::uint32_t word) {
    const std::uint32_t offset = word - base_;
    if (offset >> bits_ == 0) counts_.add(part, offset >> shift());
  }
  [[nodiscard]] std::uint32_t base() const { return base_; }
  [[nodiscard]] bool is_one_value() const { return bits_ == 0; }
  /// The part of it that holds the `rank`-th smallest value, and the rank within that.
  [[nodiscard]] std::pair<Range, std::uint64_t> find(std::uint64_t rank, std::size_t parts) const {
    const auto [bin, rest] = counts_.find(rank);
    return {Range(base_ + (bin << shift()), shift(), parts), rest};
  }

 private:
  [[nodiscard]] unsigned shift() const { return bits_ > 16 ? bits_ - 16 : 0; }

  std::uint32_t base_;
  unsigned bits_;
  Histogram counts_;
};

/// Durations that are no word of their own: the negative ones come before all words, the long ones after.
struct Escaped {
  std::vector<std::int64_t> negative, large;
};

/// Exact ranks in two passes: one counts every word by its bin, one what is in the bins that hold a rank. Bins of words beyond 33 ms take
/// a third.
class PercentileScan {
 public:
  PercentileScan(const Trace& trace, const Filter& filter)
      : trace_(trace),
        filter_(filter),
        parts_(filter.parts()),
        bins_(parts_.count(), kBins),
        escaped_(parts_.count()) {}

  Status count() {
    std::vector<std::uint64_t> words(parts_.count());
    TRY(parts_.run([&](std::size_t part, std::size_t from, std::size_t to) {
      std::uint64_t mine = 0;
      filter_.each(from, to, [&](std::size_t row, std::uint32_t word) {
        if (word == CompactColumn::kEscaped) return keep(part, row);
        bins_.add(part, bin_of(word));
        ++mine;
      });
      words[part] += mine;
    }));
    for (const std::uint64_t count : words) words_ += count;
    for (Escaped& part : escaped_) {
      all_.negative.insert(all_.negative.end(), part.negative.begin(), part.negative.end());
      all_.large.insert(all_.large.end(), part.large.begin(), part.large.end());
    }
    std::sort(all_.negative.begin(), all_.negative.end());
    std::sort(all_.large.begin(), all_.large.end());
    return {};
  }

  [[nodiscard]] std::uint64_t matching() const {
    return words_ + all_.negative.size() + all_.large.size();
  }

  /// The `rank`-th smallest durations, ranks from 1.
  Result<std::vector<std::int64_t>> at(std::span<const std::uint64_t> ranks) {
    std::map<std::uint32_t, Range> chosen;
    for (const std::uint64_t rank : ranks) {
      if (!is_word(rank)) continue;
      const std::uint32_t bin = bins_.find(rank - all_.negative.size()).first;
      chosen.try_emplace(bin, Range::of_bin(bin, parts_.count()));
    }
    TRY(count_in(chosen));
    std::vector<std::int64_t> out;
    for (const std::uint64_t rank : ranks)
      out.push_back(is_word(rank) ? TRY(word_at(rank - all_.negative.size(), chosen))
                                  : escaped_at(rank));
    return out;
  }

 private:
  [[nodiscard]] bool is_word(std::uint64_t rank) const {
    return rank > all_.negative.size() && rank - all_.negative.size() <= words_;
  }
  [[nodiscard]] std::int64_t escaped_at(std::uint64_t rank) const {
    const std::size_t negative = all_.negative.size();
    return rank <= negative ? all_.negative[rank - 1] : all_.large[rank - negative - words_ - 1];
  }

  Result<std::int64_t> word_at(std::uint64_t rank, const std::map<std::uint32_t, Range>& chosen) {
    const auto [bin, rest] = bins_.find(rank);
    auto [range, in_range] = chosen.at(bin).find(rest, parts_.count());
    while (!range.is_one_value()) {
      std::map<std::uint32_t, Range> only;
      const Range& counted = only.try_emplace(bin, std::move(range)).first->second;
      TRY(count_in(only));
      std::tie(range, in_range) = counted.find(in_range, parts_.count());
    }
    return std::int64_t{range.base()};
  }

  /// Counts the words of these ranges, each within the bin that it is kept under.
  Status count_in(std::map<std::uint32_t, Range>& ranges) {
    std::vector<Range*> of_bin(kBins);
    for (auto& [bin, range] : ranges) of_bin[bin] = &range;
    return parts_.run([&](std::size_t part, std::size_t from, std::size_t to) {
      filter_.each(from, to, [&](std::size_t, std::uint32_t word) {
        if (word == CompactColumn::kEscaped) return;
        if (Range* range = of_bin[bin_of(word)]) range->add(part, word);
      });
    });
  }

  void keep(std::size_t part, std::size_t row) {
    const std::int64_t duration = trace_.duration_ns(row);
    (duration < 0 ? escaped_[part].negative : escaped_[part].large).push_back(duration);
  }

  const Trace& trace_;
  const Filter& filter_;
  RowParts parts_;
  Histogram bins_;
  std::vector<Escaped> escaped_;
  Escaped all_;
  std::uint64_t words_ = 0;
};

}  // namespace

Result<DurationSummary> summarize(const Trace& trace, const DispatchQuery& query) {
  const Filter filter(trace, query);
  const RowParts parts = filter.parts();
  std::vector<DurationSums> sums(parts.count());
  TRY(parts.run([&](std::size_t part, std::size_t from, std::size_t to) {
    DurationSums mine;
    filter.each(from, to, [&](std::size_t row, std::uint32_t word) {
      if (word == CompactColumn::kEscaped) return mine.add_escaped(trace.duration_ns(row));
      mine.add(word);
    });
    sums[part].add(mine);
  }));
  for (std::size_t i = 1; i < sums.size(); ++i) sums[0].add(sums[i]);
  return sums[0].summary();
}

Result<std::vector<std::int64_t>> duration_percentiles(const Trace& trace,
                                                       const DispatchQuery& query,
                                                       std::span<const double> ranks) {
  const Filter filter(trace, query);
  PercentileScan scan(trace, filter);
  TRY(scan.count());
  const std::uint64_t matching = scan.matching();
  if (matching == 0) return std::vector<std::int64_t>();
  std::vector<std::uint64_t> nearest;
  for (const double rank : ranks) {
    const double share = std::clamp(rank, 0.0, 100.0) / 100.0;
    const auto above = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(matching)));
    nearest.push_back(std::clamp<std::uint64_t>(above, 1, matching));
  }
  return scan.at(nearest);
}

Result<std::vector<std::uint32_t>> longest(const Trace& trace, const DispatchQuery& query,
                                           std::size_t count) {
  struct Candidate {
    std::int64_t duration_ns;
    std::uint32_t row;
    bool operator<(const Candidate& other) const {
      return duration_ns != other.duration_ns ? duration_ns > other.duration_ns : row < other.row;
    }
  };
  const Filter filter(trace, query);
  const RowParts parts = filter.parts();
  std::vector<std::vector<Candidate>> heaps(parts.count());
  if (count == 0) return std::vector<std::uint32_t>{};
  TRY(parts.run([&](std::size_t part, std::size_t from, std::size_t to) {
    std::vector<Candidate>& heap = heaps[part];
    std::int64_t least =
        heap.size() < count ? std::numeric_limits<std::int64_t>::min() : heap[0].duration_ns;
    filter.each(from, to, [&](std::size_t row, std::uint32_t word) {
      const std::int64_t duration =
          word == CompactColumn::kEscaped ? trace.duration_ns(row) : std::int64_t{word};
      if (heap.size() == count) {
        if (duration <= least) return;
        std::pop_heap(heap.begin(), heap.end());
        heap.pop_back();
      }
      heap.push_back({duration, static_cast<std::uint32_t>(row)});
      std::push_heap(heap.begin(), heap.end());
      if (heap.size() == count) least = heap[0].duration_ns;
    });
  }));
  for (std::size_t i = 1; i < heaps.size(); ++i)
    heaps[0].insert(heaps[0].end(), heaps[i].begin(), heaps[i].end());
  std::sort(heaps[0].begin(), heaps[0].end());
  std::vector<std::uint32_t> rows;
  for (const Candidate& candidate : heaps[0]) {
    if (rows.size() < count) rows.push_back(candidate.row);
  }
  return rows;
}

Result<std::vector<std::uint32_t>> matching_rows(const Trace& trace, const DispatchQuery& query,
                                                 std::size_t count, std::size_t offset) {
  const Filter filter(trace, query);
  std::vector<std::uint32_t> rows;
  std::size_t skip = offset;
  for (std::size_t from = filter.first(); from < filter.last() && rows.size() < count;
       from += interrupt::kRowsBetweenChecks) {
    TRY(interrupt::check());
    filter.each(from, std::min(filter.last(), from + interrupt::kRowsBetweenChecks),
                [&](std::size_t row, std::uint32_t) {
                  if (skip > 0) {
                    --skip;
                  } else if (rows.size() < count) {
                    rows.push_back(static_cast<std::uint32_t>(row));
                  }
                });
  }
  return rows;
}

}  // namespace rpl
