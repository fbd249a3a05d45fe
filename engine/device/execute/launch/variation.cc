// SPDX-License-Identifier: MIT
#include "engine/device/execute/launch/variation.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>

#include "engine/base/splitmix.h"

namespace rpl::emu {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 14;  ///< dwords

// A quarter each: any bits, small integers, floats near 1, small negative integers: what a kernel might find there from another one.
std::vector<std::uint32_t> drawn_block(std::uint64_t seed) {
  std::vector<std::uint32_t> out(kBlock);
  // Every run draws a block, and a Mersenne Twister takes longer for it than a small launch.
  SplitMix random(seed);
  for (std::uint32_t& word : out) {
    const std::uint64_t bits = random.next();
    const auto low = static_cast<std::uint32_t>(bits);
    switch (bits >> 62) {
      case 0:
        word = low;
        break;
      case 1:
        word = low & 0x3ff;
        break;
      case 2:
        word = 0x3f000000U | (low & 0x80ffffffU);
        break;
      default:
        word = ~(low & 0xff);
        break;
    }
  }
  return out;
}

}  // namespace

std::vector<std::uint32_t> begin_order(const Variation& variation, std::uint32_t count) {
  if (variation.order == Variation::Order::ascending) return {};
  std::vector<std::uint32_t> out(count);
  std::iota(out.begin(), out.end(), 0U);
  if (variation.order == Variation::Order::descending) {
    std::ranges::reverse(out);
  } else {
    std::mt19937_64 random(variation.seed);
    std::ranges::shuffle(out, random);
  }
  return out;
}

// One block for a seed, from another place on each time: drawing every register of every wave would take longer than the launch.
void fill_storage(std::uint64_t seed, std::uint64_t place, std::span<std::byte> storage) {
  thread_local std::uint64_t drawn_for = 0;
  thread_local std::vector<std::uint32_t> block;
  if (block.empty() || drawn_for != seed) {
    block = drawn_block(seed);
    drawn_for = seed;
  }
  std::uint64_t at = (place * 0x9e3779b97f4a7c15U >> 32) % kBlock;
  while (!storage.empty()) {
    const std::size_t bytes = std::min(storage.size(), (kBlock - at) * sizeof(std::uint32_t));
    std::memcpy(storage.data(), block.data() + at, bytes);
    storage = storage.subspan(bytes);
    at = 0;
  }
}

}  // namespace rpl::emu
