// SPDX-License-Identifier: MIT
// How often the decision rule is wrong, over noise models, recorded noise and the noise of this machine. RPL_SIMULATED_SESSIONS: more sessions in each cell.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>

#include "engine/measure/simulate.h"

namespace rpl {
namespace {

std::uint32_t sessions() {
  const char* wanted = std::getenv("RPL_SIMULATED_SESSIONS");
  return wanted ? static_cast<std::uint32_t>(std::max(1, std::atoi(wanted))) : 2000;
}

DecisionRates shown(const DecisionRates& rates) {
  std::printf("%-11s %5u sessions: no-op %.4f, extended %.4f, best of ten %.4f; 2%% gain %.4f, extended %.4f (%.1f processes), covered %.4f; "
              "2%% regression %.4f | older form: no-op %.4f, one of ten %.4f, gain %.4f, regression %.4f\n",
              rates.name.c_str(), rates.sessions, rates.no_op, rates.no_op_extended, rates.ten_no_ops, rates.gain, rates.gain_extended,
              rates.processes, rates.covered, rates.regression, rates.older_no_op, rates.older_ten_no_ops, rates.older_gain, rates.older_regression);
  return rates;
}

class SimulatedNoise : public testing::TestWithParam<NoiseModel> {};

TEST_P(SimulatedNoise, IsDecidedAsPromised) {
  const auto found = decision_rates(simulated_truth(GetParam()), sessions(), 1, 1.02);
  ASSERT_TRUE(found.has_value());
  const DecisionRates rates = shown(*found);
  EXPECT_LE(rates.no_op, 0.01);
  EXPECT_LE(rates.no_op_extended, 0.01);
  EXPECT_LE(rates.ten_no_ops, 0.02);
  EXPECT_GE(rates.gain_extended, 0.95);
  EXPECT_EQ(rates.regression, 0);
  EXPECT_GE(rates.covered, 0.9);
}

INSTANTIATE_TEST_SUITE_P(Models, SimulatedNoise, testing::ValuesIn(noise_models()), [](const auto& model) { return model.param.name; });

TEST(OlderForm, AcceptsNoiseThatTheRuleDoesNot) {
  const auto found = decision_rates(simulated_truth(noise_models().back()), 300, 3, 1.02);
  ASSERT_TRUE(found.has_value());
  EXPECT_GT(found->older_no_op, 0.05);
  EXPECT_GT(found->older_ten_no_ops, 0.5);
}

}  // namespace
}  // namespace rpl
