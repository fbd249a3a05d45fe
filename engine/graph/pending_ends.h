// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "engine/graph/graph.h"

namespace rpl {

struct EndedAt {
  std::int64_t end_ns = std::numeric_limits<std::int64_t>::min();
  NodeId node = kNoNode;
};

/// Operations under way, of which those that ended by a time are taken out in order of their ends. Operations come in order of start, so a few
/// are held at a time: a short sorted array; a heap takes what exceeds it, so that nested records cannot make it slow.
class PendingEnds {
 public:
  void add(EndedAt item) {
    if (size_ == kShort) {
      heap_.push_back(item);
      std::ranges::push_heap(heap_, later);
      return;
    }
    // Sorted with the next to end at the back, so that taking it out moves nothing.
    std::size_t at = size_++;
    for (; at > 0 && !later(short_[at - 1], item); --at) short_[at] = short_[at - 1];
    short_[at] = item;
  }

  /// Takes out all that ended by `time_ns`; the one that ended last of them and of all before.
  EndedAt settle(std::int64_t time_ns) {
    while (size_ > 0 && short_[size_ - 1].end_ns <= time_ns) take(short_[--size_]);
    while (!heap_.empty() && heap_.front().end_ns <= time_ns) {
      take(heap_.front());
      std::ranges::pop_heap(heap_, later);
      heap_.pop_back();
    }
    return best_;
  }

 private:
  static constexpr std::size_t kShort = 32;

  static bool later(const EndedAt& a, const EndedAt& b) {
    return a.end_ns != b.end_ns ? a.end_ns > b.end_ns : a.node > b.node;
  }
  void take(const EndedAt& item) {
    if (!later(best_, item)) best_ = item;
  }

  std::array<EndedAt, kShort> short_{};
  std::size_t size_ = 0;
  std::vector<EndedAt> heap_;
  EndedAt best_;
};

}  // namespace rpl
