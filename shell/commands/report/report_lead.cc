// SPDX-License-Identifier: MIT
#include "shell/commands/report/report_lead.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "engine/base/numbers.h"
#include "engine/base/text.h"
#include "shell/commands/report/report_parts.h"
#include "shell/core/inputs/overview.h"

namespace rpl {
namespace {

constexpr std::size_t kThings = 3;
constexpr double kHundred = 100;
constexpr std::string_view kNotPriced = "not priced";

std::string sentence(std::string text) {
  if (text.empty()) return text;
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text.ends_with('.') ? text : text + ".";
}

std::string counted(double count, std::string_view what) {
  const auto whole = static_cast<std::uint64_t>(count);
  return fmt::format("{} {}{}", format_count(whole), what, whole == 1 ? "" : "s");
}

std::string percent_text(double share) {
  return share > 0 && share < 0.01 ? fmt::format("{:.1f}", kHundred * share)
                                   : fmt::format("{:.0f}", kHundred * share);
}

/// "13 to 26 %".
std::string range_text(double low, double high) {
  const std::string from = percent_text(low), to = percent_text(high);
  return from == to ? to + " %" : fmt::format("{} to {} %", from, to);
}

/// Cells of the rows of a document by the names of their columns.
class Cells {
 public:
  explicit Cells(const Document& document) : document_(document) {}
  [[nodiscard]] const Value* at(const Row& row, std::string_view name) const {
    const auto column = column_index(document_, name);
    return column ? &row[*column] : nullptr;
  }
  [[nodiscard]] std::string text(const Row& row, std::string_view name) const {
    const Value* value = at(row, name);
    const auto* text = value != nullptr ? value->as<std::string>() : nullptr;
    return text != nullptr ? *text : std::string();
  }
  [[nodiscard]] std::optional<double> number(const Row& row, std::string_view name) const {
    const Value* value = at(row, name);
    return value != nullptr ? value->number() : std::nullopt;
  }

 private:
  const Document& document_;
};

const Value* member(const Value& record, std::string_view name) {
  const auto* all = record.as<Record>();
  if (all == nullptr) return nullptr;
  for (const auto& [key, value] : *all) {
    if (key == name) return &value;
  }
  return nullptr;
}

/// When the first place of a finding was, from the beginning of the recording.
std::optional<std::pair<std::int64_t, std::int64_t>> window_of(const Value* places) {
  const auto* list = places != nullptr ? places->as<List>() : nullptr;
  if (list == nullptr || list->empty()) return std::nullopt;
  const Value* from = member(list->front(), "from_ns");
  const Value* to = member(list->front(), "to_ns");
  if (from == nullptr || to == nullptr || !from->number() || !to->number()) return std::nullopt;
  return std::pair{static_cast<std::int64_t>(*from->number()),
                   static_cast<std::int64_t>(*to->number())};
}

/// A cause as people say it: "small-grid" is "small grid".
std::string in_words(std::string cause) {
  std::ranges::replace(cause, '-', ' ');
  return sentence(std::move(cause));
}

struct Weigher {
  std::map<std::string, double, std::less<>> shares = {};  ///< of all kernels' time, by id
  double busy = 1;                                         ///< of the span

  /// A kernel that the recording does not have (a thread trace's of another program) weighs little beside what it has.
  [[nodiscard]] double of(std::string_view kernel) const {
    constexpr double kElsewhere = 0.01;
    const auto found = shares.find(kernel);
    if (found != shares.end()) return found->second;
    return shares.empty() ? 1 : kElsewhere;
  }
};

std::string kernel_cell(const Cells& cells, const Row& row) {
  const std::string name = cells.text(row, "name");
  return short_kernel(demangled(name.empty() ? cells.text(row, "kernel") : name));
}

ReportThing thing_of(const Cells& cells, const Row& row, const Weigher& weigh) {
  ReportThing out;
  const std::string id = cells.text(row, "id");
  const bool application = id == "app";
  constexpr std::size_t kNameWidth = 60;
  if (id.starts_with('k')) {
    out.kernel = id;
    out.name = elide_middle(kernel_cell(cells, row), kNameWidth);
  }
  out.what =
      fmt::format("{} {}", in_words(cells.text(row, "cause")), sentence(cells.text(row, "remedy")));
  out.where = cells.text(row, "where");
  out.line = cells.text(row, "next");
  out.window_ns = window_of(cells.at(row, "places"));
  const auto low = cells.number(row, "worth_low"), high = cells.number(row, "worth_high");
  const double share = application ? 1 : weigh.of(id) * weigh.busy;
  if (!low || !high) {
    out.worth = std::string(kNotPriced);
    // Behind what is priced, in the order of the kernels' time.
    out.weight = 1e-6 * share;
    return out;
  }
  constexpr double kHalf = 0.5;
  out.weight = kHalf * (*low + *high) * share;
  out.worth = fmt::format("{} of {}", range_text(*low, *high),
                          application          ? "the span"
                          : out.kernel.empty() ? "the time of " + kernel_cell(cells, row)
                                               : "the time of " + out.kernel);
  if (!application && weigh.shares.contains(id))
    out.worth += fmt::format(", which is {} % of the kernels' time", percent_text(weigh.of(id)));
  return out;
}

}  // namespace

Result<std::vector<std::string>> lead_of_trace(const Loaded& now, const Document& summary) {
  std::vector<std::string> out;
  const Overview overview = overview_of(*now.trace, *TRY(stats_of(now)));
  const double span = number_in(summary, "span_ns").value_or(0);
  const double dispatches = number_in(summary, "dispatches").value_or(0);
  if (const auto nothing = nothing_ran(*now.trace)) {
    out.push_back(sentence(*nothing));
    return out;
  }
  out.push_back(fmt::format(
      "{} dispatch{} of {} {} recorded{} on {} ({}).",
      format_count(static_cast<std::uint64_t>(dispatches)), dispatches == 1 ? "" : "es",
      counted(number_in(summary, "kernels").value_or(0), "kernel"),
      dispatches == 1 ? "was" : "were", overview.timed && span > 0 ? " in " + format_ns(span) : "",
      overview.devices.empty() ? "an unnamed GPU" : overview.devices, overview.format));
  if (now.trace->presence().modelled)
    out.emplace_back("The times are modelled by the emulated device; no GPU ran.");
  if (!overview.timed) {
    out.emplace_back("The recording has counters and no times.");
    return out;
  }
  if (const std::string verdict = text_in(summary, "verdict"); !verdict.empty())
    out.push_back(sentence(verdict));
  if (const auto busy = number_in(summary, "busy_share"))
    out.push_back(fmt::format("The GPU was busy for {:.1f} % of the time.", kHundred * *busy));
  if (const auto steps = number_in(summary, "steps")) {
    const auto idle = number_in(summary, "step_idle_share");
    out.push_back(fmt::format("A loop of {} repeats, {} each{}.", counted(*steps, "step"),
                              format_ns(number_in(summary, "step_ns").value_or(0)),
                              idle ? fmt::format(", {:.1f} % of it idle", kHundred * *idle) : ""));
  }
  return out;
}

std::vector<std::string> lead_of_thread_trace(const Document& summary) {
  std::vector<std::string> out;
  const std::string kernel = text_in(summary, "kernel");
  const auto waves = number_in(summary, "waves");
  out.push_back(fmt::format("A {} of {}{}.", text_in(summary, "kind"),
                            kernel.empty() ? "an unnamed kernel" : short_kernel(kernel),
                            waves ? " shows " + counted(*waves, "wave") : ""));
  const Value* causes = summary.get("cycles_by_cause_pct");
  const auto* by_cause = causes != nullptr ? causes->as<Record>() : nullptr;
  const auto stall = number_in(summary, "stall_pct"), issue = number_in(summary, "issue_pct");
  if (by_cause != nullptr && !by_cause->empty() && stall && issue) {
    const auto& [cause, share] = by_cause->front();
    out.push_back(
        fmt::format("Of the waves' cycles {:.1f} % were stalled and {:.1f} % issued; most went to "
                    "{} ({:.1f} %).",
                    *stall, *issue, cause, share.number().value_or(0)));
  }
  return out;
}

std::vector<std::string> lead_of_comparison(const Document& compared, const std::string& before) {
  std::vector<std::string> out;
  const auto ratio = [&](std::string_view what, std::string_view name, std::string_view from,
                         std::string_view to) {
    const auto value = number_in(compared, name);
    if (!value) return;
    const double change = kHundred * (*value - 1);
    constexpr double kLeast = 0.05;
    const std::string how = std::abs(change) < kLeast ? std::string("no change")
                                                      : fmt::format("{:.1f} % {}", std::abs(change),
                                                                    change < 0 ? "less" : "more");
    const std::string text = fmt::format("{}{} went from {} to {} ({}).",
                                         out.empty() ? fmt::format("against {}, ", before) : "",
                                         what, format_ns(number_in(compared, from).value_or(0)),
                                         format_ns(number_in(compared, to).value_or(0)), how);
    out.push_back(sentence(text));
  };
  ratio("the span", "span_ratio", "before_span_ns", "after_span_ns");
  ratio("the kernels' time", "gpu_time_ratio", "before_gpu_time_ns", "after_gpu_time_ns");
  ratio("the median step", "step_ratio", "before_step_ns", "after_step_ns");
  if (const std::string verdict = text_in(compared, "steps_are"); !verdict.empty())
    out.push_back(
        verdict == "unclear"
            ? std::string("Whether its steps became faster, these recordings do not tell.")
            : fmt::format("Its steps are {}.", verdict == "same" ? "as fast" : verdict));
  return out;
}

std::vector<ReportThing> things_to_do(const Document& findings, const Document* advice,
                                      const Loaded* now, const TraceStats* stats) {
  Weigher weigh;
  if (now != nullptr && stats != nullptr) {
    for (const KernelStats& row : stats->kernels)
      weigh.shares[now->trace->kernels()[row.kernel].id] = row.share;
    const double span = static_cast<double>(stats->totals.span_ns);
    if (span > 0) weigh.busy = std::min(1.0, static_cast<double>(stats->totals.gpu_time_ns) / span);
  }
  std::vector<ReportThing> out;
  const Cells cells(findings);
  static_cast<void>(findings.each_row([&](const Row& row) {
    // That nothing is wrong with the application is nothing to do.
    const bool is_nothing = cells.text(row, "cause") == "nothing-of-note";
    if (!is_nothing && !cells.text(row, "remedy").empty())
      out.push_back(thing_of(cells, row, weigh));
    return true;
  }));
  // What cannot matter to the whole is not what to do first, whatever it is worth to its kernel.
  constexpr double kLeast = 0.002, kLeastUnpriced = 1e-6 * 0.01;
  std::erase_if(out, [&](const ReportThing& one) {
    return one.weight < (one.worth == kNotPriced ? kLeastUnpriced : kLeast);
  });
  std::ranges::stable_sort(out, std::greater<>(), &ReportThing::weight);
  // Of one kernel what is not priced is said once: its table of causes has the others.
  std::set<std::string> unpriced;
  std::erase_if(out, [&](const ReportThing& one) {
    return one.worth == kNotPriced && !unpriced.insert(one.kernel).second;
  });
  if (out.size() > kThings) out.resize(kThings);
  if (advice == nullptr) return out;
  const Cells steps(*advice);
  static_cast<void>(advice->each_row([&](const Row& row) {
    if (out.size() >= kThings) return false;
    const std::string id = steps.text(row, "id");
    const bool known =
        std::ranges::any_of(out, [&](const ReportThing& one) { return one.kernel == id; });
    if (known || steps.text(row, "action").empty()) return true;
    ReportThing one;
    one.kernel = id;
    one.what = sentence(steps.text(row, "action"));
    if (!id.empty()) one.name = kernel_cell(steps, row);
    const auto low = steps.number(row, "gain_low"), high = steps.number(row, "gain_high");
    one.worth =
        low && high ? range_text(*low, *high) + " of the critical path" : std::string(kNotPriced);
    one.line = steps.text(row, "command");
    out.push_back(std::move(one));
    return true;
  }));
  return out;
}

std::vector<ReportThing> waits_to_hide(const Document& waits, const std::string& line) {
  std::vector<ReportThing> out;
  const Cells cells(waits);
  static_cast<void>(waits.each_row([&](const Row& row) {
    const double stall = cells.number(row, "stall_pct").value_or(0);
    if (out.size() >= kThings || stall < 1) return false;
    ReportThing one;
    const std::string text = cells.text(row, "text");
    one.what = fmt::format("Hide what {} waits for{}.", cells.text(row, "wait"),
                           text.empty() ? "" : ": " + text);
    one.worth = fmt::format("{:.0f} % of the stall", stall);
    one.where = cells.text(row, "source");
    one.line = line;
    out.push_back(std::move(one));
    return true;
  }));
  return out;
}

}  // namespace rpl
