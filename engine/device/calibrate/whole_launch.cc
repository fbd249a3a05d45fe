// SPDX-License-Identifier: MIT
#include "engine/device/calibrate/whole_launch.h"

#include <algorithm>
#include <cmath>

namespace rpl::calibrate {
namespace {

constexpr double kKiB = 1024;

std::uint32_t whole(double cycles) {
  constexpr double kMost = 100'000;
  return static_cast<std::uint32_t>(std::clamp(std::round(cycles), 1.0, kMost));
}

}  // namespace

std::optional<WholeLaunch> whole_launch_of(const att::ThreadTrace& trace, std::uint64_t bytes,
                                           std::uint64_t waves) {
  const att::Device& device = trace.device;
  if (!trace.occupancy || waves == 0 || device.shader_engines == 0 ||
      device.cus < device.shader_engines)
    return std::nullopt;
  double started = 0, busy = 0, engines = 0;
  for (const att::OccupancyOfEngine& each : trace.occupancy->engines) {
    const att::EngineOccupancy engine = att::occupancy_of(each);
    started += static_cast<double>(engine.starts);
    busy += static_cast<double>(engine.cus);
    engines += 1;
  }
  if (started == 0) return std::nullopt;
  const double all = device.shader_engines;
  WholeLaunch out;
  out.bytes = static_cast<double>(bytes) / static_cast<double>(waves) * started * all / engines;
  out.busy_share = std::min(1.0, busy / (engines * device.cus / all));
  return out;
}

std::string_view to_string(LoadSource source) {
  switch (source) {
    case LoadSource::l2:
      return "L2";
    case LoadSource::mall:
      return "Infinity Cache";
    case LoadSource::memory:
      return "memory";
  }
  return "L2";
}

LoadSource load_source(const std::optional<WholeLaunch>& launch, const cycle::Parameters& p) {
  if (!launch || p.assumed_mall == 0) return LoadSource::l2;
  if (launch->bytes <= static_cast<double>(p.l2_bytes) * p.xcds) return LoadSource::l2;
  return launch->bytes <= static_cast<double>(p.mall_bytes) ? LoadSource::mall : LoadSource::memory;
}

cycle::Parameters with_load_source(cycle::Parameters p, const std::optional<WholeLaunch>& launch) {
  const LoadSource source = load_source(launch, p);
  if (source == LoadSource::l2) return p;
  const bool mall = source == LoadSource::mall;
  const double all_busy = mall ? p.assumed_mall : kKiB * p.compute_units / p.hbm_bandwidth;
  p.assumed_service = std::max(p.assumed_service, whole(all_busy * launch->busy_share));
  p.assumed_load = std::max(p.assumed_load, mall ? p.mall_latency : p.hbm_latency);
  return p;
}

}  // namespace rpl::calibrate
