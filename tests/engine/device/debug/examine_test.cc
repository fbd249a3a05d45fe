// SPDX-License-Identifier: MIT
#include "engine/device/debug/examine.h"

#include <cstring>

#include "tests/engine/device/debug/debug_runs.h"

namespace rpl::debug {
namespace {

template <class T>
std::string shown(std::string_view format, T value) {
  const ExamineFormat parsed = *parse_examine_format(format);
  EXPECT_EQ(parsed.bytes(), sizeof(T));
  return examined(parsed, std::as_bytes(std::span(&value, 1)));
}

TEST(Examine, ReadsFormatsAsGdbWritesThem) {
  const ExamineFormat format = *parse_examine_format("/8xw");
  EXPECT_EQ(format.count, 8U);
  EXPECT_EQ(format.letter, 'x');
  EXPECT_EQ(format.bytes(), 4U);
  EXPECT_EQ(parse_examine_format("2gx")->bytes(), 8U);
  EXPECT_EQ(parse_examine_format("16xb")->count, 16U);
  EXPECT_TRUE(parse_examine_format("-4i")->before);
  EXPECT_FALSE(parse_examine_format("4i", *parse_examine_format("-4i"))->before);
  EXPECT_EQ(parse_examine_format("a")->bytes(), 8U);
  EXPECT_EQ(parse_examine_format("", *parse_examine_format("4dh"))->letter, 'd')
      << "what is left out stays";
  for (const char* wrong : {"8q", "x8", "0x", "99999999xw"})
    EXPECT_FALSE(parse_examine_format(wrong).has_value()) << wrong;
}

TEST(Examine, ShowsUnits) {
  EXPECT_EQ(shown("xw", std::uint32_t{0x1f}), "0x0000001f");
  EXPECT_EQ(shown("xb", std::uint8_t{0x1f}), "0x1f");
  EXPECT_EQ(shown("dw", std::int32_t{-5}), "-5");
  EXPECT_EQ(shown("dh", std::int16_t{-5}), "-5");
  EXPECT_EQ(shown("uw", std::int32_t{-5}), "4294967291");
  EXPECT_EQ(shown("ob", std::uint8_t{8}), "010");
  EXPECT_EQ(shown("tb", std::uint8_t{5}), "00000101");
  EXPECT_EQ(shown("fw", 1.5F), "1.5");
  EXPECT_EQ(shown("fg", -0.25), "-0.25");
  EXPECT_EQ(shown("fh", std::uint16_t{0x3e00}), "1.5");
  EXPECT_EQ(shown("cb", 'A'), "65 'A'");
  EXPECT_EQ(shown("a", std::uint64_t{0x7f0000001000}), "0x7f0000001000");
}

TEST(Examine, ReadsEverySpace) {
  Points points;
  const auto session = started(emu::reduce("gfx942", 3001, 2), points);
  const std::uint64_t input = session->buffers()[0]->base;
  EXPECT_EQ(read(*session, {.offset = input}, 16)->size(), 16U);
  EXPECT_EQ(symbol_of(*session, {.offset = input + 8}), "argument 1+8");
  EXPECT_EQ(symbol_of(*session, {.offset = 16}), "");
  EXPECT_EQ(read(*session, {.space = Address::Space::lds, .offset = 0}, 16)->size(), 16U);
  const auto beyond = read(*session, {.offset = input + 4 * 3001 - 2}, 4);
  ASSERT_FALSE(beyond.has_value());
  EXPECT_NE(beyond.error().hint.find("argument 1"), std::string::npos);
  EXPECT_FALSE(read(*session, {.space = Address::Space::lds, .offset = 64}, 4).has_value());
  EXPECT_FALSE(read(*session, {.space = Address::Space::scratch, .offset = 0}, 4).has_value())
      << "it has none";
}

}  // namespace
}  // namespace rpl::debug
