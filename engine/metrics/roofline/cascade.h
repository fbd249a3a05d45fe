// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/metrics/roofline/points.h"

namespace rpl {

/// The way of a kernel's data from the CUs outwards, for pictures. Amounts are means of a dispatch.
struct MemoryCascade {
  /// Traffic on the outer side of one station.
  struct Traffic {
    std::optional<double> read_bytes, write_bytes;  ///< null: not counted, or not counted apart
    std::optional<double> bytes;                    ///< of both directions
    std::optional<double> gbps, peak_gbps;          ///< rate of `bytes`; null without a duration
    std::string remark;                             ///< what the bytes are: "tag look-ups of 64 B"
  };
  struct Station {
    std::string name;                ///< "vL1D", "L2", "fabric"
    std::optional<double> hit_rate;  ///< 0 to 1; null: not counted, or a station without one
    bool has_hit_rate = false;
    Traffic inward;  ///< between this station and the one nearer to the CUs
  };

  std::string kernel;  ///< its full name
  std::string gpu;     ///< "MI300X (gfx942)"
  std::uint64_t calls = 0;
  std::optional<double> time_ns;
  std::string time_source;  ///< "plain", "instrumented", …
  std::optional<double> waves, valu_utilization, mfma_utilization, active_lanes, occupancy;
  Traffic lds;
  std::optional<double> lds_conflict_rate;  ///< cycles lost for each useful one
  std::vector<Station>
      stations;  ///< vL1D, L2, fabric; a level that cannot be counted here is absent
  std::vector<std::string> missing;  ///< counters that were not collected
};

/// Fills it from a kernel's counters.
MemoryCascade memory_cascade(const KernelRoofline& kernel, const std::string& name,
                             const std::string& gpu);

}  // namespace rpl
