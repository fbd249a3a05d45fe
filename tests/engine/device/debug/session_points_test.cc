// SPDX-License-Identifier: MIT
// Breakpoints with conditions, and watchpoints.
#include "tests/engine/device/debug/debug_runs.h"

namespace rpl::debug {
namespace {

using Kind = Stop::Kind;

class PointsInASession : public Architectures {
 protected:
  Watchpoint watch(std::string_view name, std::optional<unsigned> lane = {}) {
    return {.watched = {.space = Watched::Space::registers,
                        .wave = {0, 0},
                        .name = *parse_register(name),
                        .lane = lane},
            .text = std::string(name)};
  }
};

TEST_P(PointsInASession, StopWhereTheyAre) {
  const int number = break_at(points, "normalize.hip:23");
  const auto session = started(normalize(arch, 150, 7), points);
  const Stop stop = session->run(true);
  EXPECT_EQ(stop.kind, Kind::breakpoint);
  EXPECT_EQ(stop.numbers, std::vector{number});
  EXPECT_EQ(points.breakpoints().at(number).hits, 1U);
  const auto chain =
      session->lines().chain(session->program().ops[session->selected()->pc].address);
  ASSERT_FALSE(chain.empty());
  EXPECT_EQ(chain.front().line, 23U);
  EXPECT_TRUE(points.enable(number, false));
  EXPECT_EQ(session->run().kind, Kind::ended);
}

TEST_P(PointsInASession, StopOnceWhenTemporary) {
  points.add(Breakpoint{.place = *parse_place("normalize"), .temporary = true});
  const auto session = started(normalize(arch, 150, 7), points);
  EXPECT_EQ(session->run(true).kind, Kind::breakpoint);
  EXPECT_TRUE(points.breakpoints().empty());
  EXPECT_EQ(session->run().kind, Kind::ended);
}

TEST_P(PointsInASession, AskTheirConditionsAndSelectTheLane) {
  break_at(points, "normalize", "the second workgroup");
  const auto session = started(normalize(arch, 150, 7), points);
  int asked = 0;
  session->condition = [&](int number, const std::string& text) -> Result<Verdict> {
    EXPECT_EQ(number, 1);
    EXPECT_EQ(text, "the second workgroup");
    ++asked;
    return Verdict{session->selected_wave.workgroup == 1, 5U};
  };
  const Stop stop = session->run(true);
  EXPECT_EQ(stop.kind, Kind::breakpoint);
  EXPECT_EQ(stop.wave, (WaveId{1, 0}));
  EXPECT_EQ(session->selected_lane, 5U);
  EXPECT_EQ(asked, 3) << "two waves of the first workgroup, one of the second";
}

TEST_P(PointsInASession, StopWhereAConditionFails) {
  break_at(points, "normalize", "wrong");
  const auto session = started(normalize(arch, 150, 7), points);
  session->condition = [](int, const std::string&) -> Result<Verdict> {
    return fail(Errc::script, "no such name");
  };
  const Stop stop = session->run(true);
  EXPECT_EQ(stop.kind, Kind::breakpoint);
  ASSERT_TRUE(stop.error.has_value());
  EXPECT_EQ(stop.error->message, "no such name");
}

TEST_P(PointsInASession, WatchMemory) {
  const auto session = started(normalize(arch, 150, 7), points);
  const emu::Region* out = session->buffers()[1];
  points.add(Watchpoint{.watched = {.address = out->base + 4 * 700, .bytes = 8}, .text = "out"});
  const Stop first = session->run();
  EXPECT_EQ(first.kind, Kind::watchpoint);
  EXPECT_EQ(first.wave, (WaveId{0, 1})) << "row 100";
  EXPECT_EQ(first.before, std::vector<std::byte>(8));
  EXPECT_NE(first.after, first.before);
  EXPECT_EQ(session->run().kind, Kind::watchpoint) << "the other element";
  EXPECT_EQ(session->run().kind, Kind::ended);
}

TEST_P(PointsInASession, WatchRegistersOfOneWave) {
  const auto session = started(normalize(arch, 150, 7), points);
  const int number = points.add(watch("exec"));
  const Stop stop = session->run();
  if (stop.kind == Kind::watchpoint) {
    EXPECT_EQ(stop.wave, (WaveId{0, 0}));
    EXPECT_EQ(stop.before.size(), 8U);
  }
  EXPECT_TRUE(points.remove(number));
  points.add(watch("v0", 3));
  const auto fresh = started(normalize(arch, 150, 7), points);
  const Stop changed = fresh->run();
  ASSERT_EQ(changed.kind, Kind::watchpoint);
  EXPECT_EQ(changed.after.size(), 4U);
  EXPECT_NE(changed.after, changed.before);
}

TEST_P(PointsInASession, WatchLocalMemory) {
  const auto session = started(emu::reduce(arch, 3001, 2), points);
  points.add(Watchpoint{
      .watched =
          {.space = Watched::Space::lds, .address = 4, .bytes = 4, .wave = {1, 0}, .name = {}},
      .text = "local#4"});
  const Stop stop = session->run();
  ASSERT_EQ(stop.kind, Kind::watchpoint);
  EXPECT_EQ(stop.wave, (WaveId{1, 1})) << "each wave stores its sum";
}

TEST_P(PointsInASession, ThatMeanNothingHereWait) {
  break_at(points, "another_kernel");
  break_at(points, "elsewhere.hip:10");
  const auto session = started(normalize(arch, 150, 7), points);
  EXPECT_EQ(session->run(true).kind, Kind::ended);
}

INSTANTIATE_TEST_SUITE_P(OnBoth, PointsInASession, testing::ValuesIn(isa::kArchitectures));

}  // namespace
}  // namespace rpl::debug
