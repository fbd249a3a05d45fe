// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/arch/occupancy.h"

/// Occupancy as SVG documents: self-contained, without scripts; equal input gives equal bytes.
namespace rpl {

/// What each resource of a compute unit allows one kernel.
struct OccupancyPicture {
  std::string title;     ///< the kernel and the GPU
  std::string subtitle;  ///< "4 of 32 waves on a CU: …"
  arch::Occupancy occupancy;
  std::vector<std::string> remarks;  ///< below: what the grid fills, changes that let more waves in
};

/// A bar for each resource, as long as the workgroups that it alone would let in; the limiting ones are red.
std::string svg_occupancy(const OccupancyPicture& picture, int width = 900);

/// One kernel among several.
struct OccupancyBar {
  std::string name;
  double waves = 0, slots = 0;     ///< of a compute unit; slots 0: occupancy is unknown
  std::optional<double> grid_cap;  ///< share of the device's slots that its grid fills at most
  std::string limiter, change;     ///< "vgprs", "VGPR 132 -> 128"
};

/// A bar for each kernel: waves of the wave slots; a mark where its grid ends before.
std::string svg_occupancy_of_kernels(const std::string& title,
                                     const std::vector<OccupancyBar>& kernels, int width = 900);

}  // namespace rpl
