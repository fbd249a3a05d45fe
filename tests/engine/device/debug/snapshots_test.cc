// SPDX-License-Identifier: MIT
#include "engine/device/debug/snapshots.h"

#include "tests/engine/device/debug/debug_runs.h"

namespace rpl::debug {
namespace {

class SnapshotTable : public testing::Test {
 protected:
  Points points;
  const std::unique_ptr<Session> session = started(normalize("gfx942", 150, 7), points);
};

TEST_F(SnapshotTable, FindsTheLastOneBefore) {
  Schedule schedule = session->schedule();
  Snapshots snapshots(session->memory(), schedule);
  snapshots.keep(100, schedule);
  snapshots.keep(100, schedule);
  snapshots.keep(300, schedule);
  EXPECT_EQ(snapshots.count(), 3U) << "the same time once";
  EXPECT_EQ(snapshots.last_before(0), 0U);
  EXPECT_EQ(snapshots.last_before(100), 0U);
  EXPECT_EQ(snapshots.last_before(101), 1U);
  EXPECT_EQ(snapshots.last_before(9999), 2U);
  snapshots.restore(1);
  EXPECT_EQ(snapshots.count(), 2U);
  EXPECT_EQ(snapshots.due(), 100 + Snapshots::kFirstInterval);
}

TEST_F(SnapshotTable, StaysSmallAndEven) {
  Schedule schedule = session->schedule();
  Snapshots snapshots(session->memory(), schedule);
  constexpr std::uint64_t kLong = 1000 * Snapshots::kFirstInterval;
  for (std::uint64_t time = 0; time < kLong; time = snapshots.due()) snapshots.keep(time, schedule);
  EXPECT_LE(snapshots.count(), Snapshots::kMost);
  EXPECT_GT(snapshots.count(), Snapshots::kMost / 4);
  for (std::size_t i = 1; i < snapshots.count(); ++i) {
    EXPECT_LE(snapshots.time(i) - snapshots.time(i - 1), kLong / (Snapshots::kMost / 4))
        << "far back as near by";
  }
}

}  // namespace
}  // namespace rpl::debug
