// SPDX-License-Identifier: MIT
// advise: what to do next, in the order of what there is to gain.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/text.h"
#include "engine/document/bound.h"
#include "shell/commands/diagnose/application_view.h"
#include "shell/commands/diagnose/diagnosis_view.h"
#include "shell/core/command/define.h"

namespace rpl {
namespace {

struct AdviseArgs : RooflineArgs {
  std::int64_t kernels = 5;
};

/// What a person would look at first: what the trace gains, else what is critical, else what takes long. Unknown headroom may be all of it.
double promise_of(const DiagnosedKernel& kernel) {
  const double critical = kernel.facts.value(diagnose::Input::critical_share).value_or(0);
  return kernel.headroom.priority.value_or(critical);
}
bool sooner(const DiagnosedKernel& a, const DiagnosedKernel& b) {
  return promise_of(a) > promise_of(b);
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
                            "of the critical path, of the whole trace of the span, from what is at "
                            "hand; null when unknown")
        .in(Unit::share),
    column<&AdviceRow::high>("gain_high", "the same at most; null when unknown").in(Unit::share),
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
  // What its numbers bound; what they say of no bound stands behind.
  if (!kernel.recorded.empty() && kernel.recorded.front().worth) {
    const findings::Finding& found = kernel.recorded.front();
    out.push_back(row_of(kernel, fmt::format("{}: {}", one_line(found), found.remedy),
                         fmt::format("findings {}", kernel.id)));
    const double critical = weight_of(kernel);
    out.back().low = found.worth->low * critical;
    out.back().high = found.worth->high * critical;
  }
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

/// A step of the application, and what it promises the whole span.
AdviceRow row_of(const findings::Finding& found, const Trace& trace) {
  AdviceRow row{nullptr,
                fmt::format("{}: {}", application_line(found), found.remedy),
                next_for(found, trace),
                {},
                {}};
  if (found.worth) {
    row.low = found.worth->low;
    row.high = found.worth->high;
  }
  return row;
}

/// Nothing in a kernel helps while the device waits for something else: steps of the application stand before those of kernels that promise the span less.
Status add_steps(const AdviseArgs& args, const Inputs& inputs, const DiagnosedKernels& all,
                 Steps& out) {
  std::vector<findings::Finding> application;
  double path_share = 1;
  if (args.kernel.empty() && all.now) {
    const auto found = TRY(application_findings(inputs, *all.now));
    if (found) {
      application = found->all;
      const auto path = TRY(path_of(inputs, *all.now));
      path_share = share_of(path->critical_path_ns, path->span_ns);
    }
  }
  std::erase_if(application, [](const findings::Finding& one) {
    return one.cause == findings::Cause::nothing_of_note;
  });
  const auto promise = [](const findings::Finding& one) {
    return one.worth ? (one.worth->low + one.worth->high) / 2 : 0;
  };
  auto next = application.begin();
  std::int64_t told = 0;
  for (const DiagnosedKernel& kernel : all.kernels) {
    if (args.kernels > 0 && ++told > args.kernels) break;
    while (next != application.end() && promise(*next) > promise_of(kernel) * path_share)
      out.push_back(row_of(*next++, *all.now->trace));
    add_kernel(kernel, out);
  }
  while (next != application.end()) out.push_back(row_of(*next++, *all.now->trace));
  return {};
}

/// What promises next to nothing is not worth a line where something promises much.
void drop_trifles(Steps& rows) {
  constexpr double kMuch = 0.1, kTrifle = 0.01;
  const bool much = std::ranges::any_of(
      rows, [&](const AdviceRow& row) { return row.high.value_or(0) >= kMuch; });
  if (much)
    std::erase_if(rows, [&](const AdviceRow& row) { return row.high && *row.high < kTrifle; });
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
  TRY(add_steps(args, inputs, all, rows));
  drop_trifles(rows);
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
                          "record what is missing. Steps of the whole application, from its "
                          "findings, stand before kernels that promise the span less. Gains of "
                          "kernels are shares of the critical path, of the application shares of "
                          "the span. The table of advice is in docs/diagnosis.md.",
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
