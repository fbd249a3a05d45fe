// SPDX-License-Identifier: MIT
#include "engine/device/cycle/memory_state.h"

namespace rpl::cycle {

MemoryState::MemoryState(const Parameters& p) {
  if (p.mall_bytes > 0) {
    const std::uint64_t blocks = (p.mall_bytes >> kBlockBits) / kOneOf;
    sets_.resize(std::max<std::uint64_t>(1, blocks / kWays));
  }
  for (std::uint32_t xcd = 0; xcd < p.xcds; ++xcd) l2.emplace_back(p.l2_bytes, p.l1_line);
}

MemoryState::Block& MemoryState::block(std::uint64_t number) {
  Set& set = sets_[(line_hash(number) / kOneOf) % sets_.size()];
  std::size_t found = kWays, empty = kWays;
  for (std::size_t way = 0; way < kWays; ++way) {
    found = set.number_1[way] == number + 1 ? way : found;
    empty = set.number_1[way] == 0 ? way : empty;
  }
  if (found != kWays) return set.block[found];
  if (empty == kWays) {
    random_ ^= random_ << 13;
    random_ ^= random_ >> 7;
    random_ ^= random_ << 17;
    empty = random_ % kWays;
    written_back_ += static_cast<std::uint64_t>(std::popcount(set.block[empty].dirty));
  }
  set.number_1[empty] = number + 1;
  return set.block[empty] = {};
}

}  // namespace rpl::cycle
