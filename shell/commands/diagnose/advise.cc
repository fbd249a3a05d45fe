// SPDX-License-Identifier: MIT
// advise: what to do next, in the order of what there is to gain.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/text.h"
#include "engine/document/bound.h"
#include "shell/commands/diagnose/diagnosis_view.h"
#include "shell/core/command/define.h"

namespace rpl {
namespace {

struct AdviseArgs : RooflineArgs {
  std::int64_t kernels = 5;
};

/// What a person would look at first: what the trace gains, else what is critical, else what takes long.
bool sooner(const DiagnosedKernel& a, const DiagnosedKernel& b) {
  const auto key = [](const DiagnosedKernel& kernel) {
    const double critical = kernel.facts.value(diagnose::Input::critical_share).value_or(0);
    // Unknown headroom may be all of it.
    return kernel.headroom.priority.value_or(critical);
  };
  return key(a) > key(b);
}

struct AdviceRow {
  const DiagnosedKernel* kernel = nullptr;  ///< nullptr: the whole trace
  std::string action, command;
  std::optional<double> low, high;
  std::uint64_t rank = 0;

  [[nodiscard]] std::string short_name() const {
    return kernel ? short_kernel(kernel->name) : "(whole trace)";
  }
};
using Steps = std::vector<AdviceRow>;

constexpr auto kAdviceColumns = bound_to<AdviceRow>(
    column<&AdviceRow::rank>("rank", "1 is first").in(Unit::none),
    column<&AdviceRow::kernel, &DiagnosedKernel::id>("id", "kernel; null for the whole trace")
        .as(Type::id),
    column<&AdviceRow::short_name>("kernel", "its name, shortened"),
    column<&AdviceRow::kernel, &DiagnosedKernel::name>("name", "its name in full")
        .as(Type::kernel)
        .never(),
    column<&AdviceRow::kernel, &DiagnosedKernel::diagnosis, &diagnose::Diagnosis::label>(
        "label", "what limits it"),
    column<&AdviceRow::action>("action", "what to try"),
    column<&AdviceRow::low>("gain_low",
                            "of the critical path, from what is at hand; null when unknown")
        .in(Unit::share),
    column<&AdviceRow::high>("gain_high", "of the critical path, at most; null when unknown")
        .in(Unit::share),
    column<&AdviceRow::command>("command", "what to type to go on"));

AdviceRow row_of(const DiagnosedKernel& kernel, std::string action, std::string_view command) {
  AdviceRow row{&kernel, std::move(action), filled_in(command, kernel), {}, {}};
  if (const auto critical = kernel.facts.value(diagnose::Input::critical_share)) {
    if (kernel.headroom.low) row.low = *kernel.headroom.low * *critical;
    if (kernel.headroom.high) row.high = *kernel.headroom.high * *critical;
  }
  return row;
}

/// What one run records for all kernels is said once.
void add_once(Steps& out, AdviceRow row) {
  const bool said = std::ranges::any_of(out, [&](const AdviceRow& other) {
    return other.action == row.action && other.command == row.command;
  });
  if (!said) out.push_back(std::move(row));
}

/// What was found, with what it is worth to the whole trace.
void add_findings(const DiagnosedKernel& kernel, Steps& out) {
  const double critical = kernel.facts.value(diagnose::Input::critical_share).value_or(1);
  for (const findings::Finding& found : kernel.findings->all) {
    AdviceRow row{&kernel,
                  fmt::format("{}: {}", one_line(found), found.remedy),
                  fmt::format("findings {}", kernel.id),
                  {},
                  {}};
    if (found.worth) {
      row.low = found.worth->low * critical;
      row.high = found.worth->high * critical;
    }
    out.push_back(std::move(row));
  }
}

void add_kernel(const DiagnosedKernel& kernel, Steps& out) {
  if (kernel.findings) return add_findings(kernel, out);
  for (const diagnose::Advice* advice : advise(kernel.diagnosis, kernel.facts)) {
    // What is missing is named, rather than that something is: the first thing, for it may be enough.
    if (advice->label == diagnose::Label::insufficient) {
      if (kernel.diagnosis.needs.empty()) continue;
      const diagnose::Need& need = kernel.diagnosis.needs.front();
      add_once(out,
               row_of(kernel, fmt::format("record {}", to_string(need.collect)), need.command));
      continue;
    }
    out.push_back(row_of(kernel, std::string(advice->action), advice->command));
  }
  const auto* step = kernel.facts.find(diagnose::Input::next_occupancy);
  const bool waves = kernel.diagnosis.label == diagnose::Label::under_occupied ||
                     kernel.diagnosis.label == diagnose::Label::latency;
  if (step != nullptr && waves && kernel.facts.value(diagnose::Input::grid_fill).value_or(0) >= 1)
    out.push_back(row_of(kernel, step->source, "occupancy KERNEL"));
}

/// Nothing in a kernel helps while the device waits for the host.
void add_idle(const CriticalPath& path, Steps& out) {
  const auto share = [&](SegmentKind kind) {
    return share_of(path.segments_ns[static_cast<std::size_t>(kind)], path.span_ns);
  };
  const double host = share(SegmentKind::host) + share(SegmentKind::launch),
               idle = share(SegmentKind::idle);
  constexpr double kWorthSaying = 0.1;
  const auto row = [&](double gain, const char* action, const char* command) {
    if (gain >= kWorthSaying) out.push_back({nullptr, action, command, 0.0, gain});
  };
  row(host, "keep the device busy: the critical path waits for the host", "gaps");
  row(idle, "learn why the device idles: record API calls", "rocprofv3 --sys-trace -- APP");
}

std::string text_of(const Steps& rows) {
  std::string text;
  for (const AdviceRow& row : rows) {
    text += fmt::format(
        "{:>2}  {}{}\n      {}\n      > {}\n", row.rank,
        row.kernel == nullptr ? row.short_name()
                              : row.kernel->id + " " + elide_middle(row.short_name(), 40) + ": ",
        row.kernel ? to_string(row.kernel->diagnosis.label) : "", row.action, row.command);
    if (row.high)
      text += fmt::format("      gains the trace {:.1f} % to at most {:.1f} %\n",
                          100 * row.low.value_or(0), 100 * *row.high);
  }
  return text;
}

Result<Document> advise_command(const AdviseArgs& args, Inputs inputs) {
  DiagnosedKernels all = TRY(diagnosed(inputs, args));
  std::ranges::stable_sort(all.kernels, sooner);
  Steps rows;
  if (args.kernel.empty() && all.now && !all.kernels.empty() && !is_counting_run(*all.now->trace))
    add_idle(*TRY(path_of(inputs, *all.now)), rows);
  std::int64_t told = 0;
  for (const DiagnosedKernel& kernel : all.kernels) {
    if (args.kernels > 0 && ++told > args.kernels) break;
    add_kernel(kernel, rows);
  }
  for (AdviceRow& row : rows) row.rank = static_cast<std::uint64_t>(&row - rows.data()) + 1;
  Document out;
  out.table(kAdviceColumns, rows);
  out.text = text_of(rows);
  add_notes(all, out);
  return out;
}

}  // namespace

void add_advice_commands(Registry& registry) {
  add(registry,
      command<AdviseArgs>(
          Command{.path = "advise",
                  .does = kReads,
                  .chapter = Class::analysis,
                  .summary = "Say what to do next, the most worthwhile first.",
                  .help = "Diagnosis, headroom, occupancy and critical path turned into steps. "
                          "Kernels come in the order of priority; one whose headroom is unknown "
                          "counts with its whole share of the critical path, and the step is to "
                          "record what is missing. Gains are shares of the critical path. The "
                          "table of advice is in docs/diagnosis.md.",
                  .columns = described(kAdviceColumns),
                  .scalar = "action",
                  .examples = {"advise TRACE", "advise TRACE --kernels 1"}},
          with_roofline<AdviseArgs>(
              {arg("kernel", static_cast<std::string AdviseArgs::*>(&AdviseArgs::kernel),
                   "one kernel; the trace without")
                   .completes(Complete::kernel),
               option("kernels", &AdviseArgs::kernels, "most kernels to talk about; 0: all")}),
          advise_command));
}

}  // namespace rpl
