// SPDX-License-Identifier: MIT
#include "engine/device/cycle/compute_unit.h"

#include <gtest/gtest.h>

namespace rpl::cycle {
namespace {

/// Waves that execute instructions given as text, on one compute unit of MI300X.
class Unit942 : public testing::Test {
 protected:
  /// The times of the instructions of one wave; memory takes what the model assumes: 1000, 600 and 100 cycles.
  std::vector<WaveTimes> run(const std::vector<std::vector<std::string>>& waves,
                             std::uint32_t simds = 4) {
    Parameters p = **builtin_parameters("MI300X");
    p.assumed_load = 1000;
    p.assumed_store = 600;
    p.assumed_scalar = 100;
    p.assumed_service = 16;
    std::vector<Operation> operations;
    std::vector<WaveStream> streams(waves.size());
    for (std::size_t i = 0; i < waves.size(); ++i) {
      for (const std::string& text : waves[i]) {
        const Operation op = operation_of(text, p);
        const bool memory = op.unit == Unit::vmem || op.unit == Unit::smem;
        streams[i].steps.push_back(
            {static_cast<std::uint32_t>(operations.size()), memory ? kAssumed : 0});
        operations.push_back(op);
      }
    }
    ComputeUnit unit(p, operations, nullptr);
    unit.keep_times = true;
    for (std::uint32_t i = 0; i < streams.size(); ++i)
      unit.add({.stream = &streams[i], .workgroup = 0, .wave = i, .simd = i % simds, .begin = 0});
    EXPECT_TRUE(unit.run().has_value());
    stalls_ = unit.stalls();
    return std::move(unit.waves());
  }
  std::vector<StallCycles> stalls_;  ///< of what ran last, in the order of the instructions
};

TEST_F(Unit942, AWaitIsChargedToWhatItWaitedFor) {
  run({{"global_load_dword v1, v0, s[0:1]", "ds_read_b32 v2, v0", "s_waitcnt lgkmcnt(0)",
        "s_waitcnt vmcnt(0)", "s_endpgm"}});
  EXPECT_EQ(stalls_[0].suffered, 0U);
  EXPECT_GT(stalls_[0].caused, 900U);
  EXPECT_GT(stalls_[1].caused, 32U);
  EXPECT_LT(stalls_[1].caused, 128U);
  EXPECT_EQ(stalls_[2].suffered, stalls_[1].caused);
  EXPECT_EQ(stalls_[3].suffered, stalls_[0].caused);
}

TEST_F(Unit942, ABarrierIsChargedToWhatHeldUpTheLastWave) {
  run({{"global_load_dword v1, v0, s[0:1]", "s_waitcnt vmcnt(0)", "s_barrier", "s_endpgm"},
       {"v_add_f32_e32 v1, v2, v3", "s_barrier", "s_endpgm"}});
  EXPECT_GT(stalls_[5].suffered, 900U);
  EXPECT_EQ(stalls_[5].caused, 0U);
  EXPECT_GT(stalls_[0].caused, 1800U);
  std::uint64_t suffered = 0, caused = 0;
  for (const StallCycles& one : stalls_) {
    suffered += one.suffered;
    caused += one.caused;
  }
  EXPECT_EQ(suffered, caused);
}

TEST_F(Unit942, LoadsAreWaitedForAtTheWaitAlone) {
  const auto waves = run({{"global_load_dword v1, v0, s[0:1]", "v_add_f32_e32 v2, v3, v4",
                           "s_waitcnt vmcnt(0)", "s_endpgm"}});
  const auto& steps = waves.at(0).steps;
  EXPECT_EQ(steps[0].duration, 4U);
  EXPECT_EQ(steps[1].stall, 0U);
  EXPECT_NEAR(steps[2].stall, 1000 + 4 - 8, 1);
}

TEST_F(Unit942, WaitsForSomeLeaveTheYoungestOutstanding) {
  const auto waves = run({{"global_load_dword v1, v0, s[0:1]", "global_load_dword v2, v0, s[0:1]",
                           "s_waitcnt vmcnt(1)", "s_waitcnt vmcnt(0)", "s_endpgm"}});
  const auto& steps = waves.at(0).steps;
  EXPECT_GT(steps[2].stall, 900U);
  EXPECT_LT(steps[3].stall, 64U);
}

TEST_F(Unit942, TheEndDrainsStores) {
  const auto waves = run({{"global_store_dword v0, v1, s[0:1]", "s_endpgm"}});
  EXPECT_NEAR(waves.at(0).steps[1].duration, 600 + 4 - 4, 1);
}

TEST_F(Unit942, WavesOfASimdShareItsVectorUnitAndOthersDoNot) {
  const std::vector<std::string> body(64, "v_add_f32_e32 v1, v2, v3");
  const auto shared = run({body, body}, 1), apart = run({body, body}, 2);
  EXPECT_NEAR(static_cast<double>(shared[1].end), 32 + 2 * 64 * 4, 8);
  EXPECT_NEAR(static_cast<double>(apart[1].end), 32 + 64 * 4, 8);
}

TEST_F(Unit942, MatrixResultsAreForwardedToTheSameAccumulatorsOnly) {
  const std::string first = "v_mfma_f32_32x32x8_f16 a[0:15], v[2:3], v[4:5], a[0:15]";
  const auto chained = run({{first, first}}), read = run({{first, "v_accvgpr_read_b32 v9, a0"}});
  EXPECT_EQ(chained[0].steps[1].stall, 32U - 4);
  EXPECT_EQ(read[0].steps[1].stall, 32U + 12 - 4);
}

TEST_F(Unit942, OtherInstructionsIssueBesideAMatrixInstruction) {
  const auto waves = run(
      {{"v_mfma_f32_32x32x8_f16 a[0:15], v[2:3], v[4:5], a[0:15]", "v_add_f32_e32 v9, v8, v7"}});
  EXPECT_EQ(waves[0].steps[1].stall, 0U);
}

TEST_F(Unit942, BarriersOpenForAllWavesAtOnce) {
  const auto waves =
      run({{"s_barrier", "s_endpgm"}, {"s_nop 15", "s_nop 15", "s_barrier", "s_endpgm"}});
  EXPECT_EQ(waves[0].steps[0].time + waves[0].steps[0].duration,
            waves[1].steps[2].time + waves[1].steps[2].duration);
  EXPECT_GE(waves[0].steps[0].stall, 128U);
}

// What docs/thread-traces.md says of every trace.
TEST_F(Unit942, LatencyAndIdleAreTheLivesOfTheWaves) {
  const std::vector<std::string> body = {"s_load_dwordx2 s[0:1], s[2:3], 0x0",
                                         "s_waitcnt lgkmcnt(0)",
                                         "v_cmp_gt_i32_e32 vcc, v0, v1",
                                         "s_cbranch_vccz 4",
                                         "ds_read_b32 v1, v0",
                                         "s_waitcnt lgkmcnt(0)",
                                         "s_endpgm"};
  for (const WaveTimes& wave : run({body, body, body})) {
    std::uint64_t sum = 0, previous = wave.begin;
    for (const StepTime& step : wave.steps) {
      EXPECT_LE(step.stall, step.duration);
      EXPECT_GE(step.time, previous);
      sum += step.time - previous + step.duration;
      previous = step.time + step.duration;
    }
    EXPECT_EQ(sum, wave.end - wave.begin);
  }
}

}  // namespace
}  // namespace rpl::cycle
