// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/att/analyse/lines.h"
#include "engine/att/analyse/summary.h"
#include "engine/document/bound.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/terminal/terminal.h"

namespace rpl::att {

inline constexpr auto kLatencyFields = bound_to<LatencyStats>(
    column<&LatencyStats::n>("n", "instructions"), column<&LatencyStats::mean>("mean", "cycles"),
    column<&LatencyStats::p50>("p50", "median").in(Unit::cycles),
    column<&LatencyStats::p95>("p95", "95th percentile").in(Unit::cycles),
    column<&LatencyStats::max>("max", "largest").in(Unit::cycles));
inline Columns<LatencyStats> bound(const LatencyStats*) { return kLatencyFields; }

/// 100 * part / whole of counts; nullopt for a whole of 0.
inline std::optional<double> percent(std::uint64_t part, std::uint64_t whole) {
  return percent(static_cast<double>(part), static_cast<double>(whole));
}

inline std::optional<double> waves_pct(const Coverage& coverage) {
  return coverage.launched ? percent(coverage.waves, *coverage.launched) : std::nullopt;
}
inline constexpr auto kCoverageFields = bound_to<Coverage>(
    column<&Coverage::waves>("waves_traced", "traced waves"),
    column<&Coverage::launched>("waves_launched", "in the recorded shader engines; null: unknown"),
    column<&waves_pct>("waves_pct", "waves_traced of waves_launched"),
    column<&Coverage::units>("units", "compute units with traced waves"),
    column<&Coverage::device_units>("device_units", "compute units of the device").or_null(),
    column<&Coverage::engines>("shader_engines", "with traced waves"),
    column<&Coverage::engines_recorded>("shader_engines_recorded",
                                        "of which starts and ends of waves were recorded"),
    column<&Coverage::device_engines>("device_shader_engines", "of the device").or_null(),
    column<&Coverage::simds>("simds", "with traced waves"));
inline Columns<Coverage> bound(const Coverage*) { return kCoverageFields; }

/// The one number of a list of one field.
inline std::uint64_t itself(const std::uint64_t& number) { return number; }

}  // namespace rpl::att

/// Thread traces as lines of text and as values.
namespace rpl {

/// Columns whose unit their name does not say, and numbers that are not counts.
template <auto... Steps>
consteval BoundColumn cycles(Label name, Label description) {
  return column<Steps...>(name, description).in(Unit::cycles);
}
template <auto... Steps>
consteval BoundColumn unitless(Label name, Label description) {
  return column<Steps...>(name, description).in(Unit::none);
}

using OpenAtt = Shelved<OpenThreadTrace>;
/// The field `id` of results on one thread trace.
inline constexpr auto kAttId =
    bound_to<OpenAtt>(column<&OpenAtt::id>("id", "name of the trace in this session").as(Type::id));

/// Samples in which the wave issued.
inline std::optional<double> issued_pct(const att::Samples& samples) {
  return att::percent(samples.issued, samples.count());
}

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
/// The sum of the samples of a table.
att::Samples all_samples(const att::CodeTable& code);
/// Samples that issued, and the others by reason, the largest first; in percent of all samples.
std::vector<std::pair<std::string, double>> sample_shares(const att::CodeTable& code);

/// PC samples of a table: where, and why the waves did not issue.
std::string sample_bars(const att::CodeTable& code, const Canvas& canvas);

/// A number of 0 to 100 with two digits and a percent sign; "-" for none.
std::string pct_text(std::optional<double> pct);

/// Modelled for what a cycle model made, else recorded.
Provenance provenance_of(const att::ThreadTrace& trace);

}  // namespace rpl
