// SPDX-License-Identifier: MIT
#include "engine/plot/svg.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/arch/resolve.h"

namespace rpl {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

arch::Occupancy limited_by_lds() {
  const arch::Gpu gpu = arch::resolve(arch::Catalogue::builtin(), "gfx942", {}).value();
  return arch::occupancy(gpu, {.arch_vgprs = 132, .lds_bytes = 33000, .workgroup_size = 256})
      .value();
}

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

TEST(SvgOccupancy, MarksTheLimitingResourceAndListsTheSteps) {
  const std::string svg = svg_occupancy({.title = "a<b>",
                                         .subtitle = "4 of 32",
                                         .occupancy = limited_by_lds(),
                                         .remarks = {"LDS 33000 -> 32768"}})
                              .string();
  EXPECT_TRUE(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_THAT(svg, HasSubstr("a&lt;b&gt;"));
  EXPECT_THAT(svg, HasSubstr("font-weight=\"bold\" fill=\"#333333\">lds<"));
  EXPECT_EQ(times(svg, "font-weight"), 1U) << "of five resources one limits";
  EXPECT_EQ(times(svg, ">limits<"), 1U);
  EXPECT_EQ(times(svg, ">any<"), 1U) << "scalar registers are unknown";
  EXPECT_THAT(svg, HasSubstr("LDS 33000 -&gt; 32768"));
  EXPECT_EQ(times(svg, "<text"), times(svg, "</text>"));
}

TEST(SvgOccupancy, KernelsStandBesideTheirBars) {
  const std::vector<OccupancyBar> bars{{.name = "full",
                                        .waves = 32,
                                        .slots = 32,
                                        .grid_cap = 0.25,
                                        .limiter = "wave slots",
                                        .change = ""},
                                       {.name = "few",
                                        .waves = 8,
                                        .slots = 32,
                                        .grid_cap = 1.0,
                                        .limiter = "vgprs",
                                        .change = "VGPR 184 -> 168"},
                                       {.name = "broken",
                                        .waves = 0,
                                        .slots = 0,
                                        .grid_cap = std::nullopt,
                                        .limiter = "",
                                        .change = ""}};
  const std::string svg = svg_occupancy_of_kernels("Occupancy", bars).string();
  EXPECT_THAT(svg, HasSubstr(">8 of 32<"));
  EXPECT_THAT(svg, HasSubstr(">unknown<"));
  EXPECT_EQ(times(svg, "<path"), 1U) << "only the first grid ends before what fits";
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
  EXPECT_EQ(svg, svg_occupancy_of_kernels("Occupancy", bars).bytes());
}

TEST(SvgOccupancy, NothingKnownStillDraws) {
  EXPECT_TRUE(svg_occupancy({}, 1).bytes().ends_with("</svg>\n"));
  EXPECT_TRUE(svg_occupancy_of_kernels("", {}, -5).bytes().ends_with("</svg>\n"));
}

}  // namespace
}  // namespace rpl
