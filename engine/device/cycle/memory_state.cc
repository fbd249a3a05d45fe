// SPDX-License-Identifier: MIT
#include "engine/device/cycle/memory_state.h"

namespace rpl::cycle {

MemoryState::MemoryState(const Parameters& p) {
  if (p.mall_bytes > 0) {
    const std::uint64_t blocks = (p.mall_bytes >> kBlockBits) / kOneOf;
    sets_ = std::max<std::uint64_t>(1, blocks / kWays);
    blocks_.resize(sets_ * kWays);
  }
  for (std::uint32_t xcd = 0; xcd < p.xcds; ++xcd) l2.emplace_back(p.l2_bytes, p.l1_line);
}

MemoryState::Block& MemoryState::block(std::uint64_t number) {
  Block* set = blocks_.data() + (line_hash(number) / kOneOf) % sets_ * kWays;
  Block* place = nullptr;
  for (Block* way = set; way != set + kWays; ++way) {
    if (way->number_1 == number + 1) return *way;
    if (way->number_1 == 0) place = way;
  }
  if (place == nullptr) {
    random_ ^= random_ << 13;
    random_ ^= random_ >> 7;
    random_ ^= random_ << 17;
    place = set + random_ % kWays;
    written_back_ += static_cast<std::uint64_t>(std::popcount(place->dirty));
  }
  *place = {.number_1 = number + 1};
  return *place;
}

}  // namespace rpl::cycle
