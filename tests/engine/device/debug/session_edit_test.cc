// SPDX-License-Identifier: MIT
// Writing into a launch, ignoring hits, seeing loads, and going back by lines.
#include <cstring>

#include "tests/engine/device/debug/debug_runs.h"

namespace rpl::debug {
namespace {

using Kind = Stop::Kind;

class Editing : public Architectures {
 protected:
  static std::vector<std::byte> dword(std::uint32_t value) {
    std::vector<std::byte> bytes(sizeof(value));
    std::memcpy(bytes.data(), &value, sizeof(value));
    return bytes;
  }
  static Watched vector_register(const Session& session, unsigned number, unsigned lane) {
    return {.space = Watched::Space::registers,
            .wave = session.selected_wave,
            .name = {RegisterName::Kind::vector, number, 1},
            .lane = lane};
  }
};

TEST_P(Editing, IsTakenBackByGoingBackAndMadeAgainByGoingOn) {
  const auto session = started(normalize(arch, 150, 7), points);
  session->step_instructions(12);
  const State before = state_of(*session);
  ASSERT_TRUE(session->write(vector_register(*session, 3, 5), dword(77), "$v3 = 77"));
  const State edited = state_of(*session);
  EXPECT_FALSE(edited == before);
  EXPECT_EQ(edited.time, before.time) << "no instruction ran";
  ASSERT_EQ(session->edits().size(), 1U);
  session->step_instructions(4);
  session->step_back(4);
  EXPECT_TRUE(state_of(*session) == edited) << "the moment behind the edit has it";
  session->step_back(1);
  EXPECT_TRUE(session->edits().empty());
  session->step_instructions(1);
  EXPECT_TRUE(state_of(*session) == before) << "before it there is none";
}

TEST_P(Editing, MemoryChangesWhatTheKernelComputes) {
  const auto run = normalize(arch, 150, 7);
  const auto session = started(run, points);
  const emu::Region* in = session->buffers()[0];
  float two = 2;
  std::vector<std::byte> bytes(sizeof(two));
  std::memcpy(bytes.data(), &two, sizeof(two));
  ASSERT_TRUE(session->write({.address = in->base, .bytes = sizeof(two)}, bytes, "in[0] = 2"));
  EXPECT_EQ(session->run().kind, Kind::ended);
  EXPECT_FALSE(buffers_of(*session) == results_of(run));
  while (session->run_back().kind == Kind::breakpoint) {
  }
  EXPECT_EQ(session->edits().size(), 1U) << "it was made at the beginning";
}

TEST_P(Editing, RefusesWhatIsNotThere) {
  const auto session = started(normalize(arch, 150, 7), points);
  EXPECT_FALSE(session->write({.address = 16, .bytes = 4}, dword(1), "")) << "no memory";
  EXPECT_FALSE(session->write({.address = session->prepared().load_base, .bytes = 4}, dword(1), ""))
      << "code";
  EXPECT_FALSE(session->write(vector_register(*session, 0, 0), std::vector<std::byte>(3), ""))
      << "another size";
  Watched gone = vector_register(*session, 0, 0);
  gone.wave = {7, 7};
  EXPECT_FALSE(session->write(gone, dword(1), ""));
  EXPECT_TRUE(session->edits().empty());
}

TEST_P(Editing, LetsHitsPass) {
  const int number = break_at(points, "normalize");
  ASSERT_TRUE(points.set_ignore(number, 2));
  const auto session = started(normalize(arch, 150, 7), points);
  const Stop stop = session->run(true);
  EXPECT_EQ(stop.kind, Kind::breakpoint);
  EXPECT_EQ(points.breakpoints().at(number).hits, 3U) << "those that passed count";
  EXPECT_EQ(session->run_back().kind, Kind::breakpoint) << "going back ignores nothing";
}

TEST_P(Editing, SeesLoads) {
  const auto session = started(normalize(arch, 150, 7), points);
  const emu::Region* in = session->buffers()[0];
  points.add(Watchpoint{
      .watched = {.address = in->base + 4, .bytes = 4}, .text = "in[1]", .kind = WatchedFor::read});
  const Stop stop = session->run();
  ASSERT_EQ(stop.kind, Kind::watchpoint);
  EXPECT_EQ(stop.before, stop.after) << "it was read, and is as it was";
  const std::uint64_t time = session->time();
  session->step_back(1);
  const auto& op = session->program().ops[session->selected()->pc];
  EXPECT_TRUE(emu::touches_memory(op.kind));
  EXPECT_EQ(session->time(), time - 1);
}

TEST_P(Editing, GoesBackToTheBeginningOfALine) {
  const auto session = started(normalize(arch, 150, 7), points);
  if (session->lines().empty()) GTEST_SKIP() << "no source lines";
  break_at(points, "20");
  ASSERT_EQ(session->run().kind, Kind::breakpoint);
  const auto line = [&] {
    return session->lines()
        .chain(session->program().ops[session->selected()->pc].address)
        .front()
        .line;
  };
  const std::uint32_t here = line();
  const std::uint64_t time = session->time();
  ASSERT_EQ(session->step_line_back(false).kind, Kind::step);
  EXPECT_NE(line(), here);
  EXPECT_LT(session->time(), time);
  const std::uint32_t before = line();
  const std::uint64_t first = session->time();
  session->step_back(1);
  EXPECT_NE(line(), before) << "it stood at the first instruction of the line";
  EXPECT_LT(session->time(), first);
}

INSTANTIATE_TEST_SUITE_P(All, Editing, testing::Values("gfx90a", "gfx942"));

}  // namespace
}  // namespace rpl::debug
