// SPDX-License-Identifier: MIT
#include "shell/commands/debug/list_columns.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/base/numbers.h"
#include "engine/base/text.h"
#include "engine/isa/object/function_names.h"

namespace rpl {
namespace {

constexpr double kPercent = 100;

std::string count_cell(const std::optional<std::uint64_t>& count) {
  return count ? format_count(*count) : "";
}
std::string percent_cell(const std::optional<double>& share) {
  return share ? fmt::format("{:.1f}", *share * kPercent) : "";
}
std::string number_cell(const std::optional<double>& number) {
  return number ? fmt::format("{:.1f}", *number) : "";
}

constexpr unsigned kRun = 1, kTrace = 2, kSamples = 4, kCounted = 8;
unsigned bit_of(ListSource source) { return 1U << static_cast<unsigned>(source); }

struct ListColumn {
  Label name;
  const char* heading;
  unsigned sources;
  std::string (*cell)(const ListedLine& row);
};

constexpr std::size_t kFindings = 14;
constexpr ListColumn kColumns[] = {
    {"executed", "executed", kRun | kTrace | kCounted,
     [](const ListedLine& row) { return count_cell(row.executed); }},
    {"samples", "samples", kSamples, [](const ListedLine& row) { return count_cell(row.samples); }},
    {"cycles", "cycles %", kTrace,
     [](const ListedLine& row) { return percent_cell(row.cycles_share); }},
    {"stall", "stall %", kRun | kTrace | kSamples,
     [](const ListedLine& row) { return percent_cell(row.share); }},
    {"stalled", "stalled %", kTrace | kSamples,
     [](const ListedLine& row) -> std::string {
       const auto& waited = row.cycles ? row.stalled : row.samples_waited;
       const auto& whole = row.cycles ? row.cycles : row.samples;
       if (!waited || !whole || *whole == 0) return "";
       return percent_cell(static_cast<double>(*waited) / static_cast<double>(*whole));
     }},
    {"memory", "memory %", kRun | kTrace | kSamples,
     [](const ListedLine& row) { return percent_cell(row.waits[WaitReason::memory]); }},
    {"lds", "LDS %", kRun | kTrace | kSamples,
     [](const ListedLine& row) {
       return percent_cell(row.waits[WaitReason::lds_and_scalar_memory]);
     }},
    {"barrier", "barrier %", kRun | kTrace | kSamples,
     [](const ListedLine& row) { return percent_cell(row.waits[WaitReason::barrier]); }},
    {"math", "math %", kRun | kTrace | kSamples,
     [](const ListedLine& row) { return percent_cell(row.waits[WaitReason::arithmetic]); }},
    {"other", "other %", kRun | kTrace | kSamples,
     [](const ListedLine& row) { return percent_cell(row.waits[WaitReason::other]); }},
    {"lanes", "lanes", kRun | kSamples | kCounted,
     [](const ListedLine& row) { return number_cell(row.lanes); }},
    {"transactions", "x least", kRun | kCounted,
     [](const ListedLine& row) { return number_cell(row.least); }},
    {"conflicts", "conflicts", kRun | kCounted,
     [](const ListedLine& row) { return count_cell(row.conflicts); }},
    {"spills", "spills", kRun | kCounted,
     [](const ListedLine& row) { return count_cell(row.spills); }},
    {"findings", "", kRun | kTrace | kSamples, [](const ListedLine&) { return std::string(); }},
};
static_assert(std::string_view(kColumns[kFindings].name) == "findings");

std::size_t width_of(const ListColumn& column) {
  return std::max<std::size_t>(std::string_view(column.heading).size(), 8);
}

}  // namespace

std::vector<Label> list_column_names() {
  std::vector<Label> out;
  for (const ListColumn& column : kColumns) out.push_back(column.name);
  return out;
}

Result<ListColumns> ListColumns::of(const std::vector<std::string>& names, ListSource source) {
  ListColumns out;
  for (const std::string& name : names) {
    const auto found = std::ranges::find_if(
        kColumns, [&](const ListColumn& column) { return std::string_view(column.name) == name; });
    const auto at = static_cast<std::size_t>(found - std::begin(kColumns));
    if (at == std::size(kColumns) || (found->sources & bit_of(source)) == 0) {
      std::vector<std::string_view> there;
      for (const ListColumn& column : kColumns) {
        if ((column.sources & bit_of(source)) != 0) there.push_back(column.name);
      }
      return fail(
          Errc::usage,
          fmt::format("{} {} no column '{}'",
                      source == ListSource::run       ? "a run on the emulated device"
                      : source == ListSource::counted ? "a run that was counted and not modelled"
                      : source == ListSource::trace   ? "a thread trace"
                                                      : "PC samples",
                      source == ListSource::samples ? "have" : "has", name),
          fmt::format("--columns takes {}", fmt::join(there, ", ")));
    }
    if (at == kFindings)
      out.findings_ = true;
    else if (std::ranges::find(out.chosen_, at) == out.chosen_.end())
      out.chosen_.push_back(at);
  }
  return out;
}

std::string ListColumns::header() const {
  std::string text = fmt::format("   {:<5}", "line");
  for (const std::size_t at : chosen_)
    text += fmt::format(" {:>{}}", kColumns[at].heading, width_of(kColumns[at]));
  return text + "\n";
}

std::string ListColumns::line(const ListedLine& row) const {
  std::string text = fmt::format("{} {:<5}", row.current ? "=>" : "  ", row.line);
  for (const std::size_t at : chosen_)
    text += fmt::format(" {:>{}}", kColumns[at].cell(row), width_of(kColumns[at]));
  text += fmt::format(" {}", row.text);
  if (findings_ && !row.findings.empty()) text += "   <- " + row.findings;
  return text + "\n";
}

namespace {

double percent_of(std::uint64_t part, std::uint64_t whole) {
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

void fill_row(const PlaceCost& cost, const RunCosts& costs, bool timed, ListedLine& row) {
  row.executed = cost.executed;
  row.cause = cost.cause;
  row.findings = cost.causes;
  if (timed) row.stall_caused = cost.stall_caused;
  if (timed) row.share = cost.share;
  for (std::size_t i = 0; timed && i < kWaitReasons; ++i)
    row.waits[i] = costs.share_of(cost.caused_by[i]);
  if (cost.vector_executed > 0)
    row.lanes = static_cast<double>(cost.active_lanes) / static_cast<double>(cost.vector_executed);
  if (cost.least_lines > 0) row.least = static_cast<double>(cost.lines) / cost.least_lines;
  row.conflicts = cost.conflicts;
  row.spills = cost.spills;
}

bool same_file(std::string_view path, std::string_view name) {
  return path.ends_with(name) &&
         (path.size() == name.size() || path[path.size() - name.size() - 1] == '/');
}

isa::SourcePlace first_line_of(const isa::CodeObject& object, const isa::SourceLines& lines,
                               const std::string& name) {
  for (const isa::SourceLines::Function& function : lines.functions()) {
    const bool kernel = !function.inlined && object.kernel(function.name).has_value();
    if (function.ranges.empty()) continue;
    if (name.empty() ? !kernel : !isa::names_function(name, function.name)) continue;
    const auto chain = lines.chain(std::ranges::min(function.ranges).first);
    if (!chain.empty()) return function.inlined ? chain.front() : chain.back();
  }
  return {};
}

}  // namespace rpl
