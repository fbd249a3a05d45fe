// SPDX-License-Identifier: MIT
#include "engine/export/svg_roofline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/roofline/made_kernels.h"

namespace rpl {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

KernelRoofline multiply() {
  return test::made_kernel(128, {{"TCC_EA0_RDREQ_sum", 500},
                                 {"TCC_BUBBLE_sum", 500},
                                 {"SQ_INSTS_VALU_FMA_F32", 50000},
                                 {"TCC_HIT_sum", 3},
                                 {"TCC_MISS_sum", 1},
                                 {"SQ_WAVES", 16}});
}

std::string roofline_svg() {
  const RooflinePlot plot = roofline_plot({multiply()}, {"f<a & \"b\">(int)"}, arch::Level::hbm,
                                          test::round_ceilings(), "MI300X", 26, PlotRoofs::all);
  return svg_roofline(plot, {});
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

void expect_self_contained(const std::string& svg) {
  EXPECT_TRUE(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_THAT(svg, Not(HasSubstr("<script")));
  EXPECT_THAT(svg, Not(HasSubstr("href")));
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_THAT(svg, Not(HasSubstr("inf")));
  EXPECT_EQ(count(svg, "<text"), count(svg, "</text>"));
}

TEST(SvgRoofline, IsSelfContainedAndEscapesNames) {
  const std::string svg = roofline_svg();
  expect_self_contained(svg);
  EXPECT_THAT(svg, HasSubstr("f&lt;a &amp; &quot;b&quot;&gt;(int)"));
  EXPECT_THAT(svg, HasSubstr("vector f32 100 TF"));
  EXPECT_THAT(svg, HasSubstr("HBM 1.00 TB/s"));
  EXPECT_EQ(svg, roofline_svg());
}

TEST(SvgRoofline, DrawsOneDotForEachPlacedPoint) {
  EXPECT_EQ(count(roofline_svg(), "<circle"), 2U);  // in the plot and in the table
  const RooflinePlot idle = roofline_plot(
      {test::made_kernel(128, {{"TCC_EA0_RDREQ_sum", 5}, {"TCC_BUBBLE_sum", 5}})}, {"copy"},
      arch::Level::hbm, test::round_ceilings(), "MI300X", 26, PlotRoofs::one);
  EXPECT_EQ(count(svg_roofline(idle, {}), "<circle"), 1U);  // in the table only
}

TEST(SvgRoofline, NothingKnownStillDraws) {
  expect_self_contained(svg_roofline(
      roofline_plot({}, {}, arch::Level::hbm, Ceilings(), "?", 26, PlotRoofs::all), {}));
}

TEST(SvgMemory, ShowsStationsAndHitRates) {
  const std::string svg = svg_memory(memory_cascade(multiply(), "f<int>", "MI300X"), {});
  expect_self_contained(svg);
  for (const char* text : {"vL1D", "L2", "fabric", "hit 75.0 %", "f&lt;int&gt;"})
    EXPECT_THAT(svg, HasSubstr(text));
}

}  // namespace
}  // namespace rpl
