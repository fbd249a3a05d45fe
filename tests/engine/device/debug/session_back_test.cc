// SPDX-License-Identifier: MIT
// Going back by executing again.
#include "tests/engine/device/debug/debug_runs.h"

namespace rpl::debug {
namespace {

using Kind = Stop::Kind;

class GoingBack : public Architectures {};

TEST_P(GoingBack, AndForwardAgainGivesTheSameState) {
  std::uint32_t random = 7;
  for (const auto& [name, run] : small_runs(arch)) {
    SCOPED_TRACE(name);
    const auto session = started(run, points);
    for (int i = 0; i < 8; ++i) {
      random = random * 1664525 + 1013904223;
      const std::uint64_t forward = 1 + (random >> 8) % 40, back = 1 + (random >> 16) % 25;
      if (session->step_instructions(forward).kind != Kind::step) break;
      const State before = state_of(*session);
      const WaveId wave = session->selected_wave;
      const Stop stop = session->step_back(back);
      if (stop.kind == Kind::beginning) break;
      ASSERT_EQ(stop.kind, Kind::step);
      ASSERT_EQ(session->selected_wave, wave);
      EXPECT_LE(session->time(), before.time - back);
      session->step_instructions(back);
      EXPECT_TRUE(state_of(*session) == before)
          << "after " << forward << " on and " << back << " back";
    }
  }
}

TEST_P(GoingBack, UndoesMemory) {
  const auto session = started(normalize(arch, 150, 7), points);
  const State start = state_of(*session);
  EXPECT_EQ(session->run().kind, Kind::ended);
  EXPECT_FALSE(buffers_of(*session) == start.memory);
  break_at(points, "normalize");
  EXPECT_EQ(session->run_back().kind, Kind::breakpoint) << "the last wave's entry";
  EXPECT_EQ(session->selected_wave, (WaveId{1, 1}));
  while (session->run_back().kind == Kind::breakpoint) {
  }
  EXPECT_EQ(session->time(), 0U);
  EXPECT_TRUE(state_of(*session) == start);
}

TEST_P(GoingBack, LeavesWatchpointsWithWhatTheySeeThen) {
  const auto session = started(normalize(arch, 150, 7), points);
  break_at(points, "normalize.hip:8");
  ASSERT_EQ(session->run().kind, Kind::breakpoint);
  points.clear();
  // What the loop sums up in.
  points.add(Watchpoint{.watched = {.space = Watched::Space::registers,
                                    .wave = session->selected_wave,
                                    .name = *parse_register("v7")}});
  std::vector<Stop> forward;
  for (int i = 0; i < 4; ++i) forward.push_back(session->run());
  ASSERT_EQ(forward.back().kind, Kind::watchpoint);
  session->step_back(1);
  const Stop again = session->run();
  EXPECT_EQ(again.kind, Kind::watchpoint);
  EXPECT_EQ(again.before, forward.back().before);
  EXPECT_EQ(again.after, forward.back().after);
}

TEST_P(GoingBack, EndsAtTheBeginning) {
  const auto session = started(normalize(arch, 150, 7), points);
  EXPECT_EQ(session->step_back(1).kind, Kind::beginning);
  session->step_instructions(3);
  EXPECT_EQ(session->step_back(5).kind, Kind::beginning);
  EXPECT_EQ(session->time(), 0U);
}

TEST_P(GoingBack, FindsTheLastStopBefore) {
  const auto session = started(normalize(arch, 150, 7), points);
  break_at(points, "normalize.hip:8");
  std::vector<std::uint64_t> times;
  for (int i = 0; i < 5; ++i) {
    ASSERT_EQ(session->run().kind, Kind::breakpoint);
    times.push_back(session->time());
  }
  for (int i = 3; i >= 0; --i) {
    const Stop stop = session->run_back();
    EXPECT_EQ(stop.kind, Kind::breakpoint);
    EXPECT_EQ(session->time(), times[static_cast<std::size_t>(i)]);
  }
  EXPECT_EQ(session->run_back().kind, Kind::beginning);
}

TEST_P(GoingBack, StandsBeforeTheChangeThatAWatchpointSaw) {
  const auto session = started(normalize(arch, 150, 7), points);
  ASSERT_EQ(session->run().kind, Kind::ended);
  const std::uint64_t target = session->buffers()[1]->base + 4 * 10;
  points.add(Watchpoint{.watched = {.address = target, .bytes = 4}, .text = "out[10]"});
  EXPECT_EQ(session->run_back().kind, Kind::watchpoint);
  float value = 1;
  std::memcpy(&value, session->memory().find(target)->host + 40, sizeof(value));
  EXPECT_EQ(value, 0.0F) << "not stored yet";
  EXPECT_EQ(session->run().kind, Kind::watchpoint);
  std::memcpy(&value, session->memory().find(target)->host + 40, sizeof(value));
  EXPECT_NE(value, 0.0F);
}

INSTANTIATE_TEST_SUITE_P(OnBoth, GoingBack, testing::ValuesIn(isa::kArchitectures));

}  // namespace
}  // namespace rpl::debug
