// SPDX-License-Identifier: MIT
#include "shell/commands/debug/list_columns.h"

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
  row.cause = row.findings = worst_of(cost);
  constexpr double kPercent = 100;
  row.cycles_share = percent_of(own, whole_) / kPercent;
  row.share = percent_of(waited, waited_) / kPercent;
  add_waits(cost, row);
  add_lanes(cost, row);
  return fmt::format("  {:<5} {:>10} {:>8.1f} {:>9.1f} {}{}\n", row.line, format_count(number),
                     percent_of(own, whole_), percent_of(waited, own), row.text,
                     row.cause.empty() ? "" : "   <- " + row.cause);
}

namespace {

/// What waves wait for at an instruction of a listing. A wait names its counter; anything else waits to issue.
WaitReason::Index waited_for(const att::Instruction& row) {
  using att::Category;
  if (row.traits.barrier) return WaitReason::barrier;
  if (row.traits.wait) {
    const bool memory = row.text.find("vmcnt") != std::string::npos ||
                        row.text.find("loadcnt") != std::string::npos ||
                        row.text.find("storecnt") != std::string::npos;
    const bool lds = row.text.find("lgkmcnt") != std::string::npos ||
                     row.text.find("dscnt") != std::string::npos ||
                     row.text.find("kmcnt") != std::string::npos;
    return memory ? WaitReason::memory
           : lds  ? WaitReason::lds_and_scalar_memory
                  : WaitReason::other;
  }
  switch (row.traits.category) {
    case Category::vmem:
    case Category::flat:
      return WaitReason::memory;
    case Category::lds:
    case Category::smem:
      return WaitReason::lds_and_scalar_memory;
    case Category::valu:
    case Category::matrix:
    case Category::salu:
      return WaitReason::arithmetic;
    default:
      return WaitReason::other;
  }
}

/// Reasons of PC samples, in the order of the enumeration: what the hardware says goes before what the instruction is.
WaitReason::Index waited_for(std::size_t reason, const att::Instruction& row) {
  constexpr std::size_t kAluDependency = 2, kWaitcnt = 3, kBarrierWait = 5;
  return reason == kAluDependency ? WaitReason::arithmetic
         : reason == kBarrierWait ? WaitReason::barrier
         : reason == kWaitcnt     ? waited_for(row)
                                  : WaitReason::other;
}

}  // namespace

void TraceHeat::add_waits(const att::LineCost& line, ListedLine& row) const {
  ByWaitReason<std::uint64_t> sums{};
  for (const std::uint32_t at : line.rows) {
    const att::Instruction& one = code_.rows[at];
    if (code_.timed) {
      sums[waited_for(one)] += one.stall;
    } else if (at < code_.samples.size()) {
      for (std::size_t reason = 0; reason < att::kStallReasons; ++reason)
        sums[waited_for(reason, one)] += code_.samples[at].reasons[reason];
    }
  }
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (waited_ > 0) row.waits[i] = static_cast<double>(sums[i]) / static_cast<double>(waited_);
  }
}

void TraceHeat::add_lanes(const att::LineCost& line, ListedLine& row) const {
  std::uint64_t lanes = 0, samples = 0;
  for (const std::uint32_t at : line.rows) {
    if (at >= code_.samples.size() || code_.samples[at].lanes == 0) continue;
    lanes += code_.samples[at].lanes;
    samples += code_.samples[at].count();
  }
  if (samples > 0) row.lanes = static_cast<double>(lanes) / static_cast<double>(samples);
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
