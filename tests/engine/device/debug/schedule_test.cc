// SPDX-License-Identifier: MIT
#include "engine/device/debug/schedule.h"

#include "tests/engine/device/debug/debug_runs.h"

namespace rpl::debug {
namespace {

/// A launch whose waves are moved by hand: what they execute does not matter here.
class Schedules : public testing::Test {
 protected:
  const std::unique_ptr<Session> session = started(emu::reduce("gfx942", 100, 3), points);
  WaveId now(Schedule& schedule) { return id_of(*schedule.running()); }
  /// The running wave comes to a barrier, or to its end.
  void stop(Schedule& schedule, emu::Wave::State state) {
    schedule.running()->state = state;
    schedule.ran(1, false);
  }
  Points points;
};

TEST_F(Schedules, RunWavesFromBarrierToBarrierAndWorkgroupsInOrder) {
  Schedule schedule(session->prepared(), 2);
  for (std::uint32_t group = 0; group < 3; ++group) {
    for (int interval = 0; interval < 2; ++interval) {
      for (std::uint32_t wave = 0; wave < 4; ++wave) {
        EXPECT_EQ(now(schedule), (WaveId{group, wave}));
        stop(schedule, interval == 0 ? emu::Wave::State::at_barrier : emu::Wave::State::ended);
      }
    }
  }
  EXPECT_EQ(schedule.running(), nullptr);
  EXPECT_EQ(schedule.ended(), 3U);
}

TEST_F(Schedules, LetWavesTakeTurnsAndThenWorkgroups) {
  Schedule schedule(session->prepared(), 2);
  std::vector<WaveId> order;
  while (order.size() < 13) {
    if (order.empty() || !(order.back() == now(schedule))) order.push_back(now(schedule));
    schedule.ran(schedule.turn(), false);
  }
  for (std::uint32_t i = 0; i < 4; ++i)
    EXPECT_EQ(order[i], (WaveId{0, i})) << "one workgroup as long as it may get somewhere";
  EXPECT_EQ(order[8], (WaveId{1, 0})) << "then the next beside it";
  EXPECT_EQ(order[12], (WaveId{0, 0}));
  EXPECT_EQ(schedule.begun(), 2U) << "as many as fit";
  EXPECT_GT(schedule.fruitless_rounds(), 0U);
}

TEST_F(Schedules, LetOthersGoFirstWhenAWaveSleeps) {
  Schedule schedule(session->prepared(), 3);
  std::vector<WaveId> order;
  while (order.size() < 16) {
    order.push_back(now(schedule));
    schedule.ran(3, true);
  }
  for (std::uint32_t i = 0; i < 4; ++i) EXPECT_EQ(order[i], (WaveId{0, i}));
  EXPECT_EQ(order[8], (WaveId{1, 0})) << "one more after a round, twice as many after each";
  EXPECT_EQ(schedule.begun(), 3U);
}

TEST_F(Schedules, KnowThatWavesWaitForOthersThatNeverCome) {
  Schedule schedule(session->prepared(), 2);
  const auto wait = [&](std::uint32_t others) {
    emu::Wave& wave = *schedule.running();
    wave.counter = 5;
    wave.met_at_counter = schedule.wave_sync().met(5);
    if (!schedule.wave_sync().arrive(5, others)) wave.state = emu::Wave::State::at_grid_barrier;
    schedule.ran(1, false);
  };
  for (int i = 0; i < 3; ++i) wait(7);
  EXPECT_EQ(now(schedule), (WaveId{0, 3}));
  for (int i = 3; i < 7; ++i) wait(7);
  EXPECT_EQ(schedule.stuck(), nullptr) << "the eighth wave may come";
  wait(7);
  EXPECT_EQ(now(schedule), (WaveId{1, 3})) << "the last one goes on";
  schedule.running()->state = emu::Wave::State::ended;
  schedule.ran(1, false);
  EXPECT_EQ(now(schedule), (WaveId{0, 0})) << "and so do all";
  for (int i = 0; i < 7; ++i) wait(7);
  ASSERT_NE(schedule.stuck(), nullptr);
  EXPECT_EQ(id_of(*schedule.stuck()), (WaveId{0, 0}));
}

TEST_F(Schedules, AreValues) {
  Schedule schedule(session->prepared(), 1);
  schedule.ran(17, false);
  Schedule copy = schedule;
  stop(schedule, emu::Wave::State::ended);
  EXPECT_EQ(now(schedule), (WaveId{0, 1}));
  EXPECT_EQ(now(copy), (WaveId{0, 0}));
  EXPECT_GT(copy.bytes(), 4 * sizeof(emu::Wave));
  EXPECT_EQ(copy.find({2, 0}), nullptr);
  EXPECT_EQ(copy.find({0, 9}), nullptr);
}

TEST_F(Schedules, ShowTheClockAsItWasWhenTheTurnBegan) {
  Schedule schedule(session->prepared(), 1);
  schedule.ran(1000, false);
  EXPECT_EQ(schedule.clock(), 0U);
  schedule.ran(schedule.turn(), false);
  EXPECT_EQ(schedule.clock(), std::uint64_t{1} << 16);
  schedule.ran(5, false);
  stop(schedule, emu::Wave::State::ended);
  EXPECT_EQ(schedule.clock(), (std::uint64_t{1} << 16) + 6);
}

}  // namespace
}  // namespace rpl::debug
