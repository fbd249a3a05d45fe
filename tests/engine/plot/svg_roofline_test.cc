// SPDX-License-Identifier: MIT
#include "engine/plot/svg.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>

#include "engine/plot/svg_writer.h"
#include "tests/engine/metrics/roofline/made_kernels.h"

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
  return svg_roofline(plot, {}).string();
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
  EXPECT_EQ(count(svg_roofline(idle, {}).string(), "<circle"), 1U);  // in the table only
}

TEST(SvgRoofline, NothingKnownStillDraws) {
  expect_self_contained(
      svg_roofline(roofline_plot({}, {}, arch::Level::hbm, Ceilings(), "?", 26, PlotRoofs::all), {})
          .string());
}

/// Where the names of roofs stand: "translate(x y) rotate(a)".
std::vector<PictureBox> roof_names(const std::string& svg) {
  std::vector<PictureBox> boxes;
  for (std::size_t at = svg.find("translate("); at != std::string::npos;
       at = svg.find("translate(", at + 1)) {
    PicturePoint from;
    double angle = 0;
    if (std::sscanf(svg.c_str() + at, "translate(%lf %lf) rotate(%lf)", &from.x, &from.y, &angle) !=
            3 ||
        angle == -90)
      continue;
    const std::size_t text = svg.find('>', at) + 1;
    constexpr double kAscent = 11;
    const double width = text_width(svg.substr(text, svg.find('<', text) - text));
    if (svg.substr(at, text - at).find("\"end\"") != std::string::npos) from.x -= width;
    boxes.push_back(turned_box(from, width, kAscent, angle));
  }
  return boxes;
}

std::vector<PictureBox> roof_lines(const std::string& svg) {
  std::vector<PictureBox> lines;
  for (std::size_t at = svg.find("<path d=\"M"); at != std::string::npos;
       at = svg.find("<path d=\"M", at + 1)) {
    PicturePoint from, to;
    if (std::sscanf(svg.c_str() + at, "<path d=\"M%lf %lfL%lf %lf", &from.x, &from.y, &to.x,
                    &to.y) == 4)
      lines.push_back(line_box(from, to));
  }
  return lines;
}

TEST(SvgRoofline, NamesOfCloseRoofsStandApart) {
  Ceilings ceilings = test::round_ceilings();
  const auto gbps = [&](arch::Level level, double value) {
    ceilings.bandwidth[level].value = value;
  };
  gbps(arch::Level::lds, 81.7e3);
  gbps(arch::Level::vl1d, 40.9e3);
  gbps(arch::Level::l2, 34.4e3);
  gbps(arch::Level::mall, 17.2e3);
  gbps(arch::Level::hbm, 5.32e3);
  ceilings.compute[{arch::Pipe::matrix, arch::DataType::i8}].value = 1100e3;
  for (const std::int64_t width : {600, 900, 1400}) {
    SCOPED_TRACE(width);
    const std::string svg = svg_roofline(roofline_plot({multiply()}, {"f"}, arch::Level::hbm,
                                                       ceilings, "MI300X", 26, PlotRoofs::all),
                                         {.width = width, .shorten = {}})
                                .string();
    const auto names = roof_names(svg), lines = roof_lines(svg);
    ASSERT_EQ(names.size(), 6U);
    ASSERT_EQ(lines.size(), 6U);
    for (std::size_t i = 0; i < names.size(); ++i) {
      for (std::size_t j = i + 1; j < names.size(); ++j)
        EXPECT_FALSE(overlap(names[i], names[j])) << i << " " << j;
      for (std::size_t j = 0; j < lines.size(); ++j)
        EXPECT_FALSE(overlap(names[i], lines[j])) << i << " " << j;
    }
  }
}

TEST(SvgMemory, ShowsStationsAndHitRates) {
  const std::string svg = svg_memory(memory_cascade(multiply(), "f<int>", "MI300X"), {}).string();
  expect_self_contained(svg);
  for (const char* text : {"vL1D", "L2", "fabric", "hit 75.0 %", "f&lt;int&gt;"})
    EXPECT_THAT(svg, HasSubstr(text));
}

}  // namespace
}  // namespace rpl
