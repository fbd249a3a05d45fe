// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

namespace rpl::cycle {

/// Spreads line numbers over sets, as memory interleaving of real devices does, so that powers of two do not fall on one set.
inline std::uint64_t line_hash(std::uint64_t line) {
  constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15;
  return (line * kGolden) >> 20;
}

/// A set-associative cache of tags with least-recently-used replacement. Costs memory and time only for sets that are used: a launch of one workgroup
/// makes caches of megabytes.
class TagCache {
 public:
  TagCache(std::uint64_t bytes, std::uint32_t line_bytes)
      : count_(std::bit_floor(std::max<std::uint64_t>(1, bytes / line_bytes / kWays))),
        begun_((count_ + kBits - 1) / kBits),
        sets_(static_cast<Set*>(
            std::aligned_alloc(alignof(Set), static_cast<std::size_t>(count_) * sizeof(Set)))) {
    if (sets_ == nullptr) throw std::bad_alloc();
  }

  /// Whether the line was there; it is afterwards.
  bool touch(std::uint64_t line) { return touch(line, line_hash(line)); }
  bool touch(std::uint64_t line, std::uint64_t hash) { return find(line, set_of(hash)).there; }
  /// Of a store in a kernel with this number: whether the kernel has written to the line already, and it is in the cache still.
  bool write(std::uint64_t line, std::uint64_t hash, std::uint32_t kernel) {
    Set& set = set_of(hash);
    const Found found = find(line, set);
    const bool written = found.there && set.written_by[found.way] == kernel;
    set.written_by[found.way] = kernel;
    return written;
  }
  /// Whether the line is there; that it was asked about changes nothing but that its set is begun.
  [[nodiscard]] bool has(std::uint64_t line, std::uint64_t hash) {
    return way_of(set_of(hash), tag_of(line)) != kWays;
  }
  /// Another cache owns the line now.
  void forget(std::uint64_t line, std::uint64_t hash) {
    Set& set = set_of(hash);
    const std::uint32_t way = way_of(set, tag_of(line));
    if (way != kWays) set.tag[way] = set.used[way] = set.written_by[way] = 0;
  }

 private:
  static constexpr std::uint32_t kWays = 16, kBits = 64;
  /// By way. Most are asked for tags alone, which are one line of the host's caches.
  struct alignas(64) Set {
    std::array<std::uint32_t, kWays> tag, used;
    std::array<std::uint32_t, kWays> written_by;  ///< the number of a kernel; 0: none
  };
  struct Found {
    std::uint32_t way;
    bool there;
  };
  /// 32 bits of the line tell 256 GB apart. 0 is an empty way.
  static std::uint32_t tag_of(std::uint64_t line) { return static_cast<std::uint32_t>(line) + 1; }
  /// kWays if there is none. All ways are compared, four side by side, a bit for each: a search that ends where it finds would be guessed wrong.
  static std::uint32_t way_of(const Set& set, std::uint32_t tag) {
    using Four [[gnu::vector_size(16)]] = std::uint32_t;
    constexpr std::uint32_t kFour = 4;
    Four bits = {1, 2, 4, 8}, found{};
    for (std::uint32_t way = 0; way < kWays; way += kFour, bits <<= kFour) {
      Four tags;
      std::memcpy(&tags, &set.tag[way], sizeof tags);
      found |= reinterpret_cast<Four>(tags == tag) & bits;
    }
    const std::uint32_t ways = found[0] | found[1] | found[2] | found[3];
    return ways == 0 ? kWays : static_cast<std::uint32_t>(std::countr_zero(ways));
  }
  /// Empty at first.
  Set& set_of(std::uint64_t hash) {
    const std::uint64_t number = hash & (count_ - 1), bit = std::uint64_t{1} << (number % kBits);
    Set& set = sets_.get()[number];
    std::uint64_t& begun = begun_[number / kBits];
    if ((begun & bit) == 0) {
      begun |= bit;
      set = {};
    }
    return set;
  }
  Found find(std::uint64_t line, Set& set) {
    const std::uint32_t tag = tag_of(line);
    ++now_;
    std::uint32_t way = way_of(set, tag);
    if (way != kWays) {
      set.used[way] = now_;
      return {way, true};
    }
    const std::uint32_t oldest = *std::ranges::min_element(set.used);
    way = static_cast<std::uint32_t>(std::ranges::find(set.used, oldest) - set.used.begin());
    set.tag[way] = tag;
    set.used[way] = now_;
    set.written_by[way] = 0;
    return {way, false};
  }
  struct Free {
    void operator()(Set* sets) const { std::free(sets); }
  };
  std::uint64_t count_;
  std::uint32_t now_ = 0;
  std::vector<std::uint64_t> begun_;  ///< a bit for each set that was used
  std::unique_ptr<Set, Free> sets_;   ///< the others hold anything
};

/// The vector L1: few sets of 64 ways, by the low bits of the line, with least-recently-used replacement. Neighbouring lines and rows of any pitch
/// fill it alike.
class UnitCache {
 public:
  UnitCache(std::uint64_t bytes, std::uint32_t line_bytes)
      : sets_(std::bit_floor(std::max<std::uint64_t>(1, bytes / line_bytes / kWays))) {
    all_.resize(sets_);
  }
  /// Whether the line was there; it is afterwards.
  bool touch(std::uint64_t line) {
    Set& set = all_[line & (sets_ - 1)];
    ++now_;
    const std::uint64_t tag = line + 1;  // 0 is an empty way
    std::size_t oldest = 0;
    for (std::size_t way = 0; way < kWays; ++way) {
      if (set.tags[way] == tag) {
        set.used[way] = now_;
        return true;
      }
    }
    for (std::size_t way = 1; way < kWays; ++way) {
      if (set.used[way] < set.used[oldest]) oldest = way;
    }
    set.tags[oldest] = tag;
    set.used[oldest] = now_;
    return false;
  }

 private:
  static constexpr std::size_t kWays = 64;
  struct Set {
    std::array<std::uint64_t, kWays> tags{};
    std::array<std::uint32_t, kWays> used{};
  };
  std::uint64_t sets_;
  std::uint32_t now_ = 0;
  std::vector<Set> all_;
};

}  // namespace rpl::cycle
