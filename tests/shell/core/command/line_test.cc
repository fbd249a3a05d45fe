// SPDX-License-Identifier: MIT
#include "shell/core/command/line.h"

#include <gmock/gmock.h>

namespace rpl {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> out;
  const Line line = split_line(text).value();
  for (const Word& word : line.words) out.push_back(word.text);
  return out;
}

TEST(SplitLine, TakesQuotesAndBackslashes) {
  EXPECT_THAT(words(R"(open 'a b.db' "c d" e\ f)"), ElementsAre("open", "a b.db", "c d", "e f"));
  EXPECT_THAT(words(R"(x "a\"b" 'c\d')"), ElementsAre("x", "a\"b", "c\\d"));
}

TEST(SplitLine, EndsAtACommentThatStartsAWord) {
  EXPECT_THAT(words("info kernels # the hot ones"), ElementsAre("info", "kernels"));
  EXPECT_THAT(words("x a#b '#c'"), ElementsAre("x", "a#b", "#c"));
}

TEST(SplitLine, CutsThePipe) {
  const Line line = split_line("info kernels | head -3").value();
  EXPECT_EQ(line.pipe, "head -3");
  EXPECT_EQ(line.words.size(), 2U);
  EXPECT_EQ(split_line("x 'a | b'").value().pipe, "");
  EXPECT_EQ(split_line("x | ").error().code, Errc::usage);
}

TEST(SplitLine, SaysWhereAQuoteBegan) {
  const auto line = split_line("open 'a b");
  ASSERT_FALSE(line.has_value());
  EXPECT_EQ(line.error().message, "unclosed ' at column 6");
}

/// The time that a line takes to be taken apart cannot be stopped.
TEST(SplitLine, IsNotLongerThanItMayBe) {
  EXPECT_TRUE(check_length_of_line(std::string(std::size_t{1} << 20U, 'a')));
  const Status fits = check_length_of_line(std::string((std::size_t{1} << 20U) + 1, 'a'));
  ASSERT_FALSE(fits);
  EXPECT_EQ(fits.error().code, Errc::limit);
}

}  // namespace
}  // namespace rpl
