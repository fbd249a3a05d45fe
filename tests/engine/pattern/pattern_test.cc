// SPDX-License-Identifier: MIT
#include "engine/pattern/pattern.h"

#include <gtest/gtest.h>

#include <string>

namespace rpl {
namespace {

bool found(std::string_view pattern, std::string_view text) {
  return Pattern::of(pattern).value().in(text);
}

TEST(Pattern, IsAPosixExtendedExpression) {
  EXPECT_TRUE(found("^gemm", "gemm_64"));
  EXPECT_FALSE(found("^gemm", "my_gemm"));
  EXPECT_TRUE(found("sum|max", "reduce_max"));
  EXPECT_TRUE(found("[[:digit:]]{2,}$", "k64"));
  EXPECT_TRUE(found("a+b?", "xaay"));
  EXPECT_TRUE(found("\\bk[0-9]", "a k7"));
  EXPECT_TRUE(found("k.$", "k\xff"));  // bytes that are no UTF-8
}

TEST(Pattern, GivesItsFirstGroupFromTheLongestMatch) {
  const Pattern time = Pattern::of("took ([0-9.]+) ms").value();
  EXPECT_EQ(time.first_group("it took 12.5 ms"), "12.5");
  EXPECT_EQ(time.first_group("it took no time"), std::nullopt);
  EXPECT_EQ(Pattern::of("(a|ab)(c|bcd)?").value().first_group("abcd"), "a");
  EXPECT_EQ(Pattern::of("none").value().first_group("none"), std::nullopt);
  EXPECT_EQ(time.groups(), 1);
}

TEST(Pattern, RefusesWhatIsNoneAndWhatIsTooLarge) {
  for (const std::string pattern : {"(", "[a", "*a", "((a{1,200}){1,200}){1,200}", "(a\\1)"}) {
    const auto made = Pattern::of(pattern);
    ASSERT_FALSE(made) << pattern;
    EXPECT_EQ(made.error().code, Errc::usage);
  }
  EXPECT_FALSE(Pattern::of(std::string(Pattern::kLongest + 1, 'a')));
}

/// With backtracking the first takes longer than the age of the universe, and with regexec() the second takes minutes.
TEST(Pattern, TakesTimeLinearInTheText) {
  EXPECT_FALSE(found("(a+)+$x", std::string(2'000'000, 'a')));
  EXPECT_FALSE(found("(a*)*b", std::string(2'000'000, 'a')));
  EXPECT_FALSE(found("(x+x+)+y", std::string(2'000'000, 'x')));
}

}  // namespace
}  // namespace rpl
