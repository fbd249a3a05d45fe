// SPDX-License-Identifier: MIT
// Captures in scripts: their regions, and memory as numbers.
#include "tests/shell/lua/script_fixture.h"

namespace rpl {
namespace {

using ::testing::HasSubstr;
using testing_support::ScriptTest;

class CaptureInLua : public ScriptTest {
 protected:
  void SetUp() override {
    ScriptTest::SetUp();
    run(std::string("capture open ") + RPL_EXAMPLES_DIR + "/captures/softmax");
  }
};

TEST_F(CaptureInLua, IsTheCurrentOne) {
  EXPECT_EQ(lua("rpl.capture.id"), "c1");
  EXPECT_EQ(lua("rpl.capture.kernel"), "softmax");
  EXPECT_EQ(lua("#rpl.captures"), "1");
  EXPECT_EQ(lua("rpl.captures[1] == rpl.capture"), "true");
  EXPECT_EQ(lua("rpl.capture:info().grid[1]"), "128");
  run("close c1");
  EXPECT_EQ(lua("rpl.capture"), "nil");
}

TEST_F(CaptureInLua, HasMemoryByRegion) {
  EXPECT_EQ(lua("#rpl.capture.regions"), "2");
  EXPECT_EQ(lua("tostring(rpl.capture.regions[2])"), "argument 2: 32768 bytes at 0x7f0000018000");
  EXPECT_EQ(lua("rpl.capture.regions[1].changed"), "false");
  EXPECT_EQ(lua("rpl.capture.regions[2].changed"), "true");
  // The rows of a softmax add up to one.
  EXPECT_EQ(lua("(function() local sum = 0 for _, v in ipairs(rpl.capture.regions[2]:after(0, "
                "'f32', 64)) do sum = sum + v end return string.format('%.4f', sum) end)()"),
            "1.0000");
  EXPECT_EQ(lua("rpl.capture.regions[2]:before(0, 'u16')"),
            lua("rpl.capture:before(rpl.capture.regions[2].base, 'u16')"));
}

TEST_F(CaptureInLua, ReadsTypesAndLists) {
  EXPECT_EQ(lua("rpl.capture:after(0x7f0000018000, 'f32')"),
            lua("rpl.capture:after(0x7f0000018000, 'f32', 2)[1]"));
  EXPECT_EQ(lua("rpl.capture:before(0x7f0000000000, 'i32') & 0xff"),
            lua("rpl.capture:before(0x7f0000000000, 'u8')"));
  EXPECT_EQ(lua("#rpl.capture:before(0x7f0000000000, 'u8', 0)"), "0");
}

TEST_F(CaptureInLua, RefusesWhatItDoesNotHold) {
  EXPECT_THAT(lua("rpl.capture:before(4096, 'u8')"), HasSubstr("cannot read 1 bytes at 0x1000"));
  EXPECT_THAT(lua("rpl.capture.regions[1]:before(32765, 'u32')"), HasSubstr("cannot read 4 bytes"));
  EXPECT_THAT(lua("rpl.capture.regions[1]:before(-1, 'u32')"),
              HasSubstr("an offset in the region"));
  EXPECT_THAT(lua("rpl.capture.regions[1]:before(0, 'u32', 1 << 40)"),
              HasSubstr("how many values"));
  EXPECT_THAT(lua("rpl.capture.regions[1]:before(0, 'u33')"), HasSubstr("u33"));
}

}  // namespace
}  // namespace rpl
