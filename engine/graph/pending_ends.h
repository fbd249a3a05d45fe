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
/// a time: in slots that are all looked at without a branch, because which of them ended is as good as random; a heap takes what
/// exceeds the slots, so that nested records cannot make it slow.
class PendingEnds {
 public:
  PendingEnds() { ends_.fill(kFree); }

  void add(EndedAt item) {
    if (free_ == 0) {
      heap_.push_back(item);
      std::ranges::push_heap(heap_, later);
      return;
    }
    const auto slot = static_cast<unsigned>(std::countr_zero(free_));
    free_ &= free_ - 1;
    used_ = std::max(used_, slot + 1);
    ends_[slot] = item.end_ns;
    nodes_[slot] = item.node;
  }

  /// Takes out all that ended by `time_ns`; the one that ended last of them and of all before, the highest id of several.
  EndedAt settle(std::int64_t time_ns) {
    EndedAt best = best_;
    std::uint32_t free = free_;
    for (unsigned slot = 0; slot < used_; ++slot) {
      const EndedAt item{ends_[slot], nodes_[slot]};
      const bool ended = item.end_ns <= time_ns;
      const std::int64_t last = -std::int64_t{ended & !later(best, item)};
      best.end_ns = (item.end_ns & last) | (best.end_ns & ~last);
      best.node =
          (item.node & static_cast<NodeId>(last)) | (best.node & ~static_cast<NodeId>(last));
      const std::int64_t gone = -std::int64_t{ended};
      ends_[slot] = (kFree & gone) | (item.end_ns & ~gone);
      free |= unsigned{ended} << slot;
    }
    free_ = free;
    if (!heap_.empty()) best = settle_heap(time_ns, best);
    best_ = best;
    // Not best_: read back whole, what was stored in two parts has to reach the cache first.
    return best;
  }

 private:
  static constexpr unsigned kSlots = 8;
  /// Later than any time asked for.
  static constexpr std::int64_t kFree = std::numeric_limits<std::int64_t>::max();

  static bool later(const EndedAt& a, const EndedAt& b) {
    return (a.end_ns > b.end_ns) | ((a.end_ns == b.end_ns) & (a.node > b.node));
  }

  [[gnu::noinline]] EndedAt settle_heap(std::int64_t time_ns, EndedAt best) {
    while (!heap_.empty() && heap_.front().end_ns <= time_ns) {
      if (!later(best, heap_.front())) best = heap_.front();
      std::ranges::pop_heap(heap_, later);
      heap_.pop_back();
    }
    return best;
  }

  std::array<std::int64_t, kSlots> ends_;
  std::array<NodeId, kSlots> nodes_{};
  std::uint32_t free_ = (1U << kSlots) - 1;
  unsigned used_ = 0;  ///< slots beyond have always been free
  std::vector<EndedAt> heap_;
  EndedAt best_;
};

}  // namespace rpl
