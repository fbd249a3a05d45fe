// SPDX-License-Identifier: MIT
#include "shell/render/pictures/text_pictures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rpl {
namespace {

using ::testing::HasSubstr;

TEST(ConvergenceText, DrawsTheBestSoFarDownwards) {
  const std::string text =
      convergence_text({.best_ns = {800, 800, 400, 200, 200, 200, 200, 200, 200, 200,
                                    200, 200, 200, 200, 200, 200, 200, 200, 200, 200},
                        .name = "this"},
                       {.width = 40});
  EXPECT_EQ(text,
            "   800 ns |##\n"
            "          |\n"
            "          |\n"
            "          |\n"
            "          |  #\n"
            "          |\n"
            "          |\n"
            "   200 ns |   #################\n"
            "          +--------------------\n"
            "           1     20 evaluations\n"
            "           #: best so far, this\n");
}

TEST(ConvergenceText, HoldsTwoLinesApart) {
  const std::string text = convergence_text(
      {.best_ns = {8, 4, 2}, .name = "a", .other_ns = {8, 8, 8}, .other_name = "b"}, {.width = 40});
  EXPECT_THAT(text, HasSubstr("#: best so far, a; .: b; *: both"));
  EXPECT_THAT(text, HasSubstr("*"));
  EXPECT_THAT(text, HasSubstr("."));
}

TEST(ConvergenceText, HasAxesOfLinesWhereTheTerminalHasThem) {
  const std::string text = convergence_text(
      {.best_ns = {8, 4, 2}, .name = "a", .other_ns = {8, 8, 8}, .other_name = "b"},
      {.width = 40, .unicode = true});
  EXPECT_THAT(text, HasSubstr("ns ┤"));
  EXPECT_THAT(text, HasSubstr("│"));
  EXPECT_THAT(text, HasSubstr("└────────────────────\n"));
  EXPECT_THAT(text, HasSubstr("━: best so far, a; ·: b; ┿: both"));
}

TEST(ConvergenceText, IsEmptyWithoutALine) {
  EXPECT_EQ(convergence_text({.best_ns = {5}, .name = "a"}, {.width = 40}), "");
  EXPECT_EQ(convergence_text({.best_ns = {0, 0}, .name = "a"}, {.width = 40}), "");
}

TEST(ConvergenceText, FitsNarrowTerminalsAndFailuresAtFirst) {
  const std::vector<double> late{0, 0, 0, 9, 3};
  for (const std::size_t width : {1U, 20U, 31U, 80U, 200U})
    EXPECT_THAT(convergence_text({.best_ns = late, .name = "a"}, {.width = width}),
                HasSubstr("5 evaluations"));
}

}  // namespace
}  // namespace rpl
