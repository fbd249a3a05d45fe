// SPDX-License-Identifier: MIT
#include "engine/metrics/diagnose/headroom.h"

#include <gmock/gmock.h>

#include <fstream>

#include "kernels.h"

namespace rpl::diagnose {
namespace {

TEST(Advice, EverySyntheticKernelGetsSome) {
  for (const SyntheticKernel& kernel : synthetic_kernels()) {
    const Facts facts = facts_of(kernel.values);
    const auto advice = advise(diagnose(facts), facts);
    ASSERT_FALSE(advice.empty()) << kernel.name;
    for (const Advice* row : advice) EXPECT_EQ(row->label, kernel.label) << kernel.name;
  }
  EXPECT_EQ(advise(diagnose(Facts{}), Facts{}).size(), 1U);
  EXPECT_EQ(advise(diagnose(Facts{}), facts_of({{Input::gap_share, 0.5}})).size(), 2U)
      << "gaps concern any kernel";
}

TEST(Advice, TheGuideHasItAll) {
  std::ifstream file(std::string(RPL_SOURCE_DIR) + "/docs/diagnosis.md");
  const std::string guide{std::istreambuf_iterator<char>(file), {}};
  for (const Advice& advice : advice_table()) {
    const std::string row =
        "| " + std::string(advice.action) + " | `" + std::string(advice.command) + "` |";
    EXPECT_NE(guide.find(row), std::string::npos) << "missing in docs/diagnosis.md: " << row;
  }
}

TEST(Advice, FollowsTheCause) {
  const Facts facts = facts_of({{Input::hbm_share, 0.1},
                                {Input::compute_share, 0.1},
                                {Input::wait_share, 0.6},
                                {Input::grid_fill, 0.1},
                                {Input::occupancy_limit, 1}});
  const auto advice = advise(diagnose(facts), facts);
  ASSERT_EQ(advice.size(), 2U);
  EXPECT_THAT(std::string(advice[0]->action), testing::HasSubstr("more workgroups"));
}

}  // namespace
}  // namespace rpl::diagnose
