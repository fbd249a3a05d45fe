// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include "engine/graph/graph.h"

namespace rpl {

struct EndedAt {
  std::int64_t end_ns = std::numeric_limits<std::int64_t>::min();
  NodeId node = kNoNode;
};

/// Operations under way, of which those that ended by a time are taken out. Operations come in order of start, so a few are held at
/// a time: in slots that are all compared without a branch, because which of them ended is as good as random; a heap takes what
/// exceeds the slots, so that nested records cannot make it slow.
class PendingEnds {
 public:
  PendingEnds() { ends_.fill(kFree); }

  [[gnu::always_inline]] void add(EndedAt item) {
    if (free_ == 0) [[unlikely]] {
      add_to_heap(item);
      return;
    }
    const auto slot = static_cast<unsigned>(std::countr_zero(free_));
    free_ &= free_ - 1;
    ends_[slot] = item.end_ns;
    nodes_[slot] = item.node;
  }

  /// Takes out all that ended by `time_ns`; the one that ended last of them and of all before, the highest id of several.
  [[gnu::always_inline]] EndedAt settle(std::int64_t time_ns) {
    std::uint32_t ended = 0;
#pragma GCC unroll 8
    for (unsigned slot = kSlots; slot-- > 0;)
      ended = 2 * ended + std::uint32_t{ends_[slot] <= time_ns};
    free_ |= ended;
    // One or none, mostly.
    for (; ended != 0; ended &= ended - 1) {
      const auto slot = static_cast<unsigned>(std::countr_zero(ended));
      const EndedAt item{ends_[slot], nodes_[slot]};
      if (!later(best_, item)) best_ = item;
      ends_[slot] = kFree;
    }
    if (!heap_.empty()) [[unlikely]]
      settle_heap(time_ns);
    return best_;
  }

 private:
  static constexpr unsigned kSlots = 8;
  /// Later than any time asked for.
  static constexpr std::int64_t kFree = std::numeric_limits<std::int64_t>::max();

  static bool later(const EndedAt& a, const EndedAt& b) {
    return (a.end_ns > b.end_ns) | ((a.end_ns == b.end_ns) & (a.node > b.node));
  }

  [[gnu::noinline]] void add_to_heap(EndedAt item) {
    heap_.push_back(item);
    std::ranges::push_heap(heap_, later);
  }
  [[gnu::noinline]] void settle_heap(std::int64_t time_ns) {
    while (!heap_.empty() && heap_.front().end_ns <= time_ns) {
      if (!later(best_, heap_.front())) best_ = heap_.front();
      std::ranges::pop_heap(heap_, later);
      heap_.pop_back();
    }
  }

  std::array<std::int64_t, kSlots> ends_;
  std::array<NodeId, kSlots> nodes_{};
  std::uint32_t free_ = (1U << kSlots) - 1;
  std::vector<EndedAt> heap_;
  EndedAt best_;
};

}  // namespace rpl
