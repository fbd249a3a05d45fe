// SPDX-License-Identifier: MIT
// The modelled thread trace of every example of examples/hip is read like a recorded one and holds what recorded ones hold.
#include "engine/device/record/write_trace.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <numeric>

#include "engine/att/analyse/summary.h"
#include "tests/engine/device/execute/every_example.h"
#include "tests/support/temp_dir.h"

namespace rpl::calibrate {
namespace {

class Traced : public testing::TestWithParam<std::tuple<emu::Example, const char*>> {
 protected:
  void SetUp() override {
    emu::KernelRun run = std::get<0>(GetParam()).run(std::get<1>(GetParam()));
    run.options.mode = emu::Mode::modelled;
    run.options.keep_trace = true;
    const emu::KernelOutcome outcome = emu::run_ok(run);
    const auto made = modelled_trace(outcome.executed);
    ASSERT_TRUE(made.has_value()) << made.error().message;
    waves_ = made->waves.size();
    const auto written = att::write_trace(folder_.path() + "/traced", *made);
    ASSERT_TRUE(written.has_value()) << written.error().message;
    auto opened = att::open_trace(*written);
    ASSERT_TRUE(opened.has_value()) << opened.error().message;
    trace_ = *opened;
    auto facts = att::read_waves(*trace_);
    ASSERT_TRUE(facts.has_value()) << facts.error().message;
    facts_ = std::move(*facts);
  }

  testing_support::TempDir folder_;
  std::size_t waves_ = 0;
  att::TracePtr trace_;
  att::WaveFacts facts_;
};

TEST_P(Traced, HoldsTheReadersInvariants) {
  EXPECT_TRUE(trace_->notes.empty()) << trace_->notes.front();
  EXPECT_TRUE(facts_.notes.empty()) << facts_.notes.front();
  EXPECT_EQ(facts_.waves, waves_);
  EXPECT_EQ(facts_.failed, 0U);
  EXPECT_EQ(facts_.by_simdjson, 0U) << "spelled as rocprofv3 does";
  EXPECT_EQ(facts_.unmapped, 0U);
  EXPECT_EQ(facts_.equal_waits, facts_.stored_waits);
  att::Cost sum;
  for (std::size_t i = 0; i < trace_->code.rows.size(); ++i) {
    const att::Instruction& row = trace_->code.rows[i];
    EXPECT_EQ((att::Cost{row.hit, row.latency, row.stall, row.idle}), facts_.rows[i]) << row.text;
    EXPECT_LE(row.stall, row.latency) << row.text;
    sum += facts_.rows[i];
  }
  std::int64_t lives = 0;
  for (const att::WaveFile& wave : trace_->manifest.waves) lives += wave.end - wave.begin;
  EXPECT_EQ(static_cast<std::int64_t>(sum.latency + sum.idle), lives);
  EXPECT_EQ(facts_.recorded, facts_.rebuilt) << "states by the timelines and by the instructions";
  EXPECT_EQ(std::accumulate(facts_.recorded.begin(), facts_.recorded.end(), std::int64_t{0}),
            lives);
}

TEST_P(Traced, SaysThatItIsModelledAndOfWhat) {
  EXPECT_TRUE(trace_->manifest.model.starts_with("rpl-cycle/0.5 MI")) << trace_->manifest.model;
  EXPECT_NE(trace_->manifest.modelled_what.find("workgroups simulated"), std::string::npos);
  EXPECT_EQ(trace_->device.name, std::get<1>(GetParam()));
  const att::Summary summary = att::summarise(*trace_, &facts_);
  EXPECT_EQ(summary.coverage.launched, facts_.waves);
  EXPECT_GT(summary.gfx_hz.value_or(0), 1e9);
}

INSTANTIATE_TEST_SUITE_P(Examples, Traced,
                         testing::Combine(testing::ValuesIn(emu::kEveryExample),
                                          testing::ValuesIn(isa::kArchitectures)),
                         [](const auto& tested) {
                           return std::string(std::get<0>(tested.param).name) + "_" +
                                  std::get<1>(tested.param);
                         });

}  // namespace
}  // namespace rpl::calibrate
