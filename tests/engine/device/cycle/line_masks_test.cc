// SPDX-License-Identifier: MIT
#include "engine/device/cycle/line_masks.h"

#include <gtest/gtest.h>

#include <array>
#include <map>

#include "engine/base/splitmix.h"
#include "engine/device/cycle/cache.h"
#include "engine/device/cycle/line_sharers.h"

namespace rpl::cycle {
namespace {

TEST(LineMasks, TellTheWantedLinesAsLookingAtEachDoes) {
  SplitMix random(1);
  for (const LineMask& mask :
       {LineMask{.line_bits = 0, .block_bits = 7, .block_shift = 5},
        LineMask{.line_bits = 1, .block_bits = 7, .block_shift = 5},
        LineMask{.line_bits = 63, .block_bits = 7, .block_shift = 5},
        LineMask{.line_bits = 3, .block_bits = ~std::uint64_t{0}, .block_shift = 6}}) {
    for (int i = 0; i < 100; ++i) {
      std::array<std::uint64_t, kMaskedLines> lines;
      for (std::uint64_t& line : lines) line = 1 + random.next() % (std::uint64_t{1} << 40);
      std::uint64_t expected = 0;
      for (unsigned at = 0; at < kMaskedLines; ++at) {
        const bool wanted = (line_hash(lines[at]) & mask.line_bits) == 0 ||
                            (line_hash(lines[at] >> mask.block_shift) & mask.block_bits) == 0;
        expected |= std::uint64_t{wanted} << at;
      }
      EXPECT_EQ(lines_wanted(lines.data(), mask), expected);
    }
  }
}

TEST(LineSharers, KeepsWhoAskedFirstAndForgetsWhatIsLeftOut) {
  LineSharers sharers;
  std::map<std::uint64_t, std::uint32_t> expected;
  SplitMix random(2);
  for (std::uint32_t i = 0; i < 20'000; ++i) {
    const std::uint64_t line = random.next() % 8192;
    LineSharers::Sharers& one = sharers.of(line, line_hash(line), 3, i);
    expected.emplace(line, i);
    EXPECT_EQ(one.first, expected[line]);
    EXPECT_EQ(one.operation, 3U);
    one.dies |= 1;
  }
  sharers.forget(1);
  std::erase_if(expected, [](const auto& one) { return (line_hash(one.first) & 1) != 0; });
  std::map<std::uint64_t, std::uint32_t> left;
  sharers.each([&](const LineSharers::Sharers& one) {
    EXPECT_EQ(one.dies, 1U);
    left.emplace(one.line_1 - 1, one.first);
  });
  EXPECT_EQ(left, expected);
}

}  // namespace
}  // namespace rpl::cycle
