// SPDX-License-Identifier: MIT
#include "tests/silicon/bands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <sstream>

#include "engine/base/files.h"
#include "engine/base/numbers.h"
#include "engine/device/cycle/launch_time.h"

namespace rpl::silicon {
namespace {

constexpr std::size_t kFewestPoints = 10, kFewestFamilies = 2;

/// Logarithms.
struct Ends {
  double low = 0, high = 0;
};

// The kth smallest and the kth largest of n leave k - 1 of n + 1 out at their side.
Ends quantiles(std::vector<double> errors, const BandRule& rule) {
  if (errors.empty()) return {};
  if (rule.symmetric) {
    const std::size_t count = errors.size();
    for (std::size_t i = 0; i < count; ++i) errors.push_back(-errors[i]);
  }
  std::ranges::sort(errors);
  const auto count = static_cast<double>(errors.size());
  const double outside = (1 - rule.level) / 2 * (count + 1);
  const auto rank = static_cast<std::size_t>(std::max(1.0, std::floor(outside))) - 1;
  const double margin = std::log1p(rule.margin);
  return {std::min(0.0, errors[rank]) - margin,
          std::max(0.0, errors[errors.size() - 1 - rank]) + margin};
}

std::vector<double> errors_of(std::span<const Residual> residuals) {
  std::vector<double> out;
  for (const Residual& one : residuals) out.push_back(one.log_error);
  return out;
}

double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  return values[values.size() / 2];
}

}  // namespace

Result<std::optional<cycle::TimeClass>> class_of_point(const std::string& folder,
                                                       const cycle::Parameters& parameters) {
  std::array<double, cycle::kTimeClasses> cycles{};
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() != ".launch") continue;
    const auto record = TRY(cycle::read_record(entry.path().string()));
    const auto time = TRY(cycle::time_launch(record, parameters, false));
    cycles[static_cast<std::size_t>(time.time_class)] += static_cast<double>(time.cycles);
  }
  const auto* const most = std::ranges::max_element(cycles);
  if (*most <= 0) return std::nullopt;
  return static_cast<cycle::TimeClass>(most - cycles.begin());
}

Result<std::vector<Residual>> read_variant_residuals(const std::string& path) {
  std::istringstream text(TRY(read_text_file(path)));
  std::vector<Residual> out;
  for (std::string line; std::getline(text, line);) {
    std::istringstream fields(line);
    std::string family, one, other, error;
    std::getline(
        std::getline(std::getline(std::getline(fields, family, ','), one, ','), other, ','), error);
    const auto log_error = whole_number<double>(error);
    const auto first = cycle::time_class(one), second = cycle::time_class(other);
    if (!log_error || !first || !second)
      return fail(Errc::corrupt, fmt::format("{}: '{}' is no residual", path, line));
    out.push_back({family, *first, *log_error, 0});
    if (*second != *first) out.push_back({family, *second, *log_error, 0});
  }
  return out;
}

std::vector<ClassBand> bands_of(std::span<const Residual> residuals, const BandRule& rule) {
  const Ends of_all = quantiles(errors_of(residuals), rule);
  std::vector<ClassBand> out;
  for (std::size_t i = 0; i < cycle::kTimeClasses; ++i) {
    ClassBand& band = out.emplace_back();
    band.time_class = static_cast<cycle::TimeClass>(i);
    std::vector<double> errors;
    std::set<std::string> families;
    for (const Residual& one : residuals) {
      if (one.time_class != band.time_class) continue;
      errors.push_back(one.log_error);
      families.insert(one.family);
      band.mean_error += std::abs(std::exp(-one.log_error) - 1);
    }
    band.points = errors.size();
    band.families = families.size();
    if (band.points > 0) band.mean_error /= static_cast<double>(band.points);
    band.pooled = band.points < kFewestPoints || band.families < kFewestFamilies;
    Ends ends = quantiles(std::move(errors), rule);
    // Few residuals do not make a class more certain than the rest.
    if (band.pooled) ends = {std::min(ends.low, of_all.low), std::max(ends.high, of_all.high)};
    band.low = std::exp(ends.low);
    band.high = std::exp(ends.high);
  }
  return out;
}

Coverage left_out_coverage(std::span<const Residual> residuals, const BandRule& rule,
                           double shortest_us) {
  std::set<std::string> families;
  for (const Residual& one : residuals) families.insert(one.family);
  Coverage out;
  std::vector<double> widths;
  for (const std::string& family : families) {
    std::vector<Residual> others;
    std::ranges::copy_if(residuals, std::back_inserter(others),
                         [&](const Residual& one) { return one.family != family; });
    const auto bands = bands_of(others, rule);
    for (const Residual& one : residuals) {
      if (one.family != family || one.real_us < shortest_us) continue;
      const ClassBand& band = bands[static_cast<std::size_t>(one.time_class)];
      constexpr double kRounding = 1e-9;
      ++out.points;
      out.inside += one.log_error >= std::log(band.low) - kRounding &&
                            one.log_error <= std::log(band.high) + kRounding
                        ? 1
                        : 0;
      widths.push_back(band.half_width());
    }
  }
  out.median_half_width = median_of(std::move(widths));
  return out;
}

BandRule level_for(std::span<const Residual> residuals, BandRule rule) {
  constexpr double kWanted = 0.9, kStep = 0.01, kMost = 0.99;
  rule.level = kWanted;
  while (rule.level < kMost && left_out_coverage(residuals, rule).share() < kWanted)
    rule.level += kStep;
  return rule;
}

namespace {

std::string table_of(std::span<const Residual> residuals, const BandRule& rule) {
  std::string out;
  for (const ClassBand& band : bands_of(residuals, rule))
    out += fmt::format(
        "  {:<9} {:>4} points of {:>2} families  mean error {:>5.1f} %  {:.2f} to {:.2f}{}\n",
        to_string(band.time_class), band.points, band.families, 100 * band.mean_error, band.low,
        band.high, band.pooled ? "  of all classes" : "");
  return out;
}

std::string coverage_of(std::span<const Residual> residuals, const BandRule& rule,
                        double shortest_us, std::string_view what) {
  const Coverage coverage = left_out_coverage(residuals, rule, shortest_us);
  return fmt::format("{}: {} of {} inside ({:.1f} %), median half-width {:.1f} %\n", what,
                     coverage.inside, coverage.points, 100 * coverage.share(),
                     100 * coverage.median_half_width);
}

}  // namespace

std::string time_bands(std::span<const Residual> residuals, double margin) {
  constexpr double kLong = 20;
  const BandRule rule = level_for(residuals, {.margin = margin});
  std::string out = fmt::format("times: bands at level {:.2f}, {:.1f} % wider at each side\n",
                                rule.level, 100 * margin);
  out += table_of(residuals, rule);
  out += coverage_of(residuals, rule, 0, "families left out");
  out += coverage_of(residuals, rule, kLong, "families left out, 20 us or longer");
  for (const ClassBand& band : bands_of(residuals, rule))
    out += fmt::format("band.low.{0} = {1:.2f}\nband.high.{0} = {2:.2f}\n",
                       to_string(band.time_class), band.low, band.high);
  return out;
}

std::string ratio_bands(std::span<const Residual> residuals) {
  const BandRule rule = level_for(residuals, {.symmetric = true});
  std::string out = fmt::format("ratios of variants: bands at level {:.2f}\n", rule.level);
  out += table_of(residuals, rule);
  out += coverage_of(residuals, rule, 0, "sources left out");
  for (const ClassBand& band : bands_of(residuals, rule))
    out += fmt::format("band.ratio.{} = {:.2f}\n", to_string(band.time_class), band.high - 1);
  return out;
}

}  // namespace rpl::silicon
