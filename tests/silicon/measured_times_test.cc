// SPDX-License-Identifier: MIT
#include "tests/silicon/measured_times.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "tests/support/temp_dir.h"

namespace rpl::silicon {
namespace {

using testing::HasSubstr;

class MeasuredTimes : public testing::Test {
 protected:
  std::string file(std::string_view text) {
    const std::string path = folder_ / "table.csv";
    EXPECT_TRUE(write_file(path, text));
    return path;
  }
  testing_support::TempDir folder_;
};

TEST_F(MeasuredTimes, ReadsTheTable) {
  const auto read =
      read_measured(file("# of a GPU\nbenchmark,size,runs,mean_ms,min_ms,max_ms\n"
                         "copy,1MB,51,0.0046,0.0042,0.0117\nadd,64x64,3,2,1,4"));
  ASSERT_TRUE(read.has_value()) << read.error().message;
  ASSERT_EQ(read->size(), 2U);
  EXPECT_EQ((*read)[0].benchmark, "copy");
  EXPECT_DOUBLE_EQ((*read)[0].min_us, 4.2);
  EXPECT_DOUBLE_EQ((*read)[1].mean_us, 2000);
  EXPECT_THAT(read_measured(file("copy,1MB,51,0.0046,-1,0.0117\n")).error().message,
              HasSubstr(":1: "));
  EXPECT_EQ(read_measured(file("copy,1MB\n")).error().code, Errc::corrupt);
  EXPECT_EQ(read_measured("/nowhere").error().code, Errc::not_found);
}

TEST_F(MeasuredTimes, SumsErrors) {
  const std::vector<Measured> measured = {
      {"a", "1", 12, 10}, {"a", "2", 110, 100}, {"b", "1", 50, 40}, {"b", "2", 9, 8}};
  const Modelled modelled = {{{"a", "1"}, 12.0}, {{"a", "2"}, 90.0}, {{"b", "1"}, 50.0}};
  const auto pairs = paired(measured, modelled);
  ASSERT_EQ(pairs.size(), 3U);
  const Summary sum = summarize(pairs);
  EXPECT_DOUBLE_EQ(sum.weighted, 22.0 / 150);
  EXPECT_DOUBLE_EQ(sum.bias, 2.0 / 150);
  EXPECT_NEAR(sum.mean, (0.2 + 0.1 + 0.25) / 3, 1e-12);
  EXPECT_DOUBLE_EQ(sum.median, 0.2);
  EXPECT_DOUBLE_EQ(sum.worst, 0.25);
  EXPECT_EQ(by_family(pairs).size(), 2U);
  EXPECT_EQ(share_in_order(pairs), 1) << "pairs count within a family only";
  EXPECT_EQ(share_in_order(paired(measured, {{{"a", "1"}, 95.0}, {{"a", "2"}, 90.0}})), 0);
  EXPECT_THAT(table(pairs, true), HasSubstr("100.0       110.0         90.0   0.90"));
  EXPECT_EQ(summarize({}).points, 0U);
}

}  // namespace
}  // namespace rpl::silicon
