// SPDX-License-Identifier: MIT
#include "engine/plot/svg.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rpl {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(SvgConvergence, DrawsStepsOfEachLine) {
  const std::string svg = svg_convergence("Best so far: n1 & <others>",
                                          {{.name = "n1", .best_ns = {0, 800, 200}},
                                           {.name = "random", .best_ns = {800, 800, 400}}},
                                          600)
                              .string();
  EXPECT_THAT(svg, HasSubstr("<title>Best so far: n1 &amp; &lt;others&gt;</title>"));
  EXPECT_THAT(svg, HasSubstr("3 evaluations"));
  EXPECT_THAT(svg, HasSubstr("M335.0 50.0H580.0V320.0"));
  EXPECT_THAT(svg, HasSubstr("M90.0 50.0H335.0V50.0H580.0V185.0"));
  EXPECT_THAT(svg, HasSubstr("</svg>"));
  EXPECT_EQ(svg, svg_convergence("Best so far: n1 & <others>",
                                 {{.name = "n1", .best_ns = {0, 800, 200}},
                                  {.name = "random", .best_ns = {800, 800, 400}}},
                                 600)
                     .bytes());
}

TEST(SvgConvergence, SurvivesNothingToDraw) {
  for (const auto& lines :
       {std::vector<ConvergenceLine>{}, std::vector<ConvergenceLine>{{.name = "a", .best_ns = {}}},
        std::vector<ConvergenceLine>{{.name = "a", .best_ns = {0, 0}}}}) {
    const std::string svg = svg_convergence("x", lines).string();
    EXPECT_THAT(svg, Not(HasSubstr("nan")));
    EXPECT_THAT(svg, HasSubstr("</svg>"));
  }
}

}  // namespace
}  // namespace rpl
