// SPDX-License-Identifier: MIT
// How far each way of stepping goes.
#include "tests/engine/device/debug/debug_runs.h"

namespace rpl::debug {
namespace {

using Kind = Stop::Kind;

class Stepping : public Architectures {
 protected:
  std::vector<isa::SourcePlace> chain(const Session& session) {
    return session.lines().chain(session.program().ops[session.selected()->pc].address);
  }
};

TEST_P(Stepping, GoesToAnotherLine) {
  const auto session = started(normalize(arch, 150, 7), points);
  std::uint32_t line = chain(*session).front().line;
  for (int i = 0; i < 10; ++i) {
    ASSERT_EQ(session->step_line(false).kind, Kind::step);
    EXPECT_NE(chain(*session).front().line, line);
    line = chain(*session).front().line;
  }
}

TEST_P(Stepping, NextStaysOutOfWhatWasInlined) {
  const auto session = started(normalize(arch, 150, 7), points);
  // The kernel begins within what blockIdx.x is made of.
  while (chain(*session).size() > 1) ASSERT_EQ(session->step_line(true).kind, Kind::step);
  for (int i = 0; i < 40; ++i) {
    if (session->step_line(true).kind != Kind::step) break;
    EXPECT_EQ(chain(*session).size(), 1U) << isa::place_text(chain(*session));
  }
}

TEST_P(Stepping, FinishLeavesWhatWasInlined) {
  break_at(points, "normalize.hip:8");
  const auto session = started(normalize(arch, 150, 7), points);
  ASSERT_EQ(session->run(true).kind, Kind::breakpoint);
  ASSERT_EQ(chain(*session).size(), 2U);
  points.clear();
  EXPECT_EQ(session->finish().kind, Kind::step);
  EXPECT_EQ(chain(*session).size(), 1U);
  EXPECT_EQ(session->finish().kind, Kind::wave_ended)
      << "from the kernel itself the wave runs to its end";
  EXPECT_EQ(session->selected_wave, (WaveId{0, 1})) << "and the next one is selected";
}

TEST_P(Stepping, UntilLeavesLoops) {
  break_at(points, "normalize.hip:8");
  const auto session = started(normalize(arch, 150, 7), points);
  ASSERT_EQ(session->run(true).kind, Kind::breakpoint);
  points.clear();
  const std::uint32_t pc = session->selected()->pc;
  EXPECT_EQ(session->until_later_line().kind, Kind::step);
  EXPECT_GT(session->selected()->pc, pc);
  const auto ops = session->find(*parse_place("normalize.hip:23"));
  ASSERT_TRUE(ops.has_value());
  EXPECT_EQ(session->until(*ops).kind, Kind::step);
  EXPECT_EQ(chain(*session).front().line, 23U);
}

TEST_P(Stepping, OneWaveThroughABarrierMovesTheOthers) {
  const auto session = started(emu::reduce(arch, 3001, 2), points);
  const auto waits = [&] { return session->selected()->state == emu::Wave::State::at_barrier; };
  for (int i = 0; i < 100'000 && !waits(); ++i)
    ASSERT_EQ(session->step_instructions(1).kind, Kind::step);
  ASSERT_TRUE(waits());
  const std::uint64_t time = session->time();
  EXPECT_EQ(session->step_instructions(1).kind, Kind::step);
  EXPECT_EQ(session->selected_wave, (WaveId{0, 0}));
  EXPECT_FALSE(waits());
  EXPECT_GT(session->time(), time + 100) << "three other waves came to the barrier first";
}

TEST_P(Stepping, AWaveThatHasNotBegunStartsWhenItsTurnComes) {
  const auto session = started(normalize(arch, 150, 7), points);
  session->selected_wave = {0, 1};
  EXPECT_EQ(session->step_instructions(2).kind, Kind::step);
  EXPECT_EQ(session->selected_wave, (WaveId{0, 1}));
  EXPECT_EQ(session->wave({0, 0})->state, emu::Wave::State::ended);
}

INSTANTIATE_TEST_SUITE_P(OnBoth, Stepping, testing::ValuesIn(isa::kArchitectures));

}  // namespace
}  // namespace rpl::debug
