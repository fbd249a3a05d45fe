// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/att/analyse/lines.h"
#include "engine/att/analyse/summary.h"
#include "engine/document/document.h"
#include "shell/core/terminal/canvas.h"

/// Thread traces as lines of text and as values.
namespace rpl {

/// Where the cycles of the waves went: one line with a bar for each part, the largest first. They add up to 100 %.
std::string cycle_bars(const att::Summary& summary, const Canvas& canvas);

/// What waves did over time, in `bins` columns; parts without a recording are empty.
struct WaveStrips {
  att::StateStrip
      states;  ///< of the traced units; from the wave files where there are no wstates files
  att::OccupancyStrip waves;  ///< in flight on all units of the recorded shader engines
};
WaveStrips wave_strips(const att::ThreadTrace& trace, const att::WaveFacts* facts,
                       const att::Summary& summary, std::size_t bins);
/// The same as text, one row of cells each; "" when neither was recorded.
std::string state_strip_text(const att::ThreadTrace& trace, const att::WaveFacts* facts,
                             const att::Summary& summary, const Canvas& canvas);

/// Executions and cycles by pipe.
std::string mix_text(const att::Summary& summary, const Canvas& canvas);

/// "4 of 256 compute units in 4 of 32 shader engines; 16 of the 128 waves that were launched there (12.5 %)".
std::string coverage_text(const att::Coverage& coverage);

/// Parts of the cycles of the waves by name: issue, drain, idle, barrier, the counters waited for, pipes that could not issue.
std::vector<std::pair<std::string, std::uint64_t>> cycle_parts(const att::Summary& summary);

/// The same in percent of all cycles.
std::vector<std::pair<std::string, double>> cycle_shares(const att::Summary& summary);
/// Samples that issued, and the others by reason, the largest first; in percent of all samples.
std::vector<std::pair<std::string, double>> sample_shares(const att::CodeTable& code);

/// PC samples of a table: where, and why the waves did not issue.
std::string sample_bars(const att::CodeTable& code, const Canvas& canvas);

/// A number of 0 to 100 with two digits and a percent sign; "-" for none.
std::string pct_text(std::optional<double> pct);

/// Modelled for what a cycle model made, else recorded.
Provenance provenance_of(const att::ThreadTrace& trace);

}  // namespace rpl
