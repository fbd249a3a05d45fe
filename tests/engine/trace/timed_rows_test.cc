// SPDX-License-Identifier: MIT
#include "engine/trace/core/timed_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <tuple>

#include "engine/trace/core/call_rows.h"
#include "engine/trace/core/copy_rows.h"
#include "tests/support/random.h"

namespace rpl {
namespace {

using ::testing::ElementsAre;

std::tuple<std::uint32_t, std::int64_t, std::int64_t> key(const ApiCall& call) {
  return {call.process, call.thread, call.start_ns};
}

ApiCall call(std::uint32_t process, std::int64_t thread, std::int64_t start_ns,
             std::uint64_t correlation) {
  return {start_ns, start_ns + 5, process, thread, 0, 0, correlation};
}

TEST(CallRows, SortAsAVectorOfCallsDoes) {
  test::Random random(7);
  CallRows rows;
  std::vector<ApiCall> expected;
  for (int i = 0; i < 20'000; ++i) {
    // Some far away, before and behind.
    const std::int64_t start_ns =
        i % 1000 == 7 ? random.between(-(std::int64_t{1} << 60), std::int64_t{1} << 60)
                      : 3'700'000'000'000 + random.between(0, 50'000'000);
    const ApiCall one{start_ns,
                      start_ns + (i % 900 == 3 ? -5 : random.between(0, 9'000)),
                      static_cast<std::uint32_t>(random.below(3)),
                      random.between(0, 4),
                      static_cast<std::uint32_t>(random.below(20)),
                      static_cast<std::uint32_t>(random.below(3)),
                      i % 800 == 1 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(i)};
    rows.push_back(one);
    expected.push_back(one);
  }
  rows.sort();
  std::ranges::stable_sort(expected, {}, key);
  ASSERT_EQ(rows.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const ApiCall one = rows[i];
    ASSERT_EQ(key(one), key(expected[i])) << i;
    ASSERT_EQ(one.end_ns, expected[i].end_ns) << i;
    ASSERT_EQ(one.correlation, expected[i].correlation) << i;
    ASSERT_EQ(one.name, expected[i].name) << i;
    ASSERT_EQ(one.category, expected[i].category) << i;
  }
  const auto found = std::ranges::lower_bound(rows, key(expected[9000]), {}, key);
  EXPECT_EQ(key(*found), key(expected[9000]));
}

TEST(CallRows, AppendedPartsAreReadInOrderAndSortedLikeOne) {
  test::Random random(11);
  CallRows parts;
  std::vector<ApiCall> expected;
  for (int part = 0; part < 5; ++part) {
    CallRows rows;
    for (int i = 0; i < 30'000; ++i) {
      // Of each part calls that reach back into the one before, and ids that four bytes do not hold.
      const std::int64_t start_ns = 1'000 * (part * 20'000 + i) + random.between(0, 9'000);
      const ApiCall one{start_ns,
                        start_ns + (i % 7'000 == 1 ? std::int64_t{1} << 40 : 5),
                        static_cast<std::uint32_t>(random.below(2)),
                        random.between(0, 2),
                        static_cast<std::uint32_t>(random.below(3 + part)),
                        0,
                        i % 5'000 == 2 ? ~std::uint64_t{0} - static_cast<std::uint64_t>(part)
                                       : static_cast<std::uint64_t>(i)};
      rows.push_back(one);
      expected.push_back(one);
    }
    parts.append(std::move(rows));
  }
  const auto expect_equal = [&] {
    ASSERT_EQ(parts.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ASSERT_EQ(key(parts[i]), key(expected[i])) << i;
      ASSERT_EQ(parts[i].end_ns, expected[i].end_ns) << i;
      ASSERT_EQ(parts[i].correlation, expected[i].correlation) << i;
      ASSERT_EQ(parts[i].name, expected[i].name) << i;
    }
  };
  expect_equal();
  parts.push_back(expected.front());
  expected.push_back(expected.front());
  parts.sort();
  std::ranges::stable_sort(expected, {}, key);
  expect_equal();
  EXPECT_LE(parts.bytes(), expected.size() * 17);
}

TEST(CallRows, TakeSixteenBytesACall) {
  CallRows rows;
  constexpr std::size_t kCalls = 100'000;
  for (std::size_t i = 0; i < kCalls; ++i)
    rows.push_back(
        call(0, static_cast<std::int64_t>(i % 2), static_cast<std::int64_t>(i) * 4000, i));
  rows.sort();
  EXPECT_LE(rows.bytes(), kCalls * 16 + kCalls / 16);
}

TEST(CallRows, OfAnHourWithACallASecondAreNotKeptInAMap) {
  CallRows rows;
  for (int i = 0; i < 3600; ++i) rows.push_back(call(0, 1, i * std::int64_t{10'000'000'000}, 1));
  rows.sort();
  EXPECT_LE(rows.bytes(), 3600U * 24);
  EXPECT_EQ(rows.start_ns(3599), 3599 * std::int64_t{10'000'000'000});
}

TEST(CallRows, CanBeAppendedToAfterTheyWereSorted) {
  CallRows first, second;
  first.push_back(call(0, 1, 300, 3));
  first.push_back(call(0, 1, 100, 1));
  first.sort();
  second.push_back(call(0, 1, 200, 2));
  second.sort();
  first.append(std::move(second));
  first.sort();
  std::vector<std::uint64_t> order;
  for (const ApiCall& one : first) order.push_back(one.correlation);
  EXPECT_THAT(order, ElementsAre(1, 2, 3));
}

TEST(CopyRows, KeepAmountsWithCopiesOfSeveralParts) {
  CopyRows all;
  for (const std::int64_t first : {std::int64_t{100}, std::int64_t{50}, std::int64_t{75}}) {
    CopyRows part;
    for (std::int64_t i = 0; i < 40; ++i) {
      Copy copy;
      copy.start_ns = first + i;
      copy.end_ns = copy.start_ns + 1;
      copy.stream = static_cast<std::uint32_t>(first);
      copy.bytes = static_cast<std::uint64_t>(copy.start_ns * 1000 + first);
      part.push_back(copy);
    }
    all.append(std::move(part));
  }
  all.sort();
  ASSERT_EQ(all.size(), 120U);
  for (std::size_t row = 0; row < all.size(); ++row) {
    EXPECT_EQ(all[row].bytes,
              static_cast<std::uint64_t>(all[row].start_ns * 1000 + all[row].stream));
    EXPECT_TRUE(row == 0 || all[row - 1].start_ns <= all[row].start_ns);
  }
}

TEST(CopyRows, KeepAmountsWithTheirCopiesOrLeaveThemOut) {
  CopyRows kept, places;
  places.leave_out_amounts();
  for (const std::int64_t start_ns : {std::int64_t{30}, std::int64_t{10}, std::int64_t{20}}) {
    Copy copy;
    copy.start_ns = start_ns;
    copy.end_ns = start_ns + 1;
    copy.bytes = static_cast<std::uint64_t>(start_ns);
    copy.from_address = 7;
    kept.push_back(copy);
    places.push_back(copy);
  }
  kept.sort();
  places.sort();
  for (std::size_t row = 0; row < 3; ++row) {
    EXPECT_EQ(kept[row].bytes, static_cast<std::uint64_t>(kept[row].start_ns));
    EXPECT_EQ(kept[row].from_address, 7U);
    EXPECT_EQ(places[row].start_ns, kept[row].start_ns);
    EXPECT_EQ(places[row].bytes, kUnknownBytes);
  }
  EXPECT_LT(places.bytes(), kept.bytes());
}

}  // namespace
}  // namespace rpl
