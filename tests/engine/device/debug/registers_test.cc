// SPDX-License-Identifier: MIT
#include "engine/device/debug/registers.h"

#include "tests/engine/device/debug/debug_runs.h"

namespace rpl::debug {
namespace {

TEST(Registers, AreWrittenAsTheDisassemblyWritesThem) {
  for (const char* name : {"v0", "v[2:3]", "a7", "s4", "s[4:7]", "vcc", "vcc_lo", "vcc_hi", "exec",
                           "exec_hi", "m0", "scc", "mode", "pc"}) {
    const auto parsed = parse_register(name);
    ASSERT_TRUE(parsed.has_value()) << name;
    EXPECT_EQ(to_string(*parsed), name);
    EXPECT_EQ(*parse_register(std::string("$") + name), *parsed);
  }
}

TEST(Registers, OfOtherNamesAreNone) {
  for (const char* name :
       {"", "$", "v", "v-1", "v[3:2]", "v[1:", "v1x", "x3", "s[0:100]", "s[]", "vccz"}) {
    EXPECT_FALSE(parse_register(name).has_value()) << name;
  }
}

TEST(Registers, ThatAKernelDoesNotHaveAreRefused) {
  Points points;
  const auto session = started(normalize("gfx942", 150, 7), points);
  EXPECT_TRUE(check_register(session->program(), *parse_register("v0")));
  EXPECT_FALSE(check_register(session->program(), *parse_register("v500")));
  EXPECT_FALSE(check_register(session->program(), *parse_register("s102")));
  EXPECT_FALSE(check_register(session->program(), *parse_register("a4000")));
  EXPECT_TRUE(check_register(session->program(), *parse_register("exec")));
}

TEST(Registers, AreReadByLane) {
  Points points;
  const auto session = started(normalize("gfx942", 150, 7), points);
  const emu::Wave& wave = *session->selected();
  for (const unsigned lane : {0U, 17U, 63U}) {
    EXPECT_EQ(read_register(session->program(), wave, *parse_register("v0"), lane),
              std::vector<std::uint32_t>{lane});
  }
  EXPECT_EQ(read_register(session->program(), wave, *parse_register("exec"), 0),
            (std::vector<std::uint32_t>{~0U, ~0U}));
  EXPECT_EQ(read_register(session->program(), wave, *parse_register("scc"), 0),
            std::vector<std::uint32_t>{0});
}

TEST(Registers, ThatChangedAreTold) {
  Points points;
  const auto session = started(normalize("gfx90a", 150, 7), points);
  const emu::Wave before = *session->selected();
  emu::Wave after = before;
  after.vgprs[2].lane[5] = 9;
  after.sgprs[8] = after.sgprs[9] = 77;
  after.sgprs[isa::kExecLo] = 1;
  after.scc = !before.scc;
  const auto changed = changed_registers(session->program(), before, after);
  ASSERT_EQ(changed.size(), 4U);
  EXPECT_EQ(to_string(changed[0].name), "v2");
  EXPECT_EQ(changed[0].lanes, 1U << 5);
  EXPECT_EQ(to_string(changed[1].name), "s[8:9]");
  EXPECT_EQ(to_string(changed[2].name), "exec");
  EXPECT_EQ(to_string(changed[3].name), "scc");
  EXPECT_TRUE(changed_registers(session->program(), before, before).empty());
}

}  // namespace
}  // namespace rpl::debug
