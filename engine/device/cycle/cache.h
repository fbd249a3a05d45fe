// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
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
      : sets_(std::bit_floor(std::max<std::uint64_t>(1, bytes / line_bytes / kWays))),
        begun_((sets_ + kBits - 1) / kBits),
        ways_(
            static_cast<Way*>(std::malloc(static_cast<std::size_t>(sets_) * kWays * sizeof(Way)))) {
    if (ways_ == nullptr) throw std::bad_alloc();
  }

  /// Whether the line was there; it is afterwards.
  bool touch(std::uint64_t line) { return touch(line, line_hash(line)); }
  bool touch(std::uint64_t line, std::uint64_t hash) { return find(line, hash).there; }
  /// Of a store in a kernel with this number: whether the kernel has written to the line already, and it is in the cache still.
  bool write(std::uint64_t line, std::uint64_t hash, std::uint32_t kernel) {
    const Found found = find(line, hash);
    const bool written = found.there && found.way->written_by == kernel;
    found.way->written_by = kernel;
    return written;
  }
  /// Whether the line is there; that it was asked about changes nothing but that its set is begun.
  [[nodiscard]] bool has(std::uint64_t line, std::uint64_t hash) {
    const Way* set = set_of(hash);
    const std::uint32_t tag = static_cast<std::uint32_t>(line) + 1;
    return std::any_of(set, set + kWays, [&](const Way& way) { return way.tag == tag; });
  }
  /// Another cache owns the line now.
  void forget(std::uint64_t line, std::uint64_t hash) {
    Way* set = set_of(hash);
    for (Way* way = set; way != set + kWays; ++way) {
      if (way->tag == static_cast<std::uint32_t>(line) + 1) *way = {};
    }
  }

 private:
  static constexpr std::uint32_t kWays = 16, kBits = 64;
  /// 32 bits of the line tell 256 GB apart.
  struct Way {
    std::uint32_t tag, used;
    std::uint32_t written_by;  ///< the number of a kernel; 0: none
  };
  struct Found {
    Way* way;
    bool there;
  };
  /// Empty at first.
  Way* set_of(std::uint64_t hash) {
    const std::uint64_t number = hash & (sets_ - 1), bit = std::uint64_t{1} << (number % kBits);
    Way* set = ways_.get() + static_cast<std::size_t>(number) * kWays;
    std::uint64_t& begun = begun_[number / kBits];
    if ((begun & bit) == 0) {
      begun |= bit;
      std::fill_n(set, kWays, Way{});
    }
    return set;
  }
  Found find(std::uint64_t line, std::uint64_t hash) {
    Way* set = set_of(hash);
    Way* oldest = set;
    ++now_;
    const std::uint32_t tag = static_cast<std::uint32_t>(line) + 1;  // 0 is an empty way
    for (Way* way = set; way != set + kWays; ++way) {
      if (way->tag == tag) {
        way->used = now_;
        return {way, true};
      }
      if (way->used < oldest->used) oldest = way;
    }
    *oldest = {tag, now_, 0};
    return {oldest, false};
  }
  struct Free {
    void operator()(Way* ways) const { std::free(ways); }
  };
  std::uint64_t sets_;
  std::uint32_t now_ = 0;
  std::vector<std::uint64_t> begun_;  ///< a bit for each set that was used
  std::unique_ptr<Way, Free> ways_;   ///< those of other sets hold anything
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
