// SPDX-License-Identifier: MIT
#include "engine/device/debug/session.h"

#include "tests/engine/device/debug/debug_runs.h"

namespace rpl::debug {
namespace {

using Kind = Stop::Kind;

class Sessions : public Architectures {};

TEST_P(Sessions, StopsInFrontOfTheFirstInstruction) {
  const auto session = started(normalize(arch, 150, 7), points);
  ASSERT_NE(session->selected(), nullptr);
  EXPECT_EQ(session->time(), 0U);
  EXPECT_EQ(session->selected()->pc, session->program().entry);
  EXPECT_EQ(session->selected_wave, (WaveId{0, 0}));
  EXPECT_EQ(session->selected_lane, 0U);
}

TEST_P(Sessions, RunsToTheSameMemoryAsExecuting) {
  for (const auto& [name, run] : small_runs(arch)) {
    SCOPED_TRACE(name);
    const auto session = started(run, points);
    EXPECT_EQ(session->run().kind, Kind::ended);
    EXPECT_TRUE(session->ended());
    EXPECT_EQ(buffers_of(*session), results_of(run));
    EXPECT_EQ(session->time(), emu::run_ok(run).executed.counts.instructions);
    EXPECT_EQ(session->run().kind, Kind::ended) << "again";
  }
}

TEST_P(Sessions, SteppedToTheSameMemoryAsExecuting) {
  for (const auto& [name, run] : small_runs(arch)) {
    SCOPED_TRACE(name);
    const auto session = started(run, points);
    std::uint64_t steps = 0;
    while (session->step_instructions(1).kind != Kind::ended && steps < 1'000'000) ++steps;
    EXPECT_TRUE(session->ended());
    EXPECT_EQ(buffers_of(*session), results_of(run));
  }
}

TEST_P(Sessions, ComputeTheSameWithBreakpointsAnywhere) {
  for (const auto& [name, run] : small_runs(arch)) {
    SCOPED_TRACE(name);
    const auto wanted = results_of(run);
    Points own;
    const auto session = started(run, own);
    std::uint32_t random = 1;
    for (int i = 0; i < 5; ++i) {
      random = random * 1664525 + 1013904223;
      const std::size_t op = (random >> 8) % session->program().ops.size();
      own.add(Breakpoint{
          .place = {.kind = Place::Kind::address, .address = session->program().ops[op].address}});
    }
    break_at(own, "*+0");
    int stops = 0;
    while (session->run(stops == 0).kind == Kind::breakpoint && stops < 1'000'000) ++stops;
    EXPECT_GT(stops, 0);
    EXPECT_TRUE(session->ended());
    EXPECT_EQ(buffers_of(*session), wanted);
  }
}

TEST_P(Sessions, SayWhichRegistersChanged) {
  const auto session = started(normalize(arch, 150, 7), points);
  EXPECT_TRUE(session->changed().empty());
  // The kernel begins with loads of its arguments to scalar registers.
  session->step_instructions(1);
  ASSERT_FALSE(session->changed().empty());
  EXPECT_EQ(session->changed().front().name.kind, RegisterName::Kind::scalar);
}

TEST_P(Sessions, StopAtAFaultAndStayThere) {
  emu::KernelRun run = normalize(arch, 150, 7);
  run.arguments[1] = emu::floats(100);
  const auto session = started(run, points);
  const Stop stop = session->run();
  EXPECT_EQ(stop.kind, Kind::fault);
  ASSERT_TRUE(stop.error.has_value());
  EXPECT_NE(stop.error->message.find("argument 2"), std::string::npos) << stop.error->message;
  ASSERT_NE(session->selected(), nullptr);
  const std::string at = isa::disassemble(
      session->program().arch, *session->program().ops[session->selected()->pc].instruction);
  EXPECT_NE(at.find("store"), std::string::npos)
      << "the pc is that of the instruction that faulted: " << at;
  const std::uint64_t time = session->time();
  EXPECT_EQ(session->run().kind, Kind::fault);
  EXPECT_EQ(session->time(), time);
  EXPECT_EQ(session->step_back(1).kind, Kind::step) << "but back it goes";
  EXPECT_EQ(session->time(), time - 1);
  EXPECT_EQ(session->step_instructions(2).kind, Kind::fault) << "and forward into the same fault";
}

emu::KernelRun concurrent(const std::string& arch, const std::string& kernel, std::uint32_t items,
                          std::vector<emu::Argument> arguments) {
  emu::KernelRun run;
  run.object = isa::test_object("concurrent", arch);
  run.kernel = kernel;
  run.grid = {items, 1, 1};
  run.workgroup = {128, 1, 1};
  run.arguments = std::move(arguments);
  return run;
}

TEST_P(Sessions, LetWavesWaitForEachOther) {
  emu::KernelRun run = concurrent(arch, "grid_barrier", 4096, {emu::words(1), emu::words(4096)});
  run.workgroup = {256, 1, 1};
  const auto session = started(run, points);
  EXPECT_EQ(session->run().kind, Kind::ended);
  EXPECT_EQ(buffers_of(*session), results_of(run));
}

TEST_P(Sessions, ProveThatNothingGoesOn) {
  const auto session =
      started(concurrent(arch, "lock_order", 128, {emu::words(3), emu::words(2)}), points);
  const Stop stop = session->run();
  EXPECT_EQ(stop.kind, Kind::fault);
  ASSERT_TRUE(stop.error.has_value());
  EXPECT_NE(stop.error->message.find("never ends"), std::string::npos) << stop.error->message;
  EXPECT_NE(session->selected(), nullptr);
}

TEST_P(Sessions, RefuseWhatCannotBeLaunched) {
  emu::KernelRun run = normalize(arch, 150, 7);
  run.workgroup = {2048, 1, 1};
  EXPECT_FALSE(Session::start(run, points).has_value());
}

INSTANTIATE_TEST_SUITE_P(OnBoth, Sessions, testing::ValuesIn(isa::kArchitectures));

}  // namespace
}  // namespace rpl::debug
