// SPDX-License-Identifier: MIT
// s_cbranch_g_fork, s_cbranch_i_fork, s_cbranch_join and s_setvskip, as the ISA documents of Vega and MI200 describe them.
#include <numeric>

#include "tests/engine/device/execute/one_instruction.h"

namespace rpl::emu {
namespace {

class Forks : public testing::Test {
 protected:
  static constexpr std::uint32_t kWords = 32;
  Forks() {
    one.program.index_of.resize(kWords);
    std::iota(one.program.index_of.begin(), one.program.index_of.end(), 0U);
    one.wave.pc = 1;  // what follows the fork, which lies at address 0
    one.wave.sgprs[9] = 0;
  }
  // Lanes of `mask` to the address in s[6:7].
  bool fork(std::uint64_t mask, std::uint64_t target) {
    one.wave.set_pair(20, mask);
    one.wave.set_pair(22, target);
    const std::uint32_t words[] = {0x94801614};  // s_cbranch_g_fork s[20:21], s[22:23]
    return one.run(words);
  }
  bool join() {
    const std::uint32_t words[] = {0xbe802e09};  // s_cbranch_join s9
    return one.run(words);
  }
  OneInstruction one{isa::Arch::gfx90a};
};

TEST_F(Forks, TheSmallerPartGoesFirstAndTheOtherAtTheJoin) {
  ASSERT_TRUE(fork(0xff, 40));
  EXPECT_EQ(one.wave.exec(), 0xffU);
  EXPECT_EQ(one.wave.pc, 10U);
  EXPECT_EQ(one.wave.pair(0), ~std::uint64_t{0xff});
  EXPECT_EQ(one.wave.pair(2), 4U);
  ASSERT_TRUE(join());
  EXPECT_EQ(one.wave.exec(), ~std::uint64_t{0xff});
  EXPECT_EQ(one.wave.pc, 1U);
  one.wave.pc = 17;
  ASSERT_TRUE(join());
  EXPECT_EQ(one.wave.pc, 17U) << "both ways were taken: the program goes on";
}

TEST_F(Forks, TheSmallerPartMayBeTheOneThatGoesOn) {
  ASSERT_TRUE(fork(~std::uint64_t{1}, 40));
  EXPECT_EQ(one.wave.exec(), 1U);
  EXPECT_EQ(one.wave.pc, 1U);
  ASSERT_TRUE(join());
  EXPECT_EQ(one.wave.exec(), ~std::uint64_t{1});
  EXPECT_EQ(one.wave.pc, 10U);
}

TEST_F(Forks, HalvesGoToTheTargetFirst) {
  ASSERT_TRUE(fork(0xffffffffU, 40));
  EXPECT_EQ(one.wave.exec(), 0xffffffffU);
  EXPECT_EQ(one.wave.pc, 10U);
}

TEST_F(Forks, WithAllLanesOnOneSideNothingIsPushed) {
  one.wave.set_pair(isa::kExecLo, 0xf0);
  ASSERT_TRUE(fork(0xff, 40));
  EXPECT_EQ(one.wave.pc, 10U);
  one.wave.pc = 1;
  ASSERT_TRUE(fork(0x0f, 40));
  EXPECT_EQ(one.wave.pc, 1U);
  EXPECT_EQ(one.wave.exec(), 0xf0U);
  EXPECT_EQ(one.wave.mode, kUsualMode);
}

TEST_F(Forks, ByDistanceAndNested) {
  const std::uint32_t words[] = {0xb8140003};  // s_cbranch_i_fork s[20:21], 3
  one.wave.set_pair(20, 0x3);
  ASSERT_TRUE(one.run(words));
  EXPECT_EQ(one.wave.pc, 4U);
  EXPECT_EQ(one.wave.exec(), 0x3U);
  one.wave.sgprs[9] = 1;  // the depth before the inner fork
  ASSERT_TRUE(fork(0x1, 80));
  EXPECT_EQ(one.wave.exec(), 0x1U);
  EXPECT_EQ(one.wave.pc, 20U);
  ASSERT_TRUE(join());
  EXPECT_EQ(one.wave.exec(), 0x2U);
  ASSERT_TRUE(join());
  EXPECT_EQ(one.wave.exec(), 0x2U) << "the inner fork is done, the outer one is not looked at";
  one.wave.sgprs[9] = 0;
  ASSERT_TRUE(join());
  EXPECT_EQ(one.wave.exec(), ~std::uint64_t{3});
}

TEST_F(Forks, StopWhereTheStackEndsOrIsEmptyAndWhereThereIsNoCode) {
  EXPECT_FALSE([&] {
    one.wave.sgprs[9] = 3;
    return join();
  }());
  for (unsigned i = 0; i < 7; ++i) {
    one.wave.set_pair(isa::kExecLo, kAllLanes);
    ASSERT_TRUE(fork(0xff, 40)) << i;
  }
  one.wave.set_pair(isa::kExecLo, kAllLanes);
  EXPECT_FALSE(fork(0xff, 40));
  OneInstruction other(isa::Arch::gfx90a);
  const std::uint32_t words[] = {0x94801614};
  other.wave.set_pair(20, kAllLanes);
  other.wave.set_pair(22, 0x1000);
  EXPECT_FALSE(other.run(words));
}

TEST(Skipping, VectorInstructionsDoNothingAndScalarOnesGoOn) {
  OneInstruction one(isa::Arch::gfx942);
  one.program.stateful = one.program.skips = true;
  std::vector<std::byte> lds(256);
  one.machine.lds = lds;
  const std::uint32_t skip[] = {0xbf100503};               // s_setvskip s3, s5
  const std::uint32_t move[] = {0x7e080281};               // v_mov_b32 v4, 1
  const std::uint32_t write[] = {0xd81a0000, 0x00000200};  // ds_write_b32 v0, v2
  const std::uint32_t scalar[] = {0xbe880081};             // s_mov_b32 s8, 1
  one.set(2, all_lanes(7));
  one.wave.sgprs[3] = 0x10;
  one.wave.sgprs[5] = 4;
  EXPECT_TRUE(one.run(skip));
  EXPECT_TRUE(one.run(move));
  EXPECT_TRUE(one.run(write));
  EXPECT_TRUE(one.run(scalar));
  EXPECT_EQ(one.get(4, false)[0], 0U);
  EXPECT_EQ(lds[0], std::byte{0});
  EXPECT_EQ(one.wave.sgprs[8], 1U);
  one.wave.sgprs[5] = 3 + 32;  // the low five bits count
  EXPECT_TRUE(one.run(skip));
  EXPECT_TRUE(one.run(move));
  EXPECT_TRUE(one.run(write));
  EXPECT_EQ(one.get(4, false)[63], 1U);
  EXPECT_EQ(lds[0], std::byte{7});
}

}  // namespace
}  // namespace rpl::emu
