// SPDX-License-Identifier: MIT
#include "engine/regress/machine_code.h"

#include <gtest/gtest.h>

namespace rpl::regress {
namespace {

constexpr const char* kSelected =
    R"(*** IR Dump After Instruction Selection (amdgpu-isel) on scale ***
# Machine code for function scale: IsSSA, TracksLiveness
Function Live Ins: $vgpr0 in %0

bb.0 (%ir-block.0):
  liveins: $vgpr0
  %0:vgpr_32 = COPY $vgpr0
  %1:vgpr_32 = nofpexcept V_ADD_F32_e32 %0:vgpr_32, %0:vgpr_32, implicit $mode
  %2:vgpr_32, %3:sreg_64 = V_ADD_CO_U32_e64 %0:vgpr_32, %1:vgpr_32, 0
  GLOBAL_STORE_DWORD killed %2:vreg_64, %1:vgpr_32, 0, 0 :: (store (s32) into %ir.1)
  S_ENDPGM 0

# End machine code for function scale.

)";
constexpr const char* kScheduled =
    R"(*** IR Dump After Machine Instruction Scheduler (machine-scheduler) on scale ***
# Machine code for function scale: NoPHIs

0B	bb.0 (%ir-block.0):
	  liveins: $vgpr0
16B	  %1:vgpr_32 = nofpexcept V_ADD_F32_e64 %0:vgpr_32, %0:vgpr_32, implicit $mode
32B	  renamable %2:vgpr_32 = V_MUL_F32_e32 %0:vgpr_32, %1:vgpr_32
48B	  S_ENDPGM 0

# End machine code for function scale.
)";

TEST(MachineCode, CountsTheInstructionsAfterEachPass) {
  const auto read = read_snapshots(std::string(kSelected) + kScheduled);
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0].pass, "amdgpu-isel");
  // Copies are no instructions yet.
  EXPECT_EQ(read[0].instructions, 4U);
  EXPECT_EQ(read[0].opcodes.at("V_ADD_F32"), 1U);
  EXPECT_EQ(read[1].pass, "machine-scheduler");
  EXPECT_EQ(read[1].instructions, 3U);
}

TEST(MachineCode, ComparesAfterThePassesThatBothHave) {
  const std::vector<Snapshot> a{{"isel", {{"S_ADD", 2}}, 2},
                                {"fold", {{"S_ADD", 1}}, 1},
                                {"only-a", {{"S_ADD", 1}}, 1},
                                {"sched", {{"S_ADD", 1}}, 1}};
  const std::vector<Snapshot> b{{"isel", {{"S_ADD", 2}}, 2},
                                {"fold", {{"S_ADD", 2}}, 2},
                                {"sched", {{"S_ADD", 2}, {"S_NOP", 4}}, 6}};
  const auto steps = compare_snapshots(a, b);
  ASSERT_EQ(steps.size(), 3U);
  EXPECT_EQ(steps[0].apart, 0U);
  EXPECT_EQ(steps[1].apart, 1U);
  EXPECT_EQ(steps[2].apart, 5U);
  EXPECT_EQ(widest_step(steps)->pass, "sched");
  EXPECT_EQ(widest_step({}), nullptr);
}

TEST(MachineCode, TakesAnythingThatAProgramPrints) {
  EXPECT_TRUE(read_snapshots("").empty());
  EXPECT_TRUE(
      read_snapshots("*** IR Dump After (((\n = \n  = , \n*** IR Dump After ) on (").empty());
}

}  // namespace
}  // namespace rpl::regress
