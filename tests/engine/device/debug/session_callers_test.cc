// SPDX-License-Identifier: MIT
// What the functions that called had in their registers, and what a wave loaded of its arguments.
#include "tests/engine/device/debug/debug_runs.h"

namespace rpl::debug {
namespace {

using Kind = Stop::Kind;

/// Rows of six, in two workgroups: rows_of() calls chosen() and then blend(), which calls sum_of() twice.
emu::KernelRun calls(const std::string& arch) {
  emu::KernelRun run;
  run.object = isa::object_at(
      fmt::format("{}/../../tests/engine/isa/kernels/objects/calls.{}.co", RPL_EXAMPLES, arch));
  run.grid = {128, 1, 1};
  run.workgroup = {64, 1, 1};
  run.arguments = {emu::floats(1024, emu::Fill::Kind::iota), emu::floats(128), emu::number(100),
                   emu::number(6)};
  return run;
}

class Callers : public testing::TestWithParam<const char*> {
 protected:
  Points points;
};

TEST_P(Callers, AreTheWaveInFrontOfEachCall) {
  const auto session = started(calls(GetParam()), points);
  ASSERT_NE(session, nullptr);
  std::vector<std::vector<emu::Wave>> in_front;  // by depth, of the wave's calls so far
  std::vector<emu::Wave> stack;
  for (int step = 0; step < 150; ++step) {
    const emu::Wave before = *session->selected();
    ASSERT_EQ(session->step_instructions(1).kind, Kind::step);
    const std::size_t depth = session->selected()->calls.size();
    if (depth > before.calls.size()) stack.push_back(before);
    stack.resize(depth, before);
    const State stands = state_of(*session);
    const auto callers = session->callers();
    EXPECT_TRUE(state_of(*session) == stands) << "asking moves nothing";
    ASSERT_EQ(callers.size(), depth);
    for (std::size_t i = 0; i < depth; ++i) {
      const emu::Wave& expected = stack[depth - 1 - i];
      ASSERT_NE(callers[i].wave, nullptr);
      EXPECT_EQ(callers[i].wave->pc, expected.pc);
      EXPECT_EQ(callers[i].wave->sgprs, expected.sgprs);
      EXPECT_TRUE(
          std::ranges::equal(callers[i].wave->vgprs, expected.vgprs,
                             [](const auto& a, const auto& b) { return a.lane == b.lane; }));
    }
  }
}

TEST_P(Callers, KnowNothingOfARegisterThatWasWrittenTo) {
  const auto session = started(calls(GetParam()), points);
  break_at(points, "sum_of");
  ASSERT_EQ(session->run().kind, Kind::breakpoint);
  session->step_instructions(1);
  const RegisterName written{RegisterName::Kind::vector, 5, 1};
  const RegisterName other{RegisterName::Kind::vector, 6, 1};
  const std::uint32_t five = 5;
  ASSERT_TRUE(session->write({.space = Watched::Space::registers,
                              .wave = session->selected_wave,
                              .name = written,
                              .lane = 0},
                             std::as_bytes(std::span(&five, 1)), "$v5 = 5"));
  const auto callers = session->callers();
  ASSERT_EQ(callers.size(), 2U);
  EXPECT_TRUE(written_since(session->edits(), callers[0], written));
  EXPECT_TRUE(written_since(session->edits(), callers[1], written));
  EXPECT_FALSE(written_since(session->edits(), callers[0], other));
}

TEST_P(Callers, ABreakpointAtAFunctionStandsBehindWhatSavesRegisters) {
  const auto session = started(calls(GetParam()), points);
  const auto at = [&](const char* text) {
    return session->program().ops[session->find(*parse_place(text))->front()].address;
  };
  EXPECT_GT(at("blend"), at("blend+0"));
  EXPECT_EQ(session->lines().chain(at("blend")).front().line, 18U) << "its first statement";
  EXPECT_EQ(session->lines().chain(at("blend+0")).front().line, 17U);
  EXPECT_EQ(at("blend+4"), at("blend+0") + 4);
}

TEST_P(Callers, AnArgumentThatIsWrittenIsLoadedFromThenOn) {
  const auto session = started(calls(GetParam()), points);
  // Rows 0 and 1 alone: the argument behind two pointers.
  const std::uint32_t two = 2;
  const Watched rows{.space = Watched::Space::memory,
                     .address = session->prepared().kernarg + 16,
                     .bytes = sizeof(two)};
  EXPECT_EQ(session->last_load(rows), std::nullopt);
  ASSERT_TRUE(session->write(rows, std::as_bytes(std::span(&two, 1)), "rows = 2"));
  break_at(points, "blend");
  ASSERT_EQ(session->run().kind, Kind::breakpoint);
  EXPECT_EQ(session->selected()->exec(), 3U);
  const auto load = session->last_load(rows);
  ASSERT_TRUE(load.has_value());
  EXPECT_EQ(session->program().ops[*load].kind, isa::Class::smem);
  // Back to before it was written, and on again.
  session->step_back(10);
  session->step_instructions(10);
  EXPECT_EQ(session->selected()->exec(), 3U);
}

INSTANTIATE_TEST_SUITE_P(Architectures, Callers, testing::ValuesIn(isa::kArchitectures));

}  // namespace
}  // namespace rpl::debug
