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
