// SPDX-License-Identifier: MIT
#include "engine/arch/arch_file.h"

#include <gmock/gmock.h>

namespace rpl::arch {
namespace {

using ::testing::HasSubstr;

TEST(ArchFile, KeepsNotesLinesAndProducts) {
  const auto file = parse_arch_file("my.arch",
                                    "# a comment\n"
                                    "arch = gfx999\n"
                                    "\n"
                                    "lds_bytes = 64 KiB   # white paper\n"
                                    "vgpr_count = unified\r\n"
                                    "[Big One]\n"
                                    "bandwidth.l2 = 2048 B/clk/XCD",
                                    Origin::user);
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->arch, "gfx999");
  ASSERT_EQ(file->sections.size(), 2U);
  const Fact& lds = file->sections[0].facts[0];
  EXPECT_EQ(lds.number, 65536);
  EXPECT_EQ(lds.unit, "bytes");
  EXPECT_EQ(source_text(lds), "my.arch:4 (white paper)");
  EXPECT_EQ(lds.origin, Origin::user);
  EXPECT_EQ(file->sections[0].facts[1].text, "unified");
  EXPECT_EQ(file->sections[1].product, "Big One");
  EXPECT_EQ(file->sections[1].facts[0].unit, "B/clk/XCD");
}

TEST(ArchFile, SaysWhereAndWhatIsWrong) {
  const struct {
    const char *text, *message;
  } cases[] = {
      {"lds_bytes = 1", "names no architecture"},
      {"arch = g\nfoo = 1", "f:2: unknown value 'foo'"},
      {"arch = g\nlds_bytes = many", "f:2: lds_bytes: 'many' is not a number"},
      {"arch = g\nlds_bytes = 1 parsec", "unknown unit 'parsec'"},
      {"arch = g\nlds_bytes = -1", "negative"},
      {"arch = g\nlds_bytes = nan", "not a number"},
      {"arch = g\nlds_bytes =", "has no value"},
      {"arch = g\nlds_bytes = 1\nlds_bytes = 2", "f:3: a second value for lds_bytes"},
      {"arch = g\n[A]\n[A]", "a second section [A]"},
      {"arch = g\n[A", "expected [PRODUCT]"},
      {"arch = g\nhello", "expected KEY = VALUE"},
      {"arch = g\narch = h", "a second architecture"},
      {"arch = g\nbandwidth.l2 = 3 B/clk/SE", "unknown unit 'B/clk/SE'"},
  };
  for (const auto& c : cases) {
    const auto file = parse_arch_file("f", c.text, Origin::user);
    ASSERT_FALSE(file) << c.text;
    EXPECT_EQ(file.error().code, Errc::corrupt);
    EXPECT_THAT(file.error().message, HasSubstr(c.message));
  }
  EXPECT_FALSE(parse_arch_file("f", std::string(std::size_t{2} << 20, '#'), Origin::user));
}

TEST(ArchFile, ItsOwnNameLeadsBackToWhatHoldsForAll) {
  const auto file = parse_arch_file("t.arch",
                                    "arch = gfx942\n[MI300X]\ncompute_units = 304\n[gfx942]\n"
                                    "lds_banks = 32\n[MI300A]\ncompute_units = 228\n",
                                    Origin::file);
  ASSERT_TRUE(file) << file.error().message;
  ASSERT_EQ(file->sections.size(), 3U);
  EXPECT_EQ(file->sections[0].product, "");
  ASSERT_EQ(file->sections[0].facts.size(), 1U);
  EXPECT_EQ(file->sections[0].facts[0].source, "t.arch:5");
  EXPECT_EQ(file->sections[2].facts[0].number, 228);
}

}  // namespace
}  // namespace rpl::arch
