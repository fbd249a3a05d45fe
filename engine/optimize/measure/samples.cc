// SPDX-License-Identifier: MIT
#include "engine/optimize/measure/samples.h"

#include <utility>

#include "engine/optimize/measure/splitmix.h"

namespace rpl {

std::vector<bool> balanced_orders(std::uint32_t blocks, std::uint64_t seed) {
  std::vector<bool> a_first(blocks);
  for (std::uint32_t i = 0; i < blocks; ++i) a_first[i] = i % 2 == 0;
  SplitMix random(seed);
  for (std::uint32_t i = blocks; i > 1; --i) {
    const std::uint32_t other = random.below(i);
    const bool held = a_first[i - 1];
    a_first[i - 1] = a_first[other];
    a_first[other] = held;
  }
  return a_first;
}

}  // namespace rpl
