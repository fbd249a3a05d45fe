// SPDX-License-Identifier: MIT
#include "engine/trace/core/sort.h"

#include <algorithm>

#include "tests/support/random.h"

namespace rpl {
namespace {

using test::Random;

/// Columns whose other values tell the original row; with `far` every 50th duration is a long one.
TraceColumns columns_of(const std::vector<std::int64_t>& starts, bool far) {
  TraceColumns columns;
  for (std::size_t row = 0; row < starts.size(); ++row) {
    const auto id = static_cast<std::uint32_t>(row);
    columns.start_ns.push_back(starts[row]);
    columns.duration_ns.push_back(far && row % 50 == 0 ? -static_cast<std::int64_t>(row) - 1
                                                       : std::int64_t{id});
    columns.launch.push_back(id);
    columns.lane.push_back(id);
    columns.dispatch_id.push_back(far && row % 70 == 0 ? std::int64_t{id} << 33 : id);
    columns.event_id.push_back(id);
  }
  return columns;
}

void expect_sorted(const std::vector<std::int64_t>& starts, bool far) {
  SCOPED_TRACE(far ? "with values kept apart" : "without");
  TraceColumns columns = columns_of(starts, far);
  const TraceColumns before = columns;
  ASSERT_TRUE(sort_by_start(columns));
  std::vector<std::uint32_t> order(starts.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return starts[a] < starts[b]; });
  for (std::size_t row = 0; row < order.size(); ++row) {
    ASSERT_EQ(columns.launch[row], order[row]) << row;
    ASSERT_EQ(columns.start_ns[row], starts[order[row]]);
    ASSERT_EQ(columns.lane[row], order[row]);
    ASSERT_EQ(columns.event_id.get(row), order[row]);
    ASSERT_EQ(columns.duration_ns.get(row), before.duration_ns.get(order[row]));
    ASSERT_EQ(columns.dispatch_id.get(row), before.dispatch_id.get(order[row]));
  }
  EXPECT_EQ(columns.duration_ns.escaped().size(), before.duration_ns.escaped().size());
}

void expect_sorted(const std::vector<std::int64_t>& starts) {
  expect_sorted(starts, true);
  expect_sorted(starts, false);
}

TEST(SortByStart, IsStableForAnyOrderAndAnyNumberOfRows) {
  for (const std::size_t rows : {0U, 1U, 2U, 1023U, 1024U, 1025U, 9000U}) {
    for (const std::int64_t range : {1, 10, 1'000'000}) {
      SCOPED_TRACE(fmt::format("{} rows of {} times", rows, range));
      Random random(rows);
      std::vector<std::int64_t> starts(rows);
      for (auto& start : starts) start = random.between(-range, range);
      expect_sorted(starts);
    }
  }
}

TEST(SortByStart, PutsRightWhatIsLocallyOutOfOrder) {
  Random random(4);
  std::vector<std::int64_t> starts(50000);
  for (std::size_t row = 0; row < starts.size(); ++row) {
    const std::int64_t lag = random.chance(0.001) ? 200'000 : 300;
    starts[row] = static_cast<std::int64_t>(row) * 100 - random.between(0, lag);
  }
  expect_sorted(starts);
}

TEST(SortByStart, TwoThreadsMeetAtARowThatNothingCrosses) {
  Random random(5);
  std::vector<std::int64_t> starts(300'000);
  for (std::size_t row = 0; row < starts.size(); ++row) {
    starts[row] = static_cast<std::int64_t>(row) * 100 - random.between(0, 2000);
  }
  expect_sorted(starts);
}

TEST(SortByStart, MergesFilesThatAreSortedThemselves) {
  std::vector<std::int64_t> starts;
  for (int file = 0; file < 5; ++file) {
    for (std::int64_t i = 0; i < 5000; ++i) starts.push_back(i * 10 + file);
  }
  expect_sorted(starts);
}

TEST(SortByStart, ReversesADescendingColumn) {
  std::vector<std::int64_t> starts(10000);
  for (std::size_t i = 0; i < starts.size(); ++i) starts[i] = -static_cast<std::int64_t>(i);
  expect_sorted(starts);
}

}  // namespace
}  // namespace rpl
