// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/att/lines.h"
#include "engine/att/summary.h"
#include "engine/table/document.h"
#include "shell/draw/canvas.h"

/// Thread traces as lines of text and as values.
namespace rpl {

/// Where the cycles of the waves went: one line with a bar for each part, the largest first. They add up to 100 %.
std::string cycle_bars(const att::Summary& summary, const Canvas& canvas);

/// Wave states and waves in flight over time, one row of cells each; "" when neither was recorded.
std::string state_strip_text(const att::ThreadTrace& trace, const att::Summary& summary, const Canvas& canvas);

/// Executions and cycles by pipe.
std::string mix_text(const att::Summary& summary, const Canvas& canvas);

/// "4 of 256 compute units in 4 of 32 shader engines; 16 of the 128 waves that were launched there (12.5 %)".
std::string coverage_text(const att::Coverage& coverage);

/// Parts of the cycles of the waves by name: issue, drain, idle, barrier, the counters waited for, pipes that could not issue.
std::vector<std::pair<std::string, std::uint64_t>> cycle_parts(const att::Summary& summary);

/// PC samples of a table: where, and why the waves did not issue.
std::string sample_bars(const att::CodeTable& code, const Canvas& canvas);

/// The head of a heat line and the line: share of all cycles (or samples), how much of it was stalled, a bar of both. `most_pct` fills the bar.
std::string heat_header(bool samples, const Canvas& canvas);
std::string heat_cells(double share_pct, double stalled_pct, double most_pct, const Canvas& canvas);
/// Columns that heat_cells() takes.
std::size_t heat_width(const Canvas& canvas);

/// The lines of the source files of a trace, each file read once.
class SourceLines {
 public:
  explicit SourceLines(const att::ThreadTrace& trace) : trace_(trace) {}
  /// Text of a line without its indentation; "" when the trace has no copy.
  const std::string& text(const att::Place& place);

 private:
  const att::ThreadTrace& trace_;
  std::map<std::string, std::vector<std::string>> files_;
};

/// A number of 0 to 100 with two digits and a percent sign; "-" for none.
std::string pct_text(std::optional<double> pct);

}  // namespace rpl
