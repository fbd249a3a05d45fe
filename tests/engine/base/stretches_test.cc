// SPDX-License-Identifier: MIT
#include "engine/base/stretches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "engine/base/splitmix.h"

namespace rpl {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

TEST(Stretches, CoverEverythingOnce) {
  std::vector<std::pair<std::size_t, std::size_t>> seen;
  const auto note = [&](std::size_t begin, std::size_t end) {
    seen.emplace_back(begin, end);
    return Status();
  };
  ASSERT_TRUE(interrupt::in_stretches(10, 4, note));
  EXPECT_THAT(seen, ElementsAre(Pair(0, 4), Pair(4, 8), Pair(8, 10)));
  seen.clear();
  ASSERT_TRUE(interrupt::in_stretches(0, 4, note));
  EXPECT_TRUE(seen.empty());
}

TEST(Stretches, EndWithTheFirstThatFailsOrIsNotWanted) {
  std::size_t begun = 0;
  const Status failed = interrupt::in_stretches(10, 2, [&](std::size_t begin, std::size_t) {
    begun = begin;
    return begin == 4 ? Status(fail(Errc::io, "no more")) : Status();
  });
  EXPECT_EQ(failed.error().code, Errc::io);
  EXPECT_EQ(begun, 4U);
  const Status stopped = interrupt::in_stretches(10, 2, [&](std::size_t begin, std::size_t) {
    begun = begin;
    if (begin == 6) interrupt::raise();
    return Status();
  });
  interrupt::clear();
  EXPECT_EQ(stopped.error().code, Errc::interrupted);
  EXPECT_EQ(begun, 6U);
}

TEST(Stretches, CopiesAreEqualOrInterrupted) {
  std::vector<std::byte> bytes(std::size_t{80} << 20);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 7 + i / 251);
  EXPECT_EQ(interrupt::copied(bytes).value(), bytes);
  std::vector<std::byte> to(bytes.size());
  ASSERT_TRUE(interrupt::copy(bytes, to.data()));
  EXPECT_EQ(to, bytes);
  const interrupt::ForNow stopped;
  EXPECT_EQ(interrupt::copied(bytes).error().code, Errc::interrupted);
  EXPECT_EQ(interrupt::copy(bytes, to.data()).error().code, Errc::interrupted);
  EXPECT_TRUE(interrupt::copied({}).has_value());
}

TEST(Stretches, RoomIsEmptyAndLargeEnough) {
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{9} << 20}) {
    const auto room = interrupt::room_for(bytes);
    EXPECT_TRUE(room.empty());
    EXPECT_GE(room.capacity(), bytes);
  }
}

std::vector<std::uint64_t> drawn(std::size_t count) {
  SplitMix random(1);
  std::vector<std::uint64_t> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(random.next() % 100'000);
  return out;
}

TEST(Sort, SortsAsTheStandardDoes) {
  constexpr std::size_t kPiece = interrupt::kRowsBetweenChecks;
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, kPiece - 1, kPiece, kPiece + 1,
                                  3 * kPiece, 5 * kPiece + 17}) {
    std::vector<std::uint64_t> values = drawn(count), expected = values;
    std::ranges::sort(expected);
    ASSERT_TRUE(interrupt::sort(values));
    EXPECT_EQ(values, expected) << count;
    std::ranges::sort(expected, std::ranges::greater());
    ASSERT_TRUE(interrupt::sort(values, std::ranges::greater()));
    EXPECT_EQ(values, expected) << count;
  }
}

TEST(Sort, StopsWhenAskedTo) {
  std::vector<std::uint64_t> values = drawn(1000);
  const interrupt::ForNow raised;
  const Status stopped = interrupt::sort(values);
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, Errc::interrupted);
}

}  // namespace
}  // namespace rpl
