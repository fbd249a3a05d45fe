// SPDX-License-Identifier: MIT
#include "engine/metrics/roofline/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace rpl {
namespace {

using arch::DataType;
using arch::Level;
using arch::Pipe;

double power_below(double value) { return std::pow(10.0, std::floor(std::log10(value))); }
double power_above(double value) { return std::pow(10.0, std::ceil(std::log10(value))); }

std::string three_digits(double value, std::string_view unit) {
  const int decimals = value < 10 ? 2 : value < 100 ? 1 : 0;
  return fmt::format("{:.{}f} {}", value, decimals, unit);
}

RateUnit unit_among(std::span<const RateUnit> units, const std::vector<RooflinePlot::Point>& points,
                    std::optional<double> RooflinePlot::Point::* rate) {
  constexpr double kLeastShown = 0.01;
  double least = HUGE_VAL, largest = 0;
  for (const auto& point : points) {
    const double value = (point.*rate).value_or(0);
    largest = std::max(largest, value);
    if (value > 0) least = std::min(least, value);
  }
  for (const RateUnit& unit : units) {
    if (largest >= unit.size && least >= kLeastShown * unit.size) return unit;
  }
  return units.back();
}

/// Units that the kernels used, and the vector ALU's F32 for scale.
std::set<ComputeUnit> units_of(const std::vector<KernelRoofline>& kernels) {
  std::set<ComputeUnit> units{{Pipe::vector, DataType::f32}};
  for (const KernelRoofline& kernel : kernels) {
    for (const UnitWork& work : kernel.work) {
      if (work.ops.value_or(0) > 0) units.insert(work.unit);
    }
  }
  return units;
}

void add_roofs(RooflinePlot& plot, const std::vector<KernelRoofline>& kernels,
               const Ceilings& ceilings, PlotRoofs which) {
  for (const auto& [level, roof] : ceilings.bandwidth) {
    const bool wanted = level == plot.level || which == PlotRoofs::all;
    if (!wanted || !roof.value || *roof.value <= 0) continue;
    plot.roofs.push_back({fmt::format("{} {}", level_title(level), short_gbps(*roof.value)),
                          *roof.value, true, level == plot.level});
  }
  for (const ComputeUnit& unit : units_of(kernels)) {
    const auto gflops = ceilings.gflops(unit);
    if (gflops && *gflops > 0)
      plot.roofs.push_back(
          {fmt::format("{} {}", to_string(unit), short_gflops(*gflops)), *gflops, false, false});
  }
  std::ranges::stable_sort(plot.roofs,
                           [](const RooflinePlot::Roof& a, const RooflinePlot::Roof& b) {
                             return a.slope != b.slope ? a.slope : a.rate > b.rate;
                           });
  const auto flat = std::ranges::find(plot.roofs, false, &RooflinePlot::Roof::slope);
  if (flat != plot.roofs.end()) flat->main = true;
}

std::string level_shares(const KernelRoofline& kernel) {
  std::string out;
  for (const RooflinePoint& point : kernel.points) {
    if (!point.achieved_gbps || !point.peak_gbps) continue;
    out += fmt::format("{}{} {:.1f} %", out.empty() ? "" : ", ", level_title(point.level),
                       100 * *point.achieved_gbps / *point.peak_gbps);
  }
  return out;
}

RooflinePlot::Point point_of(const KernelRoofline& kernel, const RooflinePoint& at, char letter,
                             const std::string& name) {
  RooflinePlot::Point out;
  out.letter = letter;
  out.name = name;
  out.intensity = at.arithmetic_intensity;
  out.gflops = at.achieved_gflops;
  out.gbps = at.achieved_gbps;
  out.roof_share = at.roof_share;
  out.time_ns = at.time_ns;
  out.calls = kernel.measured.calls;
  out.bound = at.bound;
  out.remark = at.remark;
  out.levels = level_shares(kernel);
  return out;
}

/// Whole decades around the ridge and all points, at most twelve of them, so that a stray point cannot stretch the axes.
void set_axes(RooflinePlot& plot) {
  constexpr double kMostDecades = 1e12;
  double low = 0.1, high = 100, top = 1000, bottom = 0;
  for (const RooflinePlot::Roof& roof : plot.roofs) {
    if (!roof.slope) top = std::max(top, roof.rate);
  }
  for (const RooflinePlot::Roof& roof : plot.roofs) {
    if (!roof.slope || !roof.main) continue;
    low = std::min(low, top / roof.rate / 100);
    high = std::max(high, top / roof.rate * 10);
    bottom = roof.rate * low;
  }
  bottom = bottom > 0 ? bottom : top / 1e4;
  for (const RooflinePlot::Point& point : plot.points) {
    if (!point.placed()) continue;
    low = std::min(low, *point.intensity);
    high = std::max(high, *point.intensity * 1.2);
    bottom = std::min(bottom, *point.gflops);
    top = std::max(top, *point.gflops);
  }
  plot.from_intensity = power_below(std::max(low, high / kMostDecades));
  plot.to_intensity = power_above(high);
  plot.to_gflops = power_above(top * 1.2);
  plot.from_gflops = power_below(std::max(bottom, plot.to_gflops / kMostDecades));
}

}  // namespace

std::optional<double> RooflinePlot::roof_at(double intensity) const {
  std::optional<double> slope, flat;
  for (const Roof& roof : roofs) {
    if (roof.main) (roof.slope ? slope : flat) = roof.slope ? roof.rate * intensity : roof.rate;
  }
  if (!slope || !flat) return std::nullopt;
  return std::min(*slope, *flat);
}

RooflinePlot roofline_plot(const std::vector<KernelRoofline>& kernels,
                           const std::vector<std::string>& names, Level level,
                           const Ceilings& ceilings, const std::string& product, std::size_t limit,
                           PlotRoofs roofs) {
  constexpr std::size_t kLetters = 26;
  RooflinePlot plot;
  plot.level = level;
  plot.title =
      fmt::format("{}, {}, ceilings: {}", product, level_title(level), to_string(ceilings.kind));
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const auto at = std::ranges::find(kernels[i].points, level, &RooflinePoint::level);
    if (at == kernels[i].points.end()) continue;
    if (plot.points.size() >= std::min(limit, kLetters)) {
      ++plot.left_out;
      continue;
    }
    const char letter = static_cast<char>('A' + plot.points.size());
    plot.points.push_back(point_of(kernels[i], *at, letter, names[i]));
  }
  add_roofs(plot, kernels, ceilings, roofs);
  set_axes(plot);
  return plot;
}

std::string short_gbps(double gbps) {
  return gbps >= 1000 ? three_digits(gbps / 1000, "TB/s") : three_digits(gbps, "GB/s");
}

std::string short_gflops(double gflops) {
  if (gflops >= 1e6) return three_digits(gflops / 1e6, "PF");
  if (gflops >= 1000) return three_digits(gflops / 1000, "TF");
  return three_digits(gflops, "GF");
}

std::string RateUnit::shown(const std::optional<double>& rate, std::string_view none) const {
  if (!rate) return std::string(none);
  return *rate == 0 ? fmt::format("0 {}", name) : three_digits(*rate / size, name);
}

RateUnit unit_of_gflops(const std::vector<RooflinePlot::Point>& points) {
  static constexpr std::array kUnits{RateUnit{1e6, "PF"}, RateUnit{1e3, "TF"}, RateUnit{1, "GF"}};
  return unit_among(kUnits, points, &RooflinePlot::Point::gflops);
}

RateUnit unit_of_gbps(const std::vector<RooflinePlot::Point>& points) {
  static constexpr std::array kUnits{RateUnit{1e3, "TB/s"}, RateUnit{1, "GB/s"}};
  return unit_among(kUnits, points, &RooflinePlot::Point::gbps);
}

std::string_view level_title(Level level) {
  switch (level) {
    case Level::lds:
      return "LDS";
    case Level::vl1d:
      return "vL1D";
    case Level::l2:
      return "L2";
    case Level::mall:
      return "MALL";
    case Level::hbm:
      return "HBM";
  }
  return "HBM";
}

}  // namespace rpl
