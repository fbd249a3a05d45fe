// SPDX-License-Identifier: MIT
#include "engine/att/read/wave_collector.h"

#include <gtest/gtest.h>

namespace rpl::att {
namespace {

/// Life of a wave from 100 to 500: idle to 140, a load that stalls 40 of 44 cycles, arithmetic, a wait of 200, the end.
const std::vector<WaveInstruction> kLife{
    {.time = 140, .line = 1, .duration = 44, .stall = 40, .category = 3},
    {.time = 184, .line = 2, .duration = 16, .stall = 0, .category = 6},
    {.time = 200, .line = 3, .duration = 200, .stall = 196, .category = 9},
    {.time = 400, .line = 4, .duration = 60, .stall = 0, .category = 11},
};

std::array<double, kWaveStates> sums(const StateStrip& strip) {
  std::array<double, kWaveStates> out{};
  for (const auto& bin : strip.bins) {
    for (std::size_t state = 0; state < kWaveStates; ++state) out[state] += bin[state];
  }
  return out;
}

/// What is known of the only wave of a trace.
WaveFacts facts_of(const std::vector<WaveInstruction>& life, bool strip = true) {
  ThreadTrace trace;
  trace.manifest.waves.resize(1);
  trace.manifest.waves[0].begin = 0;
  trace.manifest.waves[0].end = 1000;
  const Program program(trace, strip);
  WaveCollector collector(program);
  collector.restart();
  collector.head({.begin = 100, .end = 500, .cu = 1});
  collector.instructions(life);
  collector.commit(0, std::nullopt);
  return collector.finish();
}

TEST(WaveStrip, FollowsTheRulesOfRebuiltStates) {
  const WaveFacts facts = facts_of(kLife);
  const StateStrip& made = facts.strip;
  const auto all = sums(made);
  EXPECT_NEAR(all[kIdleState], 40 + 40, 1e-6) << "before the first and after the last instruction";
  EXPECT_NEAR(all[kStallState], 40, 1e-6);
  EXPECT_NEAR(all[kWaitState], 200 + 60, 1e-6);
  EXPECT_NEAR(all[kExecState], 400 - 80 - 40 - 260, 1e-6);
  for (std::size_t state = 0; state < kWaveStates; ++state)
    EXPECT_NEAR(all[state], static_cast<double>(facts.rebuilt[state]), 1e-6) << state;
  // In ten parts of 100 cycles: the third and fourth are nothing but waiting.
  const StateStrip ten = narrowed(made, 10);
  EXPECT_NEAR(ten.bins[2][kWaitState], 100, 1e-6);
  EXPECT_NEAR(ten.bins[3][kWaitState], 100, 1e-6);
  EXPECT_NEAR(ten.bins[1][kStallState], 40, 1e-6);
  EXPECT_NEAR(ten.bins[0][kIdleState] + ten.bins[9][kIdleState], 0, 1e-9);
}

TEST(WaveStrip, IsMadeOnlyWhereItIsWanted) {
  EXPECT_TRUE(facts_of(kLife, false).strip.bins.empty());
}

TEST(WaveStrip, AWaveThatIsNotCommittedCountsNothing) {
  WaveStrip strip({.first = 0, .last = 1000});
  strip.restart();
  strip.rebuilt(kWaitState, 100, 300);
  strip.run(kExecState, 100, 300);
  strip.restart();
  strip.run(kExecState, 600, 100);
  strip.commit(600, 700);
  EXPECT_NEAR(sums(strip.from_timelines())[kExecState], 100, 1e-6);
  EXPECT_NEAR(sums(strip.from_instructions())[kWaitState], 0, 1e-9);
}

TEST(WaveStrip, StripsAddUp) {
  WaveStrip a({.first = 0, .last = 100}), b({.first = 0, .last = 100});
  for (WaveStrip* strip : {&a, &b}) {
    strip->restart();
    strip->run(kWaitState, 0, 50);
    strip->run(kStallState, 50, 50);
    strip->run(9, 100, 50);  // no state that the format knows
    strip->commit(0, 100);
  }
  a.merge(b);
  EXPECT_NEAR(sums(a.from_timelines())[kWaitState], 100, 1e-6);
  EXPECT_NEAR(sums(a.from_timelines())[kStallState], 100, 1e-6);
}

TEST(WaveStrip, PiecesOutsideOfTheSpanAreCut) {
  WaveStrip strip({.first = 0, .last = 100});
  strip.restart();
  strip.run(kExecState, -50, 2'000'000);
  strip.commit(-50, 1'000'000);
  EXPECT_NEAR(sums(strip.from_timelines())[kExecState], 100, 1e-6);
}

TEST(WaveStrip, WavesWithoutTimesHaveNoSpan) {
  EXPECT_FALSE(span_of({}));
  EXPECT_FALSE(span_of({WaveFile()}));
  WaveFile a, b;
  a.begin = 5;
  a.end = 9;
  b.begin = 2;
  b.end = 4;
  const auto span = span_of({a, b});
  ASSERT_TRUE(span);
  EXPECT_EQ(span->first, 2);
  EXPECT_EQ(span->last, 9);
}

}  // namespace
}  // namespace rpl::att
