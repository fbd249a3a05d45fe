// SPDX-License-Identifier: MIT
#include "engine/metrics/roofline/plot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/engine/metrics/roofline/made_kernels.h"

namespace rpl {
namespace {

using test::made_kernel;
using test::round_ceilings;

std::map<std::string, double> counters(double reads, double fma) {
  return {{"TCC_EA0_RDREQ_sum", reads}, {"TCC_BUBBLE_sum", reads}, {"SQ_INSTS_VALU_FMA_F32", fma}};
}

RooflinePlot plot_of(const std::vector<KernelRoofline>& kernels, std::size_t limit = 26) {
  std::vector<std::string> names(kernels.size(), "k");
  return roofline_plot(kernels, names, arch::Level::hbm, round_ceilings(), "gfx942", limit,
                       PlotRoofs::all);
}

TEST(RooflinePlotTest, PlacesPointsBetweenWholeDecades) {
  const RooflinePlot plot =
      plot_of({made_kernel(128, counters(500, 50000)), made_kernel(1000, counters(500000, 50))});
  ASSERT_EQ(plot.points.size(), 2U);
  EXPECT_EQ(plot.points[0].letter, 'A');
  EXPECT_EQ(plot.points[1].letter, 'B');
  for (const double edge :
       {plot.from_intensity, plot.to_intensity, plot.from_gflops, plot.to_gflops}) {
    EXPECT_NEAR(std::log10(edge), std::round(std::log10(edge)), 1e-9);
  }
  for (const auto& point : plot.points) {
    ASSERT_TRUE(point.placed());
    EXPECT_GE(*point.intensity, plot.from_intensity);
    EXPECT_LE(*point.intensity, plot.to_intensity);
    EXPECT_GE(*point.gflops, plot.from_gflops);
    EXPECT_LE(*point.gflops, plot.to_gflops);
  }
}

TEST(RooflinePlotTest, HasTheLevelAndTheUnitsThatWereUsed) {
  const RooflinePlot plot = plot_of({made_kernel(128, counters(500, 50000))});
  ASSERT_EQ(plot.roofs.size(), 3U);  // two slopes, one unit
  EXPECT_EQ(plot.roofs[0].label, "L2 4.00 TB/s");
  EXPECT_TRUE(plot.roofs[1].main);
  EXPECT_EQ(plot.roofs[1].label, "HBM 1.00 TB/s");
  EXPECT_EQ(plot.roofs[2].label, "vector f32 100 TF");
  EXPECT_EQ(plot.roof_at(10), 10000);
  EXPECT_EQ(plot.roof_at(1000), 100000);
}

TEST(RooflinePlotTest, KernelsWithoutOperationsHaveNoPlace) {
  const RooflinePlot plot =
      plot_of({made_kernel(128, counters(500, 0)), made_kernel(0, counters(500, 50000))});
  EXPECT_FALSE(plot.points[0].placed());
  EXPECT_FALSE(plot.points[1].placed());
}

TEST(RooflinePlotTest, CountsWhatItLeavesOut) {
  std::vector<KernelRoofline> kernels;
  for (int i = 0; i < 30; ++i) kernels.push_back(made_kernel(128, counters(500, 50000)));
  EXPECT_EQ(plot_of(kernels).points.size(), 26U);
  EXPECT_EQ(plot_of(kernels).left_out, 4U);
  EXPECT_EQ(plot_of(kernels, 3).left_out, 27U);
}

TEST(RooflinePlotTest, AStrayPointCannotStretchTheAxesWithoutLimit) {
  const RooflinePlot plot = plot_of({made_kernel(1e18, counters(1e15, 1))});
  EXPECT_LE(plot.to_intensity / plot.from_intensity, 1e13);
  EXPECT_LE(plot.to_gflops / plot.from_gflops, 1e13);
}

TEST(RooflinePlotTest, WritesRatesShortly) {
  EXPECT_EQ(short_gbps(5324.8), "5.32 TB/s");
  EXPECT_EQ(short_gbps(612), "612 GB/s");
  EXPECT_EQ(short_gflops(1307400), "1.31 PF");
  EXPECT_EQ(short_gflops(81700), "81.7 TF");
  EXPECT_EQ(short_gflops(0), "0.00 GF");
}

TEST(RooflinePlotTest, AColumnOfRatesHasOneUnit) {
  const auto units_of = [](const std::vector<double>& rates) {
    std::vector<RooflinePlot::Point> points(rates.size());
    for (std::size_t i = 0; i < rates.size(); ++i) points[i].gflops = rates[i];
    const RateUnit unit = unit_of_gflops(points);
    std::vector<std::string> out;
    for (const auto& point : points) out.push_back(unit.shown(point.gflops, "-"));
    return out;
  };
  EXPECT_THAT(units_of({14864, 571578, 0}), testing::ElementsAre("14.9 TF", "572 TF", "0 TF"));
  EXPECT_THAT(units_of({1307400, 81700}), testing::ElementsAre("1.31 PF", "0.08 PF"));
  EXPECT_THAT(units_of({1307400, 700}), testing::ElementsAre("1307 TF", "0.70 TF"));
  EXPECT_THAT(units_of({0}), testing::ElementsAre("0 GF"));
  EXPECT_EQ(unit_of_gflops({}).shown(std::nullopt, "-"), "-");
}

}  // namespace
}  // namespace rpl
