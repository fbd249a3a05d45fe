// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/att/analyse/lines.h"
#include "engine/att/read/wave_facts.h"
#include "engine/plot/svg.h"
#include "shell/core/terminal/terminal.h"

/// Stall heat beside source lines and instructions, as text and as the rows of a picture.
namespace rpl {

/// What shares are of: cycles where they were recorded, else samples.
struct HeatScale {
  bool samples = false;
  double whole = 0;

  explicit HeatScale(const att::CodeTable& code);
  /// In percent of all cycles or samples.
  [[nodiscard]] double share(const att::Cost& cost, const att::Samples& sampled) const;
  /// In percent of the row's own.
  [[nodiscard]] double stalled(const att::Cost& cost, const att::Samples& sampled) const;
};

/// What a row of the listing cost; samples are none where nothing was sampled.
att::Cost cost_of_row(const att::Instruction& row);
att::Samples samples_of_row(const att::CodeTable& code, std::uint32_t at);

/// "leaf", "caller" or "all".
att::Inlining inlining_of(const std::string& word);

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

/// Source lines beside their heat; `relation` stands before the rest of an inlined chain ("inlined in").
std::string lines_text(const std::vector<att::LineCost>& lines, const HeatScale& scale,
                       SourceLines& sources, std::string_view relation, const Canvas& canvas);

/// Rows of the listing in order, labels too; of `top` above 0 the instructions with most latency (or samples) alone, most first.
std::vector<std::uint32_t> insts_order(const att::CodeTable& code, std::int64_t top);
/// For each row of the listing, the listing numbers of what it waited for; all empty without facts.
std::vector<std::vector<std::int64_t>> waited_for(const att::ThreadTrace& trace,
                                                  const att::WaveFacts* facts);
/// Disassembly beside its heat; without `all` what is below 0.5 % is counted, not shown.
std::string insts_text(const att::ThreadTrace& trace, const std::vector<std::uint32_t>& order,
                       bool all, const std::vector<std::vector<std::int64_t>>& waits,
                       const HeatScale& scale, const Canvas& canvas);

/// The `top` hottest source lines, or instructions, as rows of att::stall_heat_svg(); those without cost are left out.
std::vector<att::HeatRow> line_heat(const att::ThreadTrace& trace,
                                    const std::vector<att::LineCost>& lines, std::size_t top);
std::vector<att::HeatRow> inst_heat(const att::ThreadTrace& trace, std::size_t top);

}  // namespace rpl
