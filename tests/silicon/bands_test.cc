// SPDX-License-Identifier: MIT
#include "tests/silicon/bands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/support/temp_dir.h"

namespace rpl::silicon {
namespace {

using cycle::TimeClass;
using testing::HasSubstr;

/// `count` residuals of a family, off by `spread` in one standard deviation, and by `shift` on the whole.
void add(std::vector<Residual>& out, const std::string& family, TimeClass one, std::size_t count,
         double spread, double shift = 0) {
  std::mt19937_64 random(std::hash<std::string>{}(family));
  std::normal_distribution<double> error(shift, spread);
  for (std::size_t i = 0; i < count; ++i)
    out.push_back({family, one, error(random), 10 * std::pow(2.0, static_cast<double>(i))});
}

TEST(SiliconBands, HoldNineOfTenByClass) {
  std::vector<Residual> residuals;
  for (const char* family : {"a", "b", "c", "d"}) {
    add(residuals, family, TimeClass::memory, 100, 0.1);
    add(residuals, family, TimeClass::compute, 100, 0.02);
  }
  const auto bands = bands_of(residuals, {});
  const auto width = [&](TimeClass one) {
    return bands[static_cast<std::size_t>(one)].half_width();
  };
  // 1.645 standard deviations.
  EXPECT_NEAR(width(TimeClass::memory), 0.18, 0.03);
  EXPECT_NEAR(width(TimeClass::compute), 0.033, 0.006);
  EXPECT_GT(width(TimeClass::lds), width(TimeClass::compute)) << "without points: that of all";
  EXPECT_TRUE(bands[static_cast<std::size_t>(TimeClass::lds)].pooled);
  EXPECT_NEAR(left_out_coverage(residuals, {}).share(), 0.9, 0.03);
}

TEST(SiliconBands, AreWidenedUntilFamiliesThatTookNoPartAreHeld) {
  std::vector<Residual> residuals;
  for (const auto& [family, shift] :
       {std::pair("a", 0.1), std::pair("b", 0.1), std::pair("c", 0.0), std::pair("d", 0.0)})
    add(residuals, family, TimeClass::memory, 100, 0.04, shift);
  EXPECT_LT(left_out_coverage(residuals, {}).share(), 0.9);
  const BandRule rule = level_for(residuals, {});
  EXPECT_GT(rule.level, 0.9);
  EXPECT_GE(left_out_coverage(residuals, rule).share(), 0.9);
}

TEST(SiliconBands, OfOneFamilyAloneAreNoNarrowerThanThoseOfAll) {
  std::vector<Residual> residuals;
  add(residuals, "a", TimeClass::l2, 50, 0.01);
  add(residuals, "b", TimeClass::memory, 50, 0.2);
  add(residuals, "c", TimeClass::memory, 50, 0.2);
  const auto bands = bands_of(residuals, {});
  EXPECT_GT(bands[static_cast<std::size_t>(TimeClass::l2)].half_width(), 0.2);
}

TEST(SiliconBands, LeanToTheSideOfTheErrorsAndHoldTheModelledTimeItself) {
  std::vector<Residual> residuals;
  add(residuals, "a", TimeClass::memory, 100, 0.05, 0.3);
  add(residuals, "b", TimeClass::memory, 100, 0.05, 0.3);
  const auto memory = [&](const BandRule& rule) {
    return bands_of(residuals, rule)[static_cast<std::size_t>(TimeClass::memory)];
  };
  EXPECT_EQ(memory({}).low, 1);
  EXPECT_NEAR(memory({}).high, std::exp(0.38), 0.05);
  EXPECT_NEAR(memory({.margin = 0.1}).low, 1 / 1.1, 1e-9);
  const ClassBand symmetric = memory({.symmetric = true});
  EXPECT_NEAR(symmetric.low * symmetric.high, 1, 1e-9);
}

TEST(SiliconBands, OfRatiosCountForTheClassesOfBothVariants) {
  testing_support::TempDir folder;
  const std::string path = folder.write("v.csv", "units,compute,lds,0.1\nunits,l2,l2,-0.2\n");
  const auto ratios = read_variant_residuals(path);
  ASSERT_TRUE(ratios.has_value()) << ratios.error().message;
  ASSERT_EQ(ratios->size(), 3U);
  EXPECT_EQ((*ratios)[1].time_class, TimeClass::lds);
  EXPECT_DOUBLE_EQ((*ratios)[2].log_error, -0.2);
  EXPECT_EQ(read_variant_residuals(folder.write("w.csv", "units,nothing,lds,1\n")).error().code,
            Errc::corrupt);
}

TEST(SiliconBands, ArePrintedAsLinesOfArchitectureFiles) {
  std::vector<Residual> residuals;
  add(residuals, "a", TimeClass::memory, 30, 0.1);
  add(residuals, "b", TimeClass::memory, 30, 0.1);
  EXPECT_THAT(time_bands(residuals, 0.04), HasSubstr("\nband.low.memory = 0."));
  EXPECT_FALSE(class_of_point("/nowhere", cycle::Parameters())->has_value());
}

}  // namespace
}  // namespace rpl::silicon
