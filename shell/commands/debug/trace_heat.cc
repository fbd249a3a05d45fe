// SPDX-License-Identifier: MIT
#include "shell/commands/debug/trace_heat.h"

#include <fmt/format.h>

#include "engine/base/numbers.h"
#include "engine/base/text.h"

namespace rpl {
namespace {

double percent_of(std::uint64_t part, std::uint64_t whole) {
  constexpr double kPercent = 100;
  return whole == 0 ? 0.0 : kPercent * static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

TraceHeat::TraceHeat(const att::CodeTable& code, const std::vector<att::LineCost>& own)
    : code_(code) {
  for (const att::LineCost& line : own) {
    whole_ += code.timed ? line.cost.latency : line.samples.count();
    waited_ += code.timed ? line.cost.stall : line.samples.stalled;
  }
}

std::string TraceHeat::header() const {
  return code_.timed ? fmt::format("  {:<5} {:>10} {:>8} {:>9}\n", "line", "executed", "cycles %",
                                   "stalled %")
                     : fmt::format("  {:<5} {:>10} {:>8} {:>9}\n", "line", "samples", "of all %",
                                   "waited %");
}

std::string TraceHeat::line(const att::LineCost& cost, ListedLine& row) const {
  std::uint64_t number = cost.cost.hits, own = cost.cost.latency, waited = cost.cost.stall;
  if (code_.timed) {
    row.executed = number;
    row.cycles = own;
    row.stalled = waited;
  } else {
    number = own = cost.samples.count();
    waited = cost.samples.stalled;
    row.samples = own;
    row.samples_waited = waited;
  }
  row.cause = worst_of(cost);
  return fmt::format("  {:<5} {:>10} {:>8.1f} {:>9.1f} {}{}\n", row.line, format_count(number),
                     percent_of(own, whole_), percent_of(waited, own), row.text,
                     row.cause.empty() ? "" : "   <- " + row.cause);
}

/// The instruction of the line at which waves waited longest, where that is some of all that they waited.
std::string TraceHeat::worst_of(const att::LineCost& line) const {
  constexpr double kSome = 2;
  std::uint64_t most = 0;
  std::string text;
  for (const std::uint32_t at : line.rows) {
    const std::uint64_t waits = code_.timed                 ? code_.rows[at].stall
                                : at < code_.samples.size() ? code_.samples[at].stalled
                                                            : 0;
    if (waits <= most) continue;
    most = waits;
    text = code_.rows[at].text;
  }
  const double share = percent_of(most, waited_);
  return share < kSome ? "" : fmt::format("{}: {:.1f} % of all stall", text, share);
}

}  // namespace rpl
