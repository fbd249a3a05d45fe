// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/device/cycle/parameters.h"
#include "tests/silicon/measured_times.h"

/// Bands of modelled times (cycle::Bands), found from what the model is off on measured ones.
namespace rpl::silicon {

/// What most of a point's cycles are, from the records of its launches in `folder`; nothing for copies, which launch nothing. Fails as read_record().
Result<std::optional<cycle::TimeClass>> class_of_point(const std::string& folder,
                                                       const cycle::Parameters& parameters);

/// How far the model is off: at one point, or in the ratio of two.
struct Residual {
  std::string family;
  cycle::TimeClass time_class = cycle::TimeClass::mixed;
  double log_error = 0;  ///< of real / modelled
  double real_us = 0;
};

/// Lines "source,class,class,log error" of pairs of variants (silicon_variants --residuals). Such a residual counts for both classes. Fails with not_found, io,
/// corrupt.
Result<std::vector<Residual>> read_variant_residuals(const std::string& path);

/// A band: real values lie between low and high times the modelled ones.
struct ClassBand {
  cycle::TimeClass time_class = cycle::TimeClass::mixed;
  std::size_t points = 0, families = 0;
  double mean_error = 0;  ///< |modelled / real - 1|
  double low = 1, high = 1;
  bool pooled =
      false;  ///< wide enough for all classes together: the class has too few points, or one family alone

  [[nodiscard]] double half_width() const { return (high - low) / 2; }
};

/// How bands are made of residuals.
struct BandRule {
  double level = 0.9;
  /// What one measured time is off another: added on both sides, a fraction.
  double margin = 0;
  /// The same on both sides of 1: of ratios of two variants, where either may be called the first.
  bool symmetric = false;
};

/// By class: the conformal quantiles of log errors that leave half of 1 - level out at each side, widened by the margin and to hold 1. A class with fewer than 10
/// residuals, or of fewer than two families, takes what holds all classes as well.
std::vector<ClassBand> bands_of(std::span<const Residual> residuals, const BandRule& rule);

/// How bands that the other families give hold a family that took no part.
struct Coverage {
  std::size_t points = 0, inside = 0;
  double median_half_width = 0;

  [[nodiscard]] double share() const {
    return points == 0 ? 1 : static_cast<double>(inside) / static_cast<double>(points);
  }
};
Coverage left_out_coverage(std::span<const Residual> residuals, const BandRule& rule,
                           double shortest_us = 0);

/// The rule with the least level, in steps of a hundredth from 0.9, at which nine of ten residuals of left-out families lie in the bands of the others.
BandRule level_for(std::span<const Residual> residuals, BandRule rule);

/// The table of times, and lines for architecture files.
std::string time_bands(std::span<const Residual> residuals, double margin);
/// The same of ratios.
std::string ratio_bands(std::span<const Residual> residuals);

}  // namespace rpl::silicon
