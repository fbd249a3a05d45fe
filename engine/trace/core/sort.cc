// SPDX-License-Identifier: MIT
#include "engine/trace/core/sort.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "engine/base/interrupt.h"

namespace rpl {
namespace {

constexpr std::size_t kBlock = 1024;
constexpr std::size_t kBlocksBetweenInterruptChecks = 64;
constexpr std::size_t kRowsForTwoThreads = 200'000;
/// Most segments are a handful of rows.
constexpr std::size_t kInsertUpTo = 32;
/// Above this a segment that is far from its order is merged from its natural runs, which files of several processes consist of.
constexpr std::size_t kMergeFrom = 4096;

struct Entry {
  std::int64_t start_ns;
  std::uint32_t row;  ///< offset in the segment

  bool operator<(const Entry& other) const {
    return start_ns != other.start_ns ? start_ns < other.start_ns : row < other.row;
  }
};

bool worth_two_threads(std::size_t rows) {
  return rows >= kRowsForTwoThreads && std::thread::hardware_concurrency() > 1;
}

/// Of the starts of each block.
struct Extremes {
  std::vector<std::int64_t>
      least;  ///< of the block and of everything after it; one entry more than there are blocks
  std::vector<std::int64_t> latest;  ///< of the block
};

Extremes extremes_of(std::span<const std::int64_t> starts) {
  const std::size_t blocks = (starts.size() + kBlock - 1) / kBlock;
  Extremes out{std::vector<std::int64_t>(blocks + 1, std::numeric_limits<std::int64_t>::max()),
               std::vector<std::int64_t>(blocks)};
  const auto fill = [&](std::size_t from, std::size_t to) {
    for (std::size_t block = from; block < to; ++block) {
      const auto rows =
          starts.subspan(block * kBlock, std::min(kBlock, starts.size() - block * kBlock));
      std::int64_t least = rows.front(), latest = rows.front();
      for (const std::int64_t start : rows) {
        least = std::min(least, start);
        latest = std::max(latest, start);
      }
      out.least[block] = least;
      out.latest[block] = latest;
    }
  };
  {
    const std::size_t half = worth_two_threads(starts.size()) ? blocks / 2 : blocks;
    std::jthread other;
    if (half < blocks) other = std::jthread([&] { fill(half, blocks); });
    fill(0, half);
  }
  for (std::size_t block = blocks; block-- > 0;)
    out.least[block] = std::min(out.least[block], out.least[block + 1]);
  return out;
}

/// Of each row of a block the least start of it and of what follows it, up to `after`, the least of all later blocks.
using Minima = std::array<std::int64_t, kBlock + 1>;

void minima_of(std::span<const std::int64_t> starts, std::int64_t after, Minima& least) {
  least[starts.size()] = after;
  std::int64_t lowest = after;
  for (std::size_t i = starts.size(); i-- > 0;) {
    lowest = starts[i] < lowest ? starts[i] : lowest;
    least[i] = lowest;
  }
}

/// A start, relative to the least of its segment, above the row's offset in the segment: half as wide as an Entry.
constexpr unsigned kOffsetBits = 12;
constexpr std::uint64_t kOffsetMask = (1U << kOffsetBits) - 1;
static_assert(kMergeFrom <= std::size_t{1} << kOffsetBits);

struct Packed {
  std::uint64_t base = 0;  ///< the least start
  unsigned bits = 0;       ///< that starts take above it
};

/// nullopt, with nothing done, when they are too far apart.
std::optional<Packed> pack(std::span<const std::int64_t> starts, std::span<std::uint64_t> keys) {
  const auto [least, most] = std::ranges::minmax(starts);
  const auto base = static_cast<std::uint64_t>(least);
  const auto bits = static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(most) - base));
  if (bits > 64 - kOffsetBits) return std::nullopt;
  for (std::size_t i = 0; i < starts.size(); ++i)
    keys[i] = (static_cast<std::uint64_t>(starts[i]) - base) << kOffsetBits | i;
  return Packed{base, bits};
}

/// For keys that are a few places from where they belong, on the average. False when they are not, with the keys in some other order.
template <class Key>
bool insert_all(std::span<Key> keys) {
  constexpr std::size_t kPlacesForARow = 8;
  const std::size_t most = kPlacesForARow * keys.size();
  std::size_t places = 0;
  for (std::size_t i = 1; i < keys.size(); ++i) {
    const Key key = keys[i];
    std::size_t at = i;
    for (; at > 0 && key < keys[at - 1]; --at) keys[at] = keys[at - 1];
    keys[at] = key;
    places += i - at;
    if (places > most) return false;
  }
  return true;
}

/// Counts of a pass over keys by some of their bits.
constexpr unsigned kMostDigitBits = 11;
using Counts = std::array<std::uint32_t, std::size_t{1} << kMostDigitBits>;

/// By the `digit_bits` bits from `shift` on; stable. `spare` is scratch space of the same size.
void sort_by_digit(std::vector<std::uint64_t>& keys, std::vector<std::uint64_t>& spare,
                   unsigned shift, unsigned digit_bits, Counts& next) {
  const std::uint64_t mask = (std::uint64_t{1} << digit_bits) - 1;
  std::fill_n(next.begin(), mask + 1, 0);
  for (const std::uint64_t key : keys) ++next[key >> shift & mask];
  std::uint32_t before = 0;
  for (std::size_t digit = 0; digit <= mask; ++digit) before += std::exchange(next[digit], before);
  for (const std::uint64_t key : keys) spare[next[key >> shift & mask]++] = key;
  keys.swap(spare);
}

/// Of `bits` bits above the offset. One pass by the highest of them, as many as there are keys to tell apart, puts starts that are spread evenly about
/// where they belong; where that was not enough least significant digit first, in as few passes as digits of 8 or, where there are rows enough
/// to count, 11 bits take. Keys of one start have to be in the order of their offsets.
void sort_keys(std::vector<std::uint64_t>& keys, std::vector<std::uint64_t>& spare, unsigned bits) {
  Counts next;
  spare.resize(keys.size());
  const unsigned high =
      std::min({bits, kMostDigitBits, static_cast<unsigned>(std::bit_width(keys.size()))});
  sort_by_digit(keys, spare, kOffsetBits + bits - high, high, next);
  if (insert_all(std::span(keys))) return;
  constexpr std::size_t kRowsForWideDigits = 512;
  const unsigned most = keys.size() < kRowsForWideDigits ? 8 : kMostDigitBits;
  const unsigned passes = (bits + most - 1) / most;
  const unsigned digit_bits = passes == 0 ? 0 : (bits + passes - 1) / passes;
  for (unsigned pass = 0; pass < passes; ++pass)
    sort_by_digit(keys, spare, kOffsetBits + pass * digit_bits, digit_bits, next);
}

/// Merges neighbouring runs until one is left.
void merge_runs(std::vector<Entry>& entries) {
  std::vector<std::size_t> bounds{0};
  for (std::size_t i = 1; i < entries.size(); ++i) {
    if (entries[i] < entries[i - 1]) bounds.push_back(i);
  }
  bounds.push_back(entries.size());
  std::vector<Entry> merged(entries.size());
  while (bounds.size() > 2) {
    std::vector<std::size_t> next{0};
    for (std::size_t i = 0; i + 1 < bounds.size(); i += 2) {
      const auto at = [&](std::size_t bound) {
        return entries.begin() +
               static_cast<std::ptrdiff_t>(bounds[std::min(bound, bounds.size() - 1)]);
      };
      std::merge(at(i), at(i + 1), at(i + 1), at(i + 2),
                 merged.begin() + static_cast<std::ptrdiff_t>(bounds[i]));
      next.push_back(bounds[std::min(i + 2, bounds.size() - 1)]);
    }
    entries.swap(merged);
    bounds = std::move(next);
  }
}

/// An escaped value that has to follow its row.
struct Moved {
  CompactColumn* column;
  std::size_t from, to;
  std::int64_t value;
};

/// Sorts rows from .. to. Several may work on disjoint ranges at once: what they share, the escaped values, is only read until
/// apply(). `minima` are those of the blocks of all rows; no row after `to` may start before one up to it.
class Sorter {
 public:
  Sorter(TraceColumns& columns, std::span<const std::int64_t> minima, std::size_t from,
         std::size_t to)
      : columns_(columns),
        from_(from),
        to_(to),
        minima_(minima),
        begin_(from),
        escapes_(!columns.duration_ns.escaped().empty() || !columns.dispatch_id.escaped().empty() ||
                 !columns.event_id.escaped().empty()),
        words_{columns.launch.data(), columns.lane.data(), columns.duration_ns.raw().data(),
               columns.dispatch_id.raw().data(), columns.event_id.raw().data()} {}

  Status run() {
    for (std::size_t block = from_ / kBlock; block * kBlock < to_; ++block) {
      if (block % kBlocksBetweenInterruptChecks == 0) TRY(interrupt::check());
      scan(block);
    }
    return {};
  }

  void apply() {
    for (const Moved& moved : moved_values_) moved.column->escaped().erase(moved.from);
    for (const Moved& moved : moved_values_) moved.column->escaped()[moved.to] = moved.value;
  }

 private:
  /// A cut may go after every row such that nothing later starts before anything up to it. What lies between two cuts is
  /// sorted by itself.
  void scan(std::size_t block) {
    const std::size_t first = std::max(from_, block * kBlock);
    const std::size_t rows = std::min(to_, (block + 1) * kBlock) - first;
    const std::int64_t* starts = columns_.start_ns.data() + first;
    Minima least;
    minima_of({starts, rows}, minima_[block + 1], least);
    for (std::size_t i = 0; i < rows; ++i) {
      latest_ = std::max(latest_, starts[i]);
      if (latest_ > least[i + 1]) continue;
      if (first + i > begin_) pending_.push_back({begin_, first + i + 1});
      begin_ = first + i + 1;
    }
    // Only now: sorting a segment changes the starts that were being looked at.
    for (const auto& [from, to] : pending_) sort_segment(from, to);
    pending_.clear();
  }

  void sort_segment(std::size_t from, std::size_t to) {
    const std::size_t rows = to - from;
    if (!escapes_ && rows == 2) return swap_with_next(from);
    if (!escapes_ && rows <= kInsertUpTo && sort_few(from, rows)) return;
    if (rows >= kMergeFrom || !sort_packed(from, rows)) sort_runs(from, rows);
    permute(std::span(columns_.launch), from);
    permute(std::span(columns_.lane), from);
    permute(columns_.duration_ns, from);
    permute(columns_.dispatch_id, from);
    permute(columns_.event_id, from);
  }

  /// Sorts the starts and notes where they came from. False when they are too far apart, with nothing done.
  bool sort_packed(std::size_t from, std::size_t rows) {
    const auto starts = std::span(columns_.start_ns).subspan(from, rows);
    keys_.resize(rows);
    const auto packed = pack(starts, keys_);
    if (!packed) return false;
    sort_keys(keys_, spare_, packed->bits);
    order_.resize(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      starts[i] = static_cast<std::int64_t>(packed->base + (keys_[i] >> kOffsetBits));
      order_[i] = keys_[i] & kOffsetMask;
    }
    return true;
  }

  void sort_runs(std::size_t from, std::size_t rows) {
    entries_.resize(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      entries_[i] = {columns_.start_ns[from + i], static_cast<std::uint32_t>(i)};
    }
    if (!insert_all(std::span(entries_))) merge_runs(entries_);
    order_.resize(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      columns_.start_ns[from + i] = entries_[i].start_ns;
      order_[i] = entries_[i].row;
    }
  }

  /// What lies between two cuts is not in order, so that two rows are in the wrong one.
  void swap_with_next(std::size_t row) {
    std::swap(columns_.start_ns[row], columns_.start_ns[row + 1]);
    for (std::uint32_t* words : words_) std::swap(words[row], words[row + 1]);
  }

  /// False when it is better done in another way, with nothing done.
  bool sort_few(std::size_t from, std::size_t rows) {
    std::array<std::uint64_t, kInsertUpTo> held;
    const std::span keys = std::span(held).first(rows);
    const std::span starts = std::span(columns_.start_ns).subspan(from, rows);
    const auto packed = pack(starts, keys);
    if (!packed || !insert_all(keys)) return false;
    std::array<std::uint8_t, kInsertUpTo> row_at;
    for (std::size_t i = 0; i < rows; ++i) {
      starts[i] = static_cast<std::int64_t>(packed->base + (keys[i] >> kOffsetBits));
      row_at[i] = static_cast<std::uint8_t>(keys[i] & kOffsetMask);
    }
    std::array<std::uint32_t, kInsertUpTo> moved;
    for (std::uint32_t* words : words_) {
      for (std::size_t i = 0; i < rows; ++i) moved[i] = words[from + row_at[i]];
      std::copy_n(moved.begin(), rows, words + from);
    }
    return true;
  }

  void permute(std::span<std::uint32_t> words, std::size_t from) {
    moved_.resize(order_.size());
    for (std::size_t i = 0; i < order_.size(); ++i) moved_[i] = words[from + order_[i]];
    std::copy(moved_.begin(), moved_.end(), words.begin() + static_cast<std::ptrdiff_t>(from));
  }

  void permute(CompactColumn& column, std::size_t from) {
    const auto& escaped = column.escaped();
    for (std::size_t i = 0; !escaped.empty() && i < order_.size(); ++i) {
      const std::size_t old = from + order_[i];
      if (column.raw()[old] != CompactColumn::kEscaped) continue;
      moved_values_.push_back({&column, old, from + i, escaped.at(old)});
    }
    permute(column.raw(), from);
  }

  TraceColumns& columns_;
  std::size_t from_, to_;
  std::span<const std::int64_t> minima_;
  std::int64_t latest_ = std::numeric_limits<std::int64_t>::min();
  std::size_t begin_;
  bool escapes_;
  std::array<std::uint32_t*, 5> words_;  ///< of all columns but the starts
  std::vector<std::pair<std::size_t, std::size_t>> pending_;
  std::vector<Entry> entries_;
  std::vector<std::uint64_t> keys_, spare_;
  std::vector<std::uint32_t> order_;  ///< of the rows of a segment: their offsets before
  std::vector<std::uint32_t> moved_;
  std::vector<Moved> moved_values_;
};

/// A row of `block` such that nothing from it on starts before anything up to it, of which `latest` starts last among the
/// blocks before; 0 when there is none.
std::size_t cut_in(std::span<const std::int64_t> starts, const Extremes& extremes,
                   std::size_t block, std::int64_t latest) {
  const std::size_t first = block * kBlock;
  const auto rows = starts.subspan(first, std::min(kBlock, starts.size() - first));
  Minima least;
  minima_of(rows, extremes.least[block + 1], least);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (latest <= least[i]) return first + i;
    latest = std::max(latest, rows[i]);
  }
  return 0;
}

/// The cut in the block nearest to the middle that has one; all rows when there is none.
std::size_t middle_cut(std::span<const std::int64_t> starts, const Extremes& extremes) {
  const std::size_t blocks = extremes.latest.size(), middle = blocks / 2;
  std::vector<std::int64_t> latest_before(blocks, std::numeric_limits<std::int64_t>::min());
  for (std::size_t block = 1; block < blocks; ++block)
    latest_before[block] = std::max(latest_before[block - 1], extremes.latest[block - 1]);
  for (std::size_t away = 0; away <= middle; ++away) {
    for (const std::size_t block : {middle + away, middle - 1 - away}) {
      if (block >= blocks) continue;
      if (const std::size_t cut = cut_in(starts, extremes, block, latest_before[block])) return cut;
    }
  }
  return starts.size();
}

}  // namespace

Status sort_by_start(TraceColumns& columns) {
  const std::size_t rows = columns.start_ns.size();
  const Extremes extremes = extremes_of(columns.start_ns);
  const std::size_t cut = worth_two_threads(rows) ? middle_cut(columns.start_ns, extremes) : rows;
  Sorter first(columns, extremes.least, 0, cut), second(columns, extremes.least, cut, rows);
  Status second_status;
  Status first_status;
  {
    std::jthread other;
    if (cut < rows) other = std::jthread([&] { second_status = second.run(); });
    first_status = first.run();
  }
  TRY(std::move(first_status));
  TRY(std::move(second_status));
  first.apply();
  second.apply();
  return {};
}

}  // namespace rpl
