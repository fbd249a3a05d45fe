// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/att/analyse/summary.h"

/// Views of a thread trace as SVG documents: data in, text out. They are self-contained and scale with the page (viewBox).
namespace rpl::att {

/// One line of source or one instruction beside its heat.
struct HeatRow {
  std::string place;       ///< "rowsum.hip:19", "0x1838"
  std::string text;        ///< source or disassembly
  double share_pct = 0;    ///< of all cycles
  double stalled_pct = 0;  ///< of these cycles, what was stall
};

/// A bar for each row: its length the share of all cycles, the dark part of it stall.
std::string stall_heat_svg(const std::string& title, const std::vector<HeatRow>& rows,
                           int width = 900);

/// Shares of the wave states over time, stacked; below, waves in flight. An empty part is left out.
std::string state_strip_svg(const std::string& title, const StateStrip& strip,
                            const OccupancyStrip& waves, int width = 900);

/// Where the cycles of the waves went, as one bar for each cause, largest first.
std::string cycle_bars_svg(const std::string& title,
                           const std::vector<std::pair<std::string, double>>& pct_by_cause,
                           int width = 900);

}  // namespace rpl::att
