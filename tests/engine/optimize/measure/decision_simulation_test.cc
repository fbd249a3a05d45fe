// SPDX-License-Identifier: MIT
// How often the decision rule is wrong, over noise models, recorded noise and the noise of this machine. RPL_SIMULATED_SESSIONS: more sessions in each cell.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>

#include "engine/optimize/measure/samples.h"
#include "engine/optimize/measure/simulate.h"

namespace rpl {
namespace {

std::uint32_t sessions() {
  const char* wanted = std::getenv("RPL_SIMULATED_SESSIONS");
  return wanted ? static_cast<std::uint32_t>(std::max(1, std::atoi(wanted))) : 2000;
}

DecisionRates shown(const DecisionRates& rates) {
  std::printf(
      "%-11s %5u sessions: no-op %.4f, extended %.4f, best of ten %.4f; 2%% gain %.4f, extended "
      "%.4f (%.1f processes), covered %.4f; "
      "2%% regression %.4f | older form: no-op %.4f, one of ten %.4f, gain %.4f, regression %.4f\n",
      rates.name.c_str(), rates.sessions, rates.no_op, rates.no_op_extended, rates.ten_no_ops,
      rates.gain, rates.gain_extended, rates.processes, rates.covered, rates.regression,
      rates.older_no_op, rates.older_ten_no_ops, rates.older_gain, rates.older_regression);
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

INSTANTIATE_TEST_SUITE_P(Models, SimulatedNoise, testing::ValuesIn(noise_models()),
                         [](const auto& model) { return model.param.name; });

TEST(OlderForm, AcceptsNoiseThatTheRuleDoesNot) {
  const auto found = decision_rates(simulated_truth(noise_models().back()), 300, 3, 1.02);
  ASSERT_TRUE(found.has_value());
  EXPECT_GT(found->older_no_op, 0.05);
  EXPECT_GT(found->older_ten_no_ops, 0.5);
}

/// The recorded processes of one kernel and gain.
const Samples& of(const std::vector<RecordedSamples>& groups, const std::string& kernel,
                  double gain) {
  for (const RecordedSamples& group : groups) {
    if (group.kernel == kernel && group.gain == gain) return group.samples;
  }
  throw std::out_of_range(kernel);
}

class RecordedNoise : public testing::TestWithParam<std::string> {};

TEST_P(RecordedNoise, IsDecidedAsPromised) {
  const auto groups = read_raw_samples(RPL_NOISE "/noise.jsonl.gz");
  ASSERT_TRUE(groups.has_value()) << groups.error().message;
  // Of `chase` 2 % of the work removed makes 1 % of the time: its 5 % are the gain to find.
  const double gain = GetParam() == "chase" ? 0.05 : 0.02;
  const auto found = decision_rates(
      recorded_truth(GetParam(), of(*groups, GetParam(), 0), of(*groups, GetParam(), gain)),
      sessions());
  ASSERT_TRUE(found.has_value());
  const DecisionRates rates = shown(*found);
  EXPECT_LE(rates.no_op_extended, 0.01);
  EXPECT_LE(rates.ten_no_ops, 0.02);
  EXPECT_GE(rates.gain_extended, 0.95);
  EXPECT_EQ(rates.regression, 0);
}

INSTANTIATE_TEST_SUITE_P(Kernels, RecordedNoise,
                         testing::Values("stream", "small", "compute", "chase"),
                         [](const auto& kernel) { return kernel.param; });

/// A loop on this machine's CPU: `work` rounds of a chain of multiplications.
double loop_ns(std::uint32_t work) {
  static volatile double sink = 1;
  const auto begin = std::chrono::steady_clock::now();
  double value = sink;
  for (std::uint32_t i = 0; i < work; ++i) value = value * 0.999999 + 1e-6;
  sink = value;
  return std::max(1.0,
                  static_cast<double>(
                      std::chrono::nanoseconds(std::chrono::steady_clock::now() - begin).count()));
}

Samples timed_loops(std::uint32_t processes, double ratio) {
  const Design design{};
  const auto work_a = std::uint32_t{20'000}, work_b = static_cast<std::uint32_t>(20'000 / ratio);
  Samples out;
  for (std::uint32_t p = 0; p < processes; ++p) {
    MeasuredProcess& blocks = out.processes.emplace_back();
    for (const bool a_first : balanced_orders(design.blocks, p)) {
      MeasuredBlock block{.a_first = a_first,
                          .a_ns = std::vector<double>(design.dispatches),
                          .b_ns = std::vector<double>(design.dispatches)};
      const auto run = [&](bool a) {
        for (double& time : a ? block.a_ns : block.b_ns) time = loop_ns(a ? work_a : work_b);
      };
      run(a_first);
      run(!a_first);
      blocks.push_back(std::move(block));
    }
  }
  return out;
}

// What else this machine does is nobody's promise: the rates are printed, and only what no noise explains is asserted.
TEST(WallClockNoise, OfThisMachineIsReported) {
  const Samples same = timed_loops(40, 1), faster = timed_loops(12, 1.02),
                twice = timed_loops(9, 2);
  const auto found = decision_rates(recorded_truth("this machine", same, faster), sessions() / 4);
  ASSERT_TRUE(found.has_value());
  shown(*found);
  const auto floor = noise_floor(same, 5);
  ASSERT_TRUE(floor.has_value());
  std::printf("A/A 95th percentile of a CPU loop here: %.4f\n", *floor);
  EXPECT_GE(*floor, 0);
  EXPECT_NE(decide(twice)->verdict, Verdict::regression);
}

}  // namespace
}  // namespace rpl
