// SPDX-License-Identifier: MIT
// A copy, a chain of fused multiply-adds and a chain of matrix instructions come near the peaks of the data files on every GPU, never above.
#include <gtest/gtest.h>

#include "engine/arch/peaks.h"
#include "engine/arch/resolve.h"
#include "tests/engine/device/execute/example_runs.h"

namespace rpl::emu {
namespace {

class Peaks : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    auto resolved = arch::resolve(arch::Catalogue::builtin(), GetParam(), {});
    ASSERT_TRUE(resolved.has_value()) << resolved.error().message;
    gpu_ = std::move(*resolved);
  }
  Modelled modelled(const std::string& kernel, std::vector<Argument> arguments,
                    std::uint32_t workgroups, std::uint32_t size = 256) {
    KernelRun run;
    run.object = isa::test_object("ordering", gpu_.arch);
    run.kernel = kernel;
    run.grid = {workgroups * size, 1, 1};
    run.workgroup = {size, 1, 1};
    run.arguments = std::move(arguments);
    run.options = {.mode = Mode::modelled, .gpu = GetParam()};
    const KernelOutcome outcome = run_ok(run);
    return outcome.executed.modelled.value_or(Modelled());
  }
  [[nodiscard]] std::uint32_t units() const { return gpu_.whole("compute_units").value_or(1); }

  arch::Gpu gpu_;
};

void expect_near_peak(double share, const Modelled& modelled) {
  EXPECT_GE(share, 0.6) << modelled.model << ": " << modelled.cycles << " cycles";
  EXPECT_LE(share, 1.0) << modelled.model << ": " << modelled.cycles << " cycles";
}

TEST_P(Peaks, ACopyIsNearTheBandwidthOfMemory) {
  const std::uint32_t workgroups = units() * 16;
  const std::uint32_t count = workgroups * 256 * 16;
  const Modelled run = modelled("copy_wide", {floats(count), floats(count)}, workgroups);
  // What is written stays in the Infinity Cache where there is one; what is read comes from memory.
  const double peak = arch::peak_bandwidth(gpu_, arch::Level::hbm)->value.value_or(0);
  const double read = 4.0 * count / run.time_ns, all = 2 * read;
  constexpr double kLaunch = 0.8;  // of the bandwidth that can be had, less the launch
  EXPECT_GE(all / peak, kLaunch * gpu_.number("cycle.share.hbm").value_or(1))
      << run.model << ": " << run.cycles << " cycles";
  EXPECT_LE((gpu_.find("mall_bytes") == nullptr ? all : read) / peak, 1.0)
      << run.model << ": " << run.cycles << " cycles";
}

TEST_P(Peaks, ChainsOfMultiplyAddsAreNearTheVectorPeak) {
  constexpr std::int32_t kRounds = 60;
  const std::uint32_t workgroups = units() * 2;
  const Modelled run =
      modelled("fma_chain", {floats(workgroups * 256), number(kRounds)}, workgroups);
  const double gflops = 128.0 * 2 * 2 * kRounds * workgroups * 256 / run.time_ns;
  expect_near_peak(
      gflops / arch::peak_flops(gpu_, arch::DataType::f32, arch::Pipe::vector)->value.value_or(0),
      run);
}

TEST_P(Peaks, ChainsOfMatrixInstructionsAreNearTheMatrixPeak) {
  constexpr std::int32_t kRounds = 20;
  const std::uint32_t workgroups = units();
  const Modelled run =
      modelled("matrix_chain", {floats(workgroups * 256), number(kRounds)}, workgroups);
  const double gflops = 16.0 * 2 * 32 * 32 * 8 * kRounds * workgroups * 4 / run.time_ns;
  expect_near_peak(
      gflops / arch::peak_flops(gpu_, arch::DataType::f16, arch::Pipe::matrix)->value.value_or(0),
      run);
}

INSTANTIATE_TEST_SUITE_P(Gpus, Peaks,
                         testing::Values("MI210", "MI250X", "MI300X", "MI300A", "MI325X"),
                         [](const auto& tested) { return std::string(tested.param); });

}  // namespace
}  // namespace rpl::emu
