// SPDX-License-Identifier: MIT
#include "tests/support/hsakmt/sdma.h"

#include <gmock/gmock.h>

#include <random>

#include "tests/support/hsakmt/machine_fixture.h"

namespace rpl::hsakmt {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Words = std::vector<std::uint32_t>;

std::uint32_t low(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
std::uint32_t high(std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32); }

Words copy(std::uint64_t from, std::uint64_t to, std::uint32_t bytes) {
  return {1, bytes - 1, 0, low(from), high(from), low(to), high(to)};
}

class Sdma : public MachineTest {
 protected:
  static constexpr std::uint64_t kRingBytes = 256;

  void add(const Words& words) {
    for (const std::uint32_t word : words) {
      put(ring + written % kRingBytes, word);
      written += sizeof(word);
    }
  }
  SdmaProcessor engine() {
    return SdmaProcessor(device, {.address = ring,
                                  .bytes = kRingBytes,
                                  .read_offset = queue + 1024,
                                  .write_offset = queue + 1032});
  }
  /// All packets; the last step that was not done.
  Step run() {
    auto processor = engine();
    for (;;) {
      const Step step = processor.step(cancel);
      if (step != Step::done) return step;
    }
  }

  std::uint64_t& read = *reinterpret_cast<std::uint64_t*>(queue + 1024);
  std::uint64_t& written = *reinterpret_cast<std::uint64_t*>(queue + 1032);
};

TEST_F(Sdma, CopiesBytes) {
  const std::uint64_t from = pages(4096), to = pages(4096);
  for (int i = 0; i < 1001; ++i) put(from + 3 + i, static_cast<std::uint8_t>(i * 7));
  add(copy(from + 3, to + 1, 1001));
  EXPECT_EQ(run(), Step::idle) << said;
  EXPECT_EQ(std::memcmp(reinterpret_cast<void*>(from + 3), reinterpret_cast<void*>(to + 1), 1001),
            0);
  EXPECT_EQ(get<std::uint8_t>(to + 1002), 0);
  EXPECT_EQ(read, 28U);
}

TEST_F(Sdma, CopiesABoxBetweenPitches) {
  const std::uint64_t from = pages(8192), to = pages(8192);
  for (std::uint32_t i = 0; i < 2048; ++i) put(from + 4 * i, i);
  // Elements of 4 bytes; rows of 16 in slices of 64 from (1, 2, 1), to rows of 8 in slices of 32 at (2, 1, 3); 3 x 2 x 2 of them.
  add({1U | 4U << 8 | 2U << 29, low(from), high(from), 1 | 2U << 16, 1 | 15U << 13, 63, low(to),
       high(to), 2 | 1U << 16, 3 | 7U << 13, 31, 2 | 1U << 16, 1});
  EXPECT_EQ(run(), Step::idle) << said;
  for (std::uint32_t z = 0; z < 2; ++z) {
    for (std::uint32_t y = 0; y < 2; ++y) {
      for (std::uint32_t x = 0; x < 3; ++x)
        EXPECT_EQ(get<std::uint32_t>(to + 4 * ((3 + z) * 32 + (1 + y) * 8 + 2 + x)),
                  (1 + z) * 64 + (2 + y) * 16 + 1 + x);
    }
  }
  EXPECT_EQ(get<std::uint32_t>(to + 4 * (3 * 32 + 8 + 5)), 0U);
}

TEST_F(Sdma, FillsWithBytesHalvesAndDwords) {
  const std::uint64_t to = pages(4096);
  add({11 | 2U << 30, low(to), high(to), 0x11223344, 12 - 4});
  add({11 | 1U << 30, low(to + 12), high(to + 12), 0x5566, 6 - 2});
  add({11, low(to + 18), high(to + 18), 0x77, 3 - 1});
  EXPECT_EQ(run(), Step::idle) << said;
  EXPECT_EQ(get<std::uint32_t>(to + 8), 0x11223344U);
  EXPECT_EQ(get<std::uint32_t>(to + 12), 0x55665566U);
  EXPECT_EQ(get<std::uint32_t>(to + 16), 0x77775566U);
  EXPECT_EQ(get<std::uint32_t>(to + 20), 0x77U);
}

TEST_F(Sdma, WaitsForAWordThenWritesFencesTimesAndSignals) {
  const std::uint64_t words = pages(4096), done = signal(0, 1);
  put(words, std::uint32_t{0x31});
  add({8 | 3U << 28 | 1U << 31, low(words), high(words), 1, 0xf, 0x0fff0004});
  add({13 | 2U << 8, low(words + 8), high(words + 8)});
  add({5, low(words + 16), high(words + 16), 99});
  add({10 | 47U << 25, low(done + 8), high(done + 8), 0xffffffff, 0xffffffff, 0, 0, 0});
  add({6, 12});
  put(words, std::uint32_t{0x32});
  EXPECT_EQ(run(), Step::waiting);
  EXPECT_EQ(value_of(done), 1);
  put(words, std::uint32_t{0x71});
  EXPECT_EQ(run(), Step::idle) << said;
  EXPECT_EQ(get<std::uint64_t>(words + 8), 1U);
  EXPECT_EQ(get<std::uint32_t>(words + 16), 99U);
  EXPECT_EQ(value_of(done), 0);
  EXPECT_THAT(interrupts, ElementsAre(12U));
}

TEST_F(Sdma, ComparesAsThePollAsks) {
  const std::uint64_t word = pages(4096);
  put(word, std::uint32_t{5});
  const auto passes = [&](std::uint32_t function, std::uint32_t value) {
    read = written = 0;
    add({8 | function << 28 | 1U << 31, low(word), high(word), value, ~0U, 0});
    return run() == Step::idle;
  };
  for (std::uint32_t value = 4; value <= 6; ++value) {
    EXPECT_TRUE(passes(0, value));
    EXPECT_EQ(passes(1, value), 5 < value);
    EXPECT_EQ(passes(2, value), 5 <= value);
    EXPECT_EQ(passes(3, value), 5 == value);
    EXPECT_EQ(passes(4, value), 5 != value);
    EXPECT_EQ(passes(5, value), 5 >= value);
    EXPECT_EQ(passes(6, value), 5 > value);
  }
}

TEST_F(Sdma, GoesOnAtTheBeginningOfTheRing) {
  const std::uint64_t from = pages(4096), to = pages(4096);
  for (std::uint32_t i = 0; i < 64; ++i) {
    put(from, i);
    if (kRingBytes - written % kRingBytes < 28) add(Words((kRingBytes - written % kRingBytes) / 4));
    add(copy(from, to + 4 * i, 4));
    ASSERT_EQ(run(), Step::idle) << said;
    ASSERT_EQ(get<std::uint32_t>(to + 4 * i), i);
  }
  EXPECT_GT(read, 4 * kRingBytes);
}

TEST_F(Sdma, CopiesOutsideTheMapAreFaults) {
  const std::uint64_t from = pages(4096);
  add(copy(from + 4000, from, 97));
  EXPECT_EQ(run(), Step::failed);
  EXPECT_THAT(faults, ElementsAre(from + 4000));
  EXPECT_THAT(said, HasSubstr("97 bytes"));
  EXPECT_EQ(read, 0U);
}

TEST_F(Sdma, StopsAtWhatItDoesNotKnow) {
  EXPECT_EQ(sdma::decode(Words{3}).error().code, Errc::unsupported);
  EXPECT_EQ(sdma::decode(Words{1 | 1U << 27, 0, 0, 0, 0, 0, 0}).error().code, Errc::unsupported);
  EXPECT_EQ(sdma::decode(Words{10 | 8U << 25, 0, 0, 0, 0, 0, 0, 0}).error().code,
            Errc::unsupported);
  EXPECT_EQ(sdma::decode(Words{11 | 3U << 30, 0, 0, 0, 0}).error().code, Errc::unsupported);
  EXPECT_EQ(sdma::decode(Words{1, 0, 0}).error().code, Errc::corrupt);
  EXPECT_EQ(sdma::decode(Words{0 | 9U << 16}).error().code, Errc::corrupt);
  EXPECT_EQ(sdma::decode(Words{}).error().code, Errc::corrupt);
  add({3});
  EXPECT_EQ(run(), Step::failed);
  written = kRingBytes + 4;
  EXPECT_EQ(run(), Step::failed);
  EXPECT_THAT(said, HasSubstr("out of the ring"));
}

TEST_F(Sdma, RandomWordsNeverReachOutsideTheMap) {
  std::mt19937 random(1);
  for (int round = 0; round < 20000; ++round) {
    read = written = 0;
    Words words(16);
    for (auto& word : words) word = static_cast<std::uint32_t>(random());
    constexpr std::uint32_t kOperations[] = {0, 1, 1 | 4U << 8, 5, 6, 8, 10, 11, 13 | 2U << 8};
    words[0] = (words[0] & 0xffff0000) | kOperations[random() % std::size(kOperations)];
    if (round % 2 == 0) words[1] = low(signals), words[2] = high(signals);
    add(words);
    std::memset(reinterpret_cast<void*>(signals), 0, 64);
    ASSERT_NE(engine().step(cancel), Step::idle);
  }
}

}  // namespace
}  // namespace rpl::hsakmt
