// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

namespace rpl::cycle {

/// Spreads line numbers over sets, as memory interleaving of real devices does, so that powers of two do not fall on one set.
inline std::uint64_t line_hash(std::uint64_t line) {
  constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15;
  return (line * kGolden) >> 20;
}

/// A set-associative cache of tags with least-recently-used replacement. Costs memory only for sets that are used.
class TagCache {
 public:
  TagCache(std::uint64_t bytes, std::uint32_t line_bytes)
      : sets_(std::bit_floor(std::max<std::uint64_t>(1, bytes / line_bytes / kWays))),
        ways_(
            static_cast<Way*>(std::calloc(static_cast<std::size_t>(sets_) * kWays, sizeof(Way)))) {
    if (ways_ == nullptr) throw std::bad_alloc();
  }

  /// Whether the line was there; it is afterwards.
  bool touch(std::uint64_t line) { return touch(line, line_hash(line)); }
  bool touch(std::uint64_t line, std::uint64_t hash) {
    Way* set = ways_.get() + static_cast<std::size_t>(hash & (sets_ - 1)) * kWays;
    Way* oldest = set;
    ++now_;
    const std::uint32_t tag = static_cast<std::uint32_t>(line) + 1;  // 0 is an empty way
    for (Way* way = set; way != set + kWays; ++way) {
      if (way->tag == tag) {
        way->used = now_;
        return true;
      }
      if (way->used < oldest->used) oldest = way;
    }
    *oldest = {tag, now_};
    return false;
  }

 private:
  static constexpr std::uint32_t kWays = 16;
  /// 32 bits of the line tell 256 GB apart.
  struct Way {
    std::uint32_t tag, used;
  };
  struct Free {
    void operator()(Way* ways) const { std::free(ways); }
  };
  std::uint64_t sets_;
  std::uint32_t now_ = 0;
  std::unique_ptr<Way, Free> ways_;
};

}  // namespace rpl::cycle
