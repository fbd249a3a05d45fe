// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/metrics/roofline/points.h"

namespace rpl {

/// What a roofline picture shows; made once, drawn as text and as SVG. Both axes are logarithmic.
struct RooflinePlot {
  /// A sloped roof (a memory level) or a flat one (a unit).
  struct Roof {
    std::string label;  ///< "HBM 5.32 TB/s", "matrix f16 1.31 PF"
    double rate = 0;    ///< GB/s of a slope, GFLOP/s of a flat roof
    bool slope = false;
    bool main =
        false;  ///< the level that the points belong to, or the highest roof that the points can reach
  };
  struct Point {
    char letter = 'A';
    std::string name;  ///< full kernel name
    std::optional<double>
        intensity;  ///< FLOP/B; null or 0: it has no place on the axis and is drawn at the left edge
    std::optional<double> gflops;
    std::optional<double> gbps, roof_share;
    std::optional<double> time_ns;
    std::uint64_t calls = 0;
    RooflineBound bound = RooflineBound::unknown;
    std::string remark;
    std::string
        levels;  ///< "HBM 42.7 %, L2 6.6 %": share of each level's bandwidth; "" without a time
    [[nodiscard]] bool placed() const {
      return intensity && *intensity > 0 && gflops && *gflops > 0;
    }
  };

  std::string title;  ///< "gfx942 MI300X, HBM, ceilings: spec"
  arch::Level level = arch::Level::hbm;
  double from_intensity = 0.01, to_intensity = 1000;  ///< powers of ten
  double from_gflops = 1, to_gflops = 1e6;            ///< powers of ten
  std::vector<Roof> roofs;                            ///< slopes first, each kind by falling rate
  std::vector<Point> points;                          ///< lettered A, B, …
  std::size_t left_out = 0;                           ///< kernels for which there was no letter

  /// Height of the roof over an intensity: min(highest flat roof, slope of the level), in GFLOP/s; null when one is unknown.
  [[nodiscard]] std::optional<double> roof_at(double intensity) const;
};

/// Which levels get a slope beside that of the points.
enum class PlotRoofs { one, all };

/// Builds the picture of `kernels` at a level: at most `limit` points, in their order. `product` stands in the title.
RooflinePlot roofline_plot(const std::vector<KernelRoofline>& kernels,
                           const std::vector<std::string>& names, arch::Level level,
                           const Ceilings& ceilings, const std::string& product, std::size_t limit,
                           PlotRoofs roofs);

/// "5.32 TB/s", "612 GB/s": three digits.
std::string short_gbps(double gbps);
/// "1.31 PF", "163 TF", "12.0 GF".
std::string short_gflops(double gflops);

/// The unit in which the rates of a column are shown: the largest of which the least rate above 0 is at least a hundredth.
struct RateUnit {
  double size = 1;
  std::string_view name;
  /// "0.57 PF"; `none` for null.
  [[nodiscard]] std::string shown(const std::optional<double>& rate, std::string_view none) const;
};
RateUnit unit_of_gflops(const std::vector<RooflinePlot::Point>& points);
RateUnit unit_of_gbps(const std::vector<RooflinePlot::Point>& points);

/// "HBM", "L2", "vL1D", "LDS", "MALL": as people write them.
std::string_view level_title(arch::Level level);

}  // namespace rpl
