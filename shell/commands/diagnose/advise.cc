// SPDX-License-Identifier: MIT
// advise: what to do next, in the order of what there is to gain.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/text_layout.h"
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

Row row_of(const DiagnosedKernel& kernel, std::string action, std::string command) {
  const auto critical = kernel.facts.value(diagnose::Input::critical_share);
  const auto gain = [&](const std::optional<double>& share) {
    return share && critical ? Value(*share * *critical) : Value();
  };
  return {Value(),
          Value(kernel.id),
          Value(short_kernel(kernel.name)),
          Value(kernel.name),
          Value(to_string(kernel.diagnosis.label)),
          Value(std::move(action)),
          gain(kernel.headroom.low),
          gain(kernel.headroom.high),
          Value(std::move(command))};
}

/// What one run records for all kernels is said once.
void add_once(Document& out, Row row) {
  const bool said = std::ranges::any_of(
      out.rows, [&](const Row& other) { return other[5] == row[5] && other[8] == row[8]; });
  if (!said) out.rows.push_back(std::move(row));
}

void add_kernel(const DiagnosedKernel& kernel, Document& out) {
  for (const diagnose::Advice* advice : advise(kernel.diagnosis, kernel.facts)) {
    // What is missing is named, rather than that something is: the first thing, for it may be enough.
    if (advice->label == diagnose::Label::insufficient) {
      if (kernel.diagnosis.needs.empty()) continue;
      const diagnose::Need& need = kernel.diagnosis.needs.front();
      add_once(out, row_of(kernel, fmt::format("record {}", to_string(need.collect)),
                           filled_in(need.command, kernel)));
      continue;
    }
    out.rows.push_back(
        row_of(kernel, std::string(advice->action), filled_in(advice->command, kernel)));
  }
  const auto* step = kernel.facts.find(diagnose::Input::next_occupancy);
  const bool waves = kernel.diagnosis.label == diagnose::Label::under_occupied ||
                     kernel.diagnosis.label == diagnose::Label::latency;
  if (step != nullptr && waves && kernel.facts.value(diagnose::Input::grid_fill).value_or(0) >= 1)
    out.rows.push_back(row_of(kernel, step->source, filled_in("occupancy KERNEL", kernel)));
}

/// Nothing in a kernel helps while the device waits for the host.
void add_idle(const CriticalPath& path, Document& out) {
  const auto share = [&](SegmentKind kind) {
    return share_of(path.segments_ns[static_cast<std::size_t>(kind)], path.span_ns);
  };
  const double host = share(SegmentKind::host) + share(SegmentKind::launch),
               idle = share(SegmentKind::idle);
  constexpr double kWorthSaying = 0.1;
  const auto row = [&](double gain, const char* action, const char* command) {
    if (gain < kWorthSaying) return;
    out.rows.push_back({Value(), Value(), Value("(whole trace)"), Value(), Value(), Value(action),
                        Value(0.0), Value(gain), Value(command)});
  };
  row(host, "keep the device busy: the critical path waits for the host", "gaps");
  row(idle, "learn why the device idles: record API calls", "rocprofv3 --sys-trace -- APP");
}

std::string text_of(const Document& out) {
  std::string text;
  for (const Row& row : out.rows) {
    const auto word = [&](std::size_t i) {
      const auto* held = row[i].as<std::string>();
      return held == nullptr ? std::string() : *held;
    };
    const auto gain = row[7].number();
    text += fmt::format("{:>2}  {}{}{}\n      {}\n      > {}\n", *row[0].as<std::int64_t>(),
                        word(1).empty() ? word(2) : word(1) + " " + elide_middle(word(2), 40),
                        word(4).empty() ? "" : ": ", word(4), word(5), word(8));
    if (gain)
      text += fmt::format("      gains the trace {:.1f} % to at most {:.1f} %\n",
                          100 * row[6].number().value_or(0), 100 * *gain);
  }
  return text;
}

Result<Document> advise_command(Context& context, const AdviseArgs& args) {
  DiagnosedKernels all = TRY(diagnosed(context, args));
  std::ranges::stable_sort(all.kernels, sooner);
  Document out;
  if (args.kernel.empty() && all.now && !all.kernels.empty() && !is_counting_run(*all.now->trace))
    add_idle(*TRY(path_of(context, *all.now)), out);
  std::int64_t told = 0;
  for (const DiagnosedKernel& kernel : all.kernels) {
    if (args.kernels > 0 && ++told > args.kernels) break;
    add_kernel(kernel, out);
  }
  for (std::size_t i = 0; i < out.rows.size(); ++i) out.rows[i][0] = Value(std::uint64_t{i + 1});
  out.text = text_of(out);
  if (all.now) {
    if (const auto why = nothing_ran(*all.now->trace)) out.notes.push_back(*why);
  }
  out.notes.insert(out.notes.end(), all.notes.begin(), all.notes.end());
  out.provenance = provenance_of(all);
  return out;
}

}  // namespace

void add_advice_commands(Registry& registry) {
  add(registry,
      command<AdviseArgs>(
          Command{.path = "advise",
                  .chapter = Class::analysis,
                  .summary = "Say what to do next, the most worthwhile first.",
                  .help =
                      "Diagnosis, headroom, occupancy and critical path turned into steps. "
                      "Kernels come in the order of priority; one whose headroom is unknown "
                      "counts with its whole share of the critical path, and the step is to record "
                      "what is missing. Gains are shares of the critical path. The table of "
                      "advice is in docs/diagnosis.md.",
                  .columns = {{"rank", Type::integer, Unit::none, "1 is first"},
                              {"id", Type::id, Unit::none, "kernel; null for the whole trace"},
                              {"kernel", Type::string, Unit::none, "its name, shortened"},
                              {"name", Type::kernel, Unit::none, "its name in full", InText::never},
                              {"label", Type::string, Unit::none, "what limits it"},
                              {"action", Type::string, Unit::none, "what to try"},
                              {"gain_low", Type::number, Unit::share,
                               "of the critical path, from what is at hand; null when unknown"},
                              {"gain_high", Type::number, Unit::share,
                               "of the critical path, at most; null when unknown"},
                              {"command", Type::string, Unit::none, "what to type to go on"}},
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
