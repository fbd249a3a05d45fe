// SPDX-License-Identifier: MIT
#include "engine/att/read/wait_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rpl::att {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Lists = std::vector<std::vector<int>>;

/// What the waits of a program waited for; instructions are numbered from 0.
Lists lists_of(const std::vector<std::string>& program, int gfxip = 9) {
  WaitState state;
  Lists lists;
  std::uint32_t at = 0;
  for (const std::string& text : program) {
    state.run(counter_steps(text, gfxip), {at, static_cast<std::int32_t>(at), 0},
              [&](Counter, std::span<const Outstanding> done) {
                std::vector<int> list;
                for (const Outstanding& one : done) list.push_back(one.line);
                lists.push_back(list);
              });
    ++at;
  }
  return lists;
}

TEST(WaitModel, LoadsRetireInOrder) {
  EXPECT_EQ(lists_of({"buffer_load_dword v0", "global_load_dword v1", "tbuffer_load_format_x v2",
                      "s_waitcnt vmcnt(1)", "s_waitcnt vmcnt(0)"}),
            (Lists{{0, 1}, {2}}));
}

TEST(WaitModel, ScalarLoadsComeInAnyOrder) {
  EXPECT_EQ(lists_of({"s_load_dword s0", "s_load_dword s1", "s_waitcnt lgkmcnt(1)",
                      "s_waitcnt lgkmcnt(0)"}),
            (Lists{{0, 1}}));
  EXPECT_EQ(lists_of({"s_load_dword s0", "s_waitcnt lgkmcnt(0)", "ds_read_b32 v0", "ds_read_b32 v1",
                      "s_waitcnt lgkmcnt(1)"}),
            (Lists{{0}, {2}}));
}

TEST(WaitModel, OneWaitMayNameTwoCounters) {
  EXPECT_EQ(lists_of({"ds_read_b32 v0", "buffer_load_dword v1", "s_waitcnt vmcnt(0) lgkmcnt(0)"}),
            (Lists{{0}, {1}}));
  EXPECT_EQ(waited_counters("s_waitcnt vmcnt(0) lgkmcnt(0)"), "lgkmcnt+vmcnt");
  EXPECT_EQ(waited_counters("s_waitcnt lgkmcnt(0)"), "lgkmcnt")
      << "which ends with the name of another counter";
  EXPECT_EQ(waited_counters("s_wait_idle"), "other");
}

TEST(WaitModel, FlatInstructionsAreOnBothCounters) {
  EXPECT_EQ(lists_of({"flat_load_dword v0", "buffer_load_dword v1", "s_waitcnt vmcnt(1)",
                      "s_waitcnt vmcnt(0)"}),
            (Lists{{0, 1}}));
  EXPECT_EQ(lists_of({"flat_load_dword v0", "s_waitcnt lgkmcnt(0)", "s_waitcnt vmcnt(0)"}),
            (Lists{{0}}));
}

TEST(WaitModel, NothingOutstandingIsNoList) {
  EXPECT_THAT(lists_of({"s_waitcnt vmcnt(0)", "v_add_f32 v0", "s_waitcnt lgkmcnt(0)"}), IsEmpty());
}

TEST(WaitModel, LaterArchitecturesSplitTheCounters) {
  EXPECT_EQ(lists_of({"global_store_b32 v0", "global_load_b32 v1", "s_waitcnt_vscnt null, 0x0",
                      "s_waitcnt vmcnt(0)"},
                     11),
            (Lists{{0}, {1}}));
  EXPECT_EQ(lists_of({"global_load_b32 v0", "ds_load_b32 v1", "s_load_b32 s0", "s_wait_kmcnt 0x0",
                      "s_wait_loadcnt 0x0", "s_wait_dscnt 0x0"},
                     12),
            (Lists{{2}, {0}, {1}}));
  EXPECT_EQ(lists_of({"global_load_b32 v0", "global_load_b32 v1", "ds_load_b32 v2",
                      "s_wait_loadcnt_dscnt 0x100"},
                     12),
            (Lists{{2}, {0}}));
}

TEST(WaitModel, ADamagedTraceDoesNotGrowForEver) {
  WaitState state;
  const CounterSteps load = counter_steps("buffer_load_dword v0", 9);
  const auto never = [](Counter, std::span<const Outstanding>) { FAIL(); };
  for (std::uint32_t i = 0; i < 100'000; ++i)
    state.run(load, {i, static_cast<std::int32_t>(i), 0}, never);
  std::size_t retired = 0;
  state.run(counter_steps("s_waitcnt vmcnt(0)", 9), {},
            [&](Counter, std::span<const Outstanding> done) { retired = done.size(); });
  EXPECT_EQ(retired, 4096);
}

}  // namespace
}  // namespace rpl::att
