// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "engine/tune/search/evaluation.h"
#include "engine/tune/search/random.h"

/// Spaces whose every time is known, made by formulas: what strategies are held against.
namespace rpl::testing_support {

struct Landscape {
  std::string name;
  tune::Space space;
  tune::Cache cache;                         ///< what measuring gives
  std::vector<std::optional<double>> times;  ///< the same by point
  std::vector<std::optional<double>> truth;  ///< without noise
  bool smooth = true;
};

inline tune::Space tile_space() {
  using tune::Parameter;
  return *tune::Space::product(
      {Parameter{"BLOCK_M", {16, 32, 64, 128, 256}}, Parameter{"BLOCK_N", {16, 32, 64, 128, 256}},
       Parameter{"BLOCK_K", {8, 16, 32, 64}}, Parameter{"WARPS", {1, 2, 4, 8}},
       Parameter{"STAGES", {1, 2, 3, 4}}},
      {"BLOCK_M * BLOCK_N <= 32768"});
}

inline double number_at(const tune::Space& space, std::size_t point, std::size_t parameter) {
  return *space.parameters()[parameter].values[space.places(point)[parameter]].number();
}

/// A repeatable number in [0, 1) for a point.
inline double hashed(std::size_t point, std::uint64_t salt) {
  return tune::Random(point * 2654435761U + salt).unit();
}

/// The usual shape: too small tiles load too much, too large ones leave units idle, each unit likes its own middle.
inline double tile_time(const tune::Space& space, std::size_t point) {
  const double m = std::log2(number_at(space, point, 0)), n = std::log2(number_at(space, point, 1)),
               k = std::log2(number_at(space, point, 2)),
               warps = std::log2(number_at(space, point, 3)), stages = number_at(space, point, 4);
  const double tile = m + n;
  double log_time =
      0.06 * (tile - 13) * (tile - 13) + 0.05 * (m - n) * (m - n) + 0.09 * (k - 4.6) * (k - 4.6);
  log_time +=
      0.08 * (warps - (tile - 11)) * (warps - (tile - 11)) + 0.05 * (stages - 2.4) * (stages - 2.4);
  return 1e6 * std::exp(log_time);
}

/// Not of degree 2: traffic and idle lanes add up, and occupancy falls in steps.
inline double occupancy_time(const tune::Space& space, std::size_t point) {
  const double m = number_at(space, point, 0), n = number_at(space, point, 1),
               k = number_at(space, point, 2), warps = number_at(space, point, 3),
               stages = number_at(space, point, 4);
  const double lds = (m + n) * k * 4 * stages;
  const double waves = std::min(8.0, std::floor(65536 / lds) * warps);
  const double traffic = 1 / m + 1 / n, idle = 1 + m * n / 65536, start = 1 + 3 / k;
  return 1e6 * (20 * traffic + 0.35 * idle * start) * (1 + 1.6 / std::max(waves, 0.5));
}

inline Landscape landscape(const std::string& name, bool smooth,
                           double (*shape)(const tune::Space&, std::size_t), double rugged,
                           double failing, double noise, std::uint64_t salt = 1) {
  Landscape out{
      .name = name, .space = tile_space(), .cache = {}, .times = {}, .truth = {}, .smooth = smooth};
  for (std::size_t point = 0; point < out.space.size(); ++point) {
    const double m = number_at(out.space, point, 0), n = number_at(out.space, point, 1),
                 k = number_at(out.space, point, 2), stages = number_at(out.space, point, 4);
    const bool fails = failing > 0 && (m + n) * k * 4 * stages > 65536 * (1 - failing);
    const double time = shape(out.space, point) * std::exp(rugged * hashed(point, salt));
    const double seen = time * (1 + noise * tune::Random(point + 77).normal());
    out.truth.push_back(fails ? std::nullopt : std::optional(time));
    out.times.push_back(fails ? std::nullopt : std::optional(seen));
    tune::Evaluation one{.point = point, .ok = !fails};
    if (fails) {
      one.stage = "build";
      one.reason = "the tiles take more LDS than there is";
    } else {
      one.samples_ns = {seen};
      one.time_source = "modelled";
    }
    out.cache.add(std::move(one));
  }
  return out;
}

inline double no_shape(const tune::Space& /*space*/, std::size_t /*point*/) { return 1e6; }

inline std::vector<Landscape> all_landscapes() {
  return {landscape("smooth: degree 2", true, tile_time, 0, 0, 0),
          landscape("smooth: occupancy steps", true, occupancy_time, 0, 0, 0),
          landscape("smooth with failures", true, tile_time, 0, 0.3, 0),
          landscape("smooth with noise of 3 %", true, tile_time, 0, 0, 0.03),
          landscape("rugged on a slope", false, tile_time, 1.5, 0, 0),
          landscape("rugged: nothing to learn", false, no_shape, 3, 0, 0),
          landscape("rugged: another draw", false, no_shape, 3, 0, 0, 5),
          landscape("rugged: a third draw", false, no_shape, 3, 0, 0, 9)};
}

}  // namespace rpl::testing_support
