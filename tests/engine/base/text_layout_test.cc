// SPDX-License-Identifier: MIT
#include "engine/base/text.h"

#include <gmock/gmock.h>

namespace rpl {
namespace {

TEST(ShortKernel, KeepsWhatPeopleSay) {
  const std::pair<const char*, const char*> cases[] = {
      {"gemm", "gemm"},
      {"void addition_kernel<float>(float*, float const*, int)", "addition_kernel<float>"},
      {"void at::native::vectorized<4, at::native::Fill<float>, std::array<char*, 1ul> >(int)",
       "vectorized<4, Fill<float>, array<char*, 1ul> >"},
      {"(anonymous namespace)::softmax(float*)", "softmax"},
      {"void a::b<c::d>::operator()<e>(int) const [clone .kd]", "b<d>::operator()<e>"},
      {"_Z5scaleIfLi4EEvPKT_PS0_i", "scale<float, 4>"},
      {"_Znonsense", "_Znonsense"},
      {"Cijk_Alik_Bljk_HHS_BH_MT128x128x32", "Cijk_Alik_Bljk_HHS_BH_MT128x128x32"},
      {"", ""},
      {"()", "()"},
  };
  for (const auto& [full, wanted] : cases) EXPECT_EQ(short_kernel(full), wanted) << full;
}

TEST(ElideMiddle, KeepsHeadAndTail) {
  EXPECT_EQ(elide_middle("abcdefghij", 10), "abcdefghij");
  EXPECT_EQ(elide_middle("abcdefghijk", 8), "abc..ijk");
  EXPECT_EQ(elide_middle("abcdef", 3), "abc");
}

TEST(DisplayWidth, CountsColumnsNotBytes) {
  EXPECT_EQ(display_width("abc"), 3U);
  EXPECT_EQ(display_width("\xe2\x96\x88"), 1U);
  EXPECT_EQ(display_width("\xff\xfe"), 2U);
}

TEST(BrokenBetweenWords, LeavesWhatFits) {
  EXPECT_EQ(broken_between_words("one two\n\nthree", 10), "one two\n\nthree");
  EXPECT_EQ(broken_between_words("", 10), "");
}

TEST(BrokenBetweenWords, GoesOnTwoColumnsIn) {
  EXPECT_EQ(broken_between_words("one two three four\nfive", 10), "one two\n  three\n  four\nfive");
  EXPECT_EQ(broken_between_words("  one two three", 11), "  one two\n    three");
}

TEST(BrokenBetweenWords, GoesOnBelowTheLastPartOfTheLeftHalf) {
  EXPECT_EQ(broken_between_words("measure  p2   218354 -> 59808 cycles", 30),
            "measure  p2   218354 -> 59808\n              cycles");
  EXPECT_EQ(broken_between_words("\xe2\x96\x88\xe2\x96\x88  a b c d", 8),
            "\xe2\x96\x88\xe2\x96\x88  a b\n    c d");
}

TEST(BrokenBetweenWords, KeepsANumberWithItsUnit) {
  EXPECT_EQ(broken_between_words("L2 24.4 %, MALL 48.8 %", 20), "L2 24.4 %, MALL\n  48.8 %");
  EXPECT_EQ(broken_between_words("roofs: MALL 17.2 TB/s", 18), "roofs: MALL\n  17.2 TB/s");
  EXPECT_EQ(broken_between_words("all 12 of them", 8), "all 12\n  of\n  them");
}

TEST(BrokenBetweenWords, LeavesLongWordsAndDiffsToTheTerminal) {
  EXPECT_EQ(broken_between_words("a abcdefghijklmnop b", 8), "a\n  abcdefghijklmnop\n  b");
  EXPECT_EQ(broken_between_words("abcdefghijklmnop", 8), "abcdefghijklmnop");
  EXPECT_EQ(broken_between_words("+  float value = in[0];", 8), "+  float value = in[0];");
  EXPECT_EQ(broken_between_words("         a b c", 4), "         a\n  b\n  c");
}

}  // namespace
}  // namespace rpl
