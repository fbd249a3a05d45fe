// SPDX-License-Identifier: MIT
#include "shell/render/pictures/text_pictures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "engine/base/text.h"
#include "tests/engine/metrics/roofline/made_kernels.h"

namespace rpl {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

RooflinePlot plot_of(PlotRoofs roofs) {
  const std::vector<KernelRoofline> kernels{
      test::made_kernel(
          128,
          {{"TCC_EA0_RDREQ_sum", 500}, {"TCC_BUBBLE_sum", 500}, {"SQ_INSTS_VALU_FMA_F32", 50000}}),
      test::made_kernel(128, {{"TCC_EA0_RDREQ_sum", 500}, {"TCC_BUBBLE_sum", 500}})};
  return roofline_plot(kernels, {"multiply(float*)", "copy(float*)"}, arch::Level::hbm,
                       test::round_ceilings(), "MI300X", 26, roofs);
}

std::size_t widest(const std::string& text) {
  std::istringstream lines(text);
  std::size_t most = 0;
  for (std::string line; std::getline(lines, line);) most = std::max(most, display_width(line));
  return most;
}

TEST(RooflineText, KeepsWithinTheCanvas) {
  for (const std::size_t width : {40U, 80U, 120U, 200U}) {
    for (const bool unicode : {false, true}) {
      for (const PlotRoofs roofs : {PlotRoofs::one, PlotRoofs::all}) {
        EXPECT_LE(widest(roofline_text(plot_of(roofs), {width, unicode})),
                  std::max<std::size_t>(width, 72))
            << width;
      }
    }
  }
  EXPECT_LE(widest(roofline_legend(plot_of(PlotRoofs::one), {80, true})), 80U);
}

TEST(RooflineText, DrawsRoofsAndPoints) {
  const std::string text = roofline_text(plot_of(PlotRoofs::one), {80, false});
  EXPECT_THAT(text, HasSubstr("vector f32 100 TF"));
  EXPECT_THAT(text, HasSubstr("HBM 1.00 TB/s"));
  EXPECT_THAT(text, HasSubstr("A"));
  EXPECT_THAT(text, HasSubstr("no floating-point operation: B"));
  EXPECT_THAT(text, Not(HasSubstr("dotted")));
  EXPECT_THAT(roofline_text(plot_of(PlotRoofs::all), {80, false}),
              HasSubstr("dotted, from the left: L2 4.00 TB/s"));
}

TEST(RooflineText, AsciiAndUnicodeHaveTheSameShape) {
  const std::string plain = roofline_text(plot_of(PlotRoofs::all), {100, false});
  const std::string blocks = roofline_text(plot_of(PlotRoofs::all), {100, true});
  EXPECT_THAT(blocks, HasSubstr("╱"));
  for (const char c : plain) EXPECT_LT(static_cast<unsigned char>(c), 0x80);
  std::string translated = blocks;
  const std::pair<std::string, std::string> marks[] = {
      {"╱", "/"}, {"─", "-"}, {"·", "."}, {"│", "|"}, {"┤", "+"}, {"└", "+"}, {"┬", "+"}};
  for (const auto& [from, to] : marks) {
    for (std::size_t at = translated.find(from); at != std::string::npos;
         at = translated.find(from))
      translated.replace(at, from.size(), to);
  }
  EXPECT_EQ(translated, plain);
}

TEST(RooflineText, LegendMarksWhatIsImpossible) {
  const std::vector<KernelRoofline> kernels{
      test::made_kernel(10, {{"TCC_EA0_RDREQ_sum", 500}, {"TCC_BUBBLE_sum", 500}})};
  const RooflinePlot plot = roofline_plot(kernels, {"copy"}, arch::Level::hbm,
                                          test::round_ceilings(), "x", 26, PlotRoofs::one);
  EXPECT_THAT(roofline_legend(plot, {80, false}), HasSubstr("! 640 % of the roof"));
}

TEST(RooflineText, NothingKnownStillDraws) {
  const RooflinePlot plot =
      roofline_plot({}, {}, arch::Level::hbm, Ceilings(), "unknown", 26, PlotRoofs::all);
  EXPECT_THAT(roofline_text(plot, {80, false}), HasSubstr("FLOP/byte"));
}

TEST(MemoryText, FitsEightyColumns) {
  const KernelRoofline kernel = test::made_kernel(100, {{"SQ_WAVES", 1e9},
                                                        {"TCC_HIT_sum", 3},
                                                        {"TCC_MISS_sum", 1},
                                                        {"TCP_TCC_READ_REQ_sum", 2e9},
                                                        {"TCP_TOTAL_CACHE_ACCESSES_sum", 1e10},
                                                        {"TCC_EA0_RDREQ_sum", 1e9},
                                                        {"TCC_BUBBLE_sum", 1e9},
                                                        {"SQ_LDS_IDX_ACTIVE", 6e9},
                                                        {"SQ_LDS_BANK_CONFLICT", 2e9}});
  const MemoryCascade cascade =
      memory_cascade(kernel, std::string(300, 'k') + "(float*)", "MI300X (gfx942)");
  for (const std::size_t width : {80U, 120U, 200U}) {
    for (const bool unicode : {false, true})
      EXPECT_LE(widest(memory_text(cascade, {width, unicode})), width);
  }
  const std::string text = memory_text(cascade, {80, false});
  EXPECT_THAT(text, HasSubstr("hit  75.0 %"));
  EXPECT_THAT(text, HasSubstr("impossible"));
  EXPECT_THAT(text, HasSubstr("0.50 cycles lost"));
}

}  // namespace
}  // namespace rpl
