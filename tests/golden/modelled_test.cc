// SPDX-License-Identifier: MIT
#include "tests/golden/modelled.h"

#include <gtest/gtest.h>

namespace rpl::golden {
namespace {

bool accepted(const std::string& expected, const std::string& actual) {
  return with_expected_where_close(expected, actual) == expected;
}

TEST(ModelledNumbers, MayDifferByWhatIsPromised) {
  const std::string line = "time      100.0 us\n";
  EXPECT_TRUE(accepted(line, "time      102.0 us\n"));
  EXPECT_TRUE(accepted(line, "time       98.0 us\n")) << "blanks do not count";
  EXPECT_FALSE(accepted(line, "time      106.0 us\n"));
  EXPECT_FALSE(accepted(line, "time      102.0 ms\n"));
  EXPECT_FALSE(accepted(line, "span      102.0 us\n"));
  EXPECT_TRUE(accepted("cycles  75,911 cycles\n", "cycles  76,911 cycles\n"));
  EXPECT_TRUE(accepted("  \"time_ns\": 100.0,\n", "  \"time_ns\": 102.0,\n"));
  EXPECT_FALSE(accepted("  \"waves\": 100,\n", "  \"waves\": 102,\n"));
  EXPECT_TRUE(accepted("m 98233 -> 80464 cycles, 15244 -> 13616 waves\n",
                       "m 99000 -> 80000 cycles, 15244 -> 13616 waves\n"));
  EXPECT_FALSE(accepted("m 98233 -> 80464 cycles, 15244 -> 13616 waves\n",
                        "m 98233 -> 80464 cycles, 15244 -> 13617 waves\n"));
  EXPECT_TRUE(accepted("1.221 x\n", "1.210 x\n"));
  EXPECT_FALSE(accepted("  row_sums  99 x  100.0 us\n", "  row_sums  98 x  100.0 us\n"));
  EXPECT_FALSE(accepted("1024 x 1 x 1 work-items\n", "1025 x 1 x 1 work-items\n"));
}

TEST(ModelledNumbers, StandInColumnsWithAUnit) {
  const std::string heading = "id  calls  total us  ratio x\n";
  const std::string rows = heading + "m1     98    99.000    1.221\n";
  EXPECT_TRUE(accepted(rows, "id  calls  total us  ratio x\nm1     98   101.000    1.210\n"));
  EXPECT_FALSE(accepted(rows, "id  calls  total us  ratio x\nm1     98   109.000    1.221\n"));
  EXPECT_FALSE(accepted(rows, "id  calls  total us  ratio x\nm1     99    99.000    1.221\n"));
  EXPECT_FALSE(accepted(rows, "id  calls  total us  ratio x\nm2     98    99.000    1.221\n"));
}

TEST(ModelledNumbers, HowManyInputsWereTriedMayDifferButNotThatOthersWere) {
  const std::string line = "verify p1 8 elements within tolerance on 10 input sets\n";
  EXPECT_TRUE(accepted(line, "verify p1 8 elements within tolerance on 12 input sets\n"));
  EXPECT_FALSE(accepted(line, "verify p1 9 elements within tolerance on 12 input sets\n"));
  EXPECT_FALSE(accepted(line, "verify p1 8 elements within tolerance on 1 input sets\n"));
  EXPECT_TRUE(accepted("  \"input_sets\": 10,\n", "  \"input_sets\": 13,\n"));
  EXPECT_FALSE(accepted("  \"other_sets\": 10,\n", "  \"other_sets\": 13,\n"));
}

TEST(ModelledNumbers, HowMuchOfAGainIsLeftElsewhereMayDifferButNotThatItWasLookedAt) {
  const std::string line = "the gain: on other inputs, too\n";
  EXPECT_TRUE(accepted(line, "the gain: less with other scalar arguments\n"));
  EXPECT_TRUE(accepted(line, "the gain: slower with another launch\n"));
  EXPECT_FALSE(accepted(line, "the gain:\n"));
  EXPECT_FALSE(accepted(line, "the gain: less with luck\n"));
}

TEST(ModelledNumbers, AreLeftAloneByAnUpdateThatChangesOtherLines) {
  EXPECT_EQ(with_expected_where_close("1.000 us\n2 rows\n", "1.010 us\n3 rows\n"),
            "1.000 us\n3 rows\n");
}

TEST(ModelledNumbers, AreAllowedByAComment) {
  EXPECT_TRUE(shows_modelled_numbers(parse("# modelled\n$ a\n")));
  EXPECT_FALSE(shows_modelled_numbers(parse("# about modelled times\n$ a\n")));
}

}  // namespace
}  // namespace rpl::golden
