// SPDX-License-Identifier: MIT
// Recordings of several hosts: whose clocks are aligned, and by how much.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "engine/trace/core/collectives.h"
#include "engine/trace/import/open.h"
#include "tests/support/ranks.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class Clocks : public ::testing::Test {
 protected:
  Clocks() {
    options_.folder = folder_.path();
    options_.ranks = 4;
    options_.ranks_of_host = 2;
    options_.steps = 5;
    options_.api = true;
  }
  std::shared_ptr<const Trace> open() { return open_trace(std::vector{folder_.path()}).value(); }
  void generate() {
    const auto written = test::generate_ranks(options_);
    ASSERT_TRUE(written.has_value()) << written.error().message;
  }
  /// The ends of the collectives of a process.
  static std::vector<std::int64_t> ends(const Trace& trace, std::uint32_t process) {
    std::vector<std::int64_t> out;
    for (std::size_t row = 0; row < trace.size(); ++row) {
      if (trace.lane(row).process == process &&
          is_collective(trace.kernels()[trace.kernel_of(row)].name))
        out.push_back(trace.end_ns(row));
    }
    return out;
  }

  testing_support::TempDir folder_;
  test::RanksOptions options_;
};

TEST_F(Clocks, OfHostsAreAlignedByCollectives) {
  generate();
  const auto trace = open();
  const auto first = ends(*trace, 0);
  ASSERT_EQ(first.size(), 20U);
  for (std::uint32_t process = 1; process < options_.ranks; ++process) {
    const auto others = ends(*trace, process);
    ASSERT_EQ(others.size(), first.size());
    for (std::size_t i = 0; i < first.size(); ++i)
      EXPECT_LE(std::abs(others[i] - first[i]), 2 * options_.jitter_ns) << process;
  }
  const auto& files = trace->entities().files;
  EXPECT_EQ(files[0].clock_shift_ns, 0);
  EXPECT_EQ(files[1].clock_shift_ns, 0);
  EXPECT_NEAR(static_cast<double>(files[2].clock_shift_ns), -static_cast<double>(options_.clock_ns),
              static_cast<double>(options_.jitter_ns));
  EXPECT_EQ(files[3].clock_shift_ns, files[2].clock_shift_ns);
  EXPECT_THAT(trace->entities().notes,
              Contains(HasSubstr("clocks of 2 hosts were aligned by collectives")));
}

TEST_F(Clocks, WhatIsReadLaterIsShiftedToo) {
  generate();
  const auto trace = open();
  const auto [first_ns, last_ns] = trace->extent_ns();
  const ApiTable& api = *trace->api().value();
  EXPECT_EQ(api.rows.size(), trace->size());
  for (const ApiCall& call : api.rows) {
    EXPECT_GE(call.start_ns, first_ns - 10'000);
    EXPECT_LE(call.end_ns, last_ns);
  }
  for (const Process& process : trace->entities().processes)
    EXPECT_LE(std::abs(process.start_ns - first_ns), 1'000'000);
}

TEST_F(Clocks, StayWhereCollectivesDoNotEndTogether) {
  options_.jitter_ns = 300'000;
  generate();
  const auto trace = open();
  for (const TraceFile& file : trace->entities().files) EXPECT_EQ(file.clock_shift_ns, 0);
  EXPECT_THAT(trace->entities().notes,
              Contains(HasSubstr("their collectives do not end together whatever the shift")));
}

TEST_F(Clocks, StayWhereRanksHaveDifferentCollectives) {
  generate();
  test::RanksOptions other = options_;
  other.folder = folder_ / "more";
  other.steps = 6;
  other.ranks = 4;
  ASSERT_TRUE(test::generate_ranks(other));
  std::filesystem::rename(folder_ / "more/rank_3.db", folder_ / "rank_3.db");
  std::filesystem::remove_all(folder_ / "more");
  const auto trace = open();
  for (const TraceFile& file : trace->entities().files) EXPECT_EQ(file.clock_shift_ns, 0);
  EXPECT_THAT(trace->entities().notes,
              Contains(HasSubstr("ranks have different numbers of collectives (20 and 24)")));
}

TEST_F(Clocks, OfOneHostNeedNothing) {
  options_.ranks_of_host = 4;
  generate();
  EXPECT_THAT(open()->entities().notes, Each(Not(HasSubstr("clock"))));
}

}  // namespace
}  // namespace rpl
