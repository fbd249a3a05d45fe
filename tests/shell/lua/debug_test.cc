// SPDX-License-Identifier: MIT
// The stopped kernel as scripts see it.
#include "shell/core/session/context.h"
#include "shell/core/session/script_host.h"
#include "tests/shell/lua/script_fixture.h"

namespace rpl {
namespace {

using ::testing::HasSubstr;

/// A kernel stopped in its loop: rows of five numbers, 0 1 2 …, so that lane n begins with 5 n.
class DebuggedKernel : public testing_support::ScriptTest {
 protected:
  void SetUp() override {
    ScriptTest::SetUp();
    ASSERT_EQ(run("break normalize.hip:8 if wave == 1"), 0) << err;
    ASSERT_EQ(run("kernel run " RPL_EXAMPLES_DIR
                  "/hip/objects/normalize.gfx942.co --grid 256 --workgroup 128 --arg f32:iota:1000 "
                  "--arg f32:zero:1000 --arg i32:200 --arg i32:5"),
              0)
        << err;
    ASSERT_THAT(out, HasSubstr("Breakpoint 1"));
    ASSERT_EQ(run("stepi 2"), 0) << err;
  }
};

TEST_F(DebuggedKernel, HasWavesLanesAndRegisters) {
  EXPECT_EQ(lua("rpl.debug.stopped"), "true");
  EXPECT_EQ(lua("rpl.debug.kernel"), "normalize");
  EXPECT_EQ(lua("rpl.debug.wave.id, rpl.debug.wave.workgroup"), lua("1, 0"));
  EXPECT_EQ(lua("tostring(rpl.debug.wave)"), "wave 1 of workgroup 0");
  EXPECT_EQ(lua("#rpl.debug.waves"), "2");
  EXPECT_EQ(lua("rpl.debug.waves[2] == rpl.debug.wave"), "true");
  EXPECT_EQ(lua("rpl.debug.waves[1].state"), "ended");
  EXPECT_EQ(lua("rpl.debug.wave.exec == -1 and #rpl.debug.wave.lanes == 64"), "true");
  // v7 has just been loaded: wave 1 begins with row 64.
  EXPECT_EQ(lua("rpl.debug.wave:v(7):f32(3)"), lua("5.0 * 67"));
  EXPECT_EQ(lua("rpl.debug.wave:lane(3):f32(7)"), lua("5.0 * 67"));
  EXPECT_EQ(lua("rpl.debug.wave:v(7)[3] == rpl.debug.wave:v(7):u32(3)"), "true");
  EXPECT_EQ(lua("rpl.debug.wave:v(7):totable()[4] == rpl.debug.wave:v(7)[3]"), "true");
  EXPECT_EQ(lua("rpl.debug.wave:lane(9).active"), "true");
  EXPECT_EQ(lua("rpl.debug.wave:s(5)"), "5") << "columns";
  EXPECT_THAT(lua("rpl.debug.wave.place"), HasSubstr("normalize.hip:"));
  EXPECT_THAT(lua("rpl.debug.wave.instruction"), HasSubstr("v_lshl_add_u64"));
}

TEST_F(DebuggedKernel, HasMemory) {
  EXPECT_EQ(lua("rpl.debug.mem:f32(rpl.debug.arg(1) + 4 * 17)"), lua("17.0"));
  EXPECT_EQ(lua("rpl.debug.mem.u8(rpl.debug.arg(1) + 4 * 17 + 3)"), "65");
  EXPECT_THAT(lua("rpl.debug.mem:f32(8)"), HasSubstr("cannot read 4 bytes at 0x8"));
  EXPECT_THAT(lua("rpl.debug.lds:f32(0)"), HasSubstr("local#0x0"));
}

TEST_F(DebuggedKernel, RefusesWhatIsNotThere) {
  EXPECT_THAT(lua("rpl.debug.wave:v(200)"), HasSubstr("has no v200"));
  EXPECT_THAT(lua("rpl.debug.wave:lane(64)"), HasSubstr("lanes are 0 to 63"));
  EXPECT_THAT(lua("rpl.debug.arg(3)"), HasSubstr("not a buffer"));
  EXPECT_EQ(run("kill"), 0);
  EXPECT_EQ(lua("rpl.debug.stopped"), "false");
  EXPECT_THAT(lua("rpl.debug.waves"), HasSubstr("no kernel is stopped"));
}

TEST_F(DebuggedKernel, IsBehindConvenienceVariables) {
  EXPECT_EQ(lua("$v7_f32"), lua("5.0 * (64 + $lane)"));
  EXPECT_EQ(lua("$s5"), "5");
  EXPECT_EQ(lua("$exec == -1 or $exec"), lua("$exec == -1 or $exec"));
  EXPECT_EQ(lua("$wave, $workgroup"), lua("1, 0"));
  EXPECT_EQ(lua("$arg1 == rpl.debug.arg(1)"), "true");
  EXPECT_EQ(lua("$s[4:5] == 5 << 32 | 200"), "true");
  EXPECT_THAT(lua("$v300"), HasSubstr("no variable"));
  EXPECT_EQ(run("lane 40"), 0);
  EXPECT_EQ(lua("$v7_f32"), lua("5.0 * 104"));
}

TEST_F(DebuggedKernel, AnswersConditions) {
  const auto holds = [&](const char* text) {
    const auto condition = context.scripts().condition(text);
    EXPECT_TRUE(condition.has_value()) << text;
    const auto result = (*condition)();
    EXPECT_TRUE(result.has_value()) << text << ": " << result.error().message;
    return result && *result;
  };
  EXPECT_TRUE(holds("wave == 1 and workgroup == 0"));
  EXPECT_TRUE(holds("f32(v(7)) == 5 * (64 + lane)"));
  EXPECT_TRUE(holds("f32(v(7, 9)) == 5 * 73"));
  EXPECT_TRUE(holds("s(5) == 5 and s64(4) == $s[4:5]"));
  EXPECT_TRUE(holds("mem.f32(arg(1) + 4) == 1"));
  EXPECT_TRUE(holds("isnan(0/0) and not isnan(1)"));
  EXPECT_TRUE(holds("math.max(1, 2) == 2")) << "globals too";
  EXPECT_FALSE(holds("scc == 7"));
  EXPECT_FALSE(context.scripts().condition("lane ==").has_value());
  EXPECT_FALSE((*context.scripts().condition("no_such_name > 3"))().has_value());
}

TEST_F(DebuggedKernel, IsMovedByCommands) {
  EXPECT_EQ(lua("rpl.cmd.stepi{3}.stop"), "step");
  EXPECT_EQ(lua("rpl.cmd.reverse_stepi{3}.executed + 3 == rpl.cmd.stepi{3}.executed"), "true");
  EXPECT_EQ(lua("rpl.cmd.x{'$arg1', format='2f'}.rows[1].values[2]"), "1");
  EXPECT_EQ(lua("rpl.cmd.break_{'normalize.hip:23'}.number"), "2");
  EXPECT_EQ(lua("rpl.cmd.continue{}.stop"), "breakpoint");
}

}  // namespace
}  // namespace rpl
