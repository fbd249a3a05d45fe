// SPDX-License-Identifier: MIT
#include "shell/commands/debug/list_columns.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/base/numbers.h"
#include "engine/base/text.h"

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

}  // namespace rpl
