// SPDX-License-Identifier: MIT
// classify and headroom: what limits a kernel, and how much there is to gain.
#include <fmt/format.h>

#include "engine/base/text_layout.h"
#include "engine/base/units.h"
#include "shell/commands/diagnose/diagnosis_view.h"
#include "shell/core/command/define.h"

namespace rpl {
namespace {

void note_nothing(const DiagnosedKernels& all, Document& out) {
  if (!all.now) return;
  if (const auto why = nothing_ran(*all.now->trace)) out.notes.push_back(*why);
}

Value evidence_value(const std::vector<diagnose::Evidence>& evidence) {
  List out;
  for (const diagnose::Evidence& held : evidence) {
    const diagnose::Rule& rule = *held.rule;
    out.emplace_back(Record{
        {"rule", Value(rule.id)},
        {"input", Value(to_string(rule.input))},
        {"value", Value(held.fact.value)},
        {"test", Value(rule.test == diagnose::Rule::Test::at_least ? ">=" : "<=")},
        {"threshold", Value(rule.threshold)},
        {"points", Value(held.counts ? rule.points : 0)},
        {"says", Value(rule.says)},
        {"source", Value(held.fact.source)},
        {"provenance", Value(to_string(held.fact.provenance))},
    });
  }
  return Value(std::move(out));
}

Value needs_value(const DiagnosedKernel& kernel) {
  List out;
  for (const diagnose::Need& need : kernel.diagnosis.needs)
    out.emplace_back(need_text(need, kernel));
  return Value(std::move(out));
}

/// The strongest evidence, or what to collect first.
std::string because(const DiagnosedKernel& kernel) {
  const diagnose::Evidence* best = nullptr;
  for (const diagnose::Evidence& held : kernel.diagnosis.evidence()) {
    if (best == nullptr || held.rule->points > best->rule->points) best = &held;
  }
  if (best != nullptr) return evidence_text(*best);
  if (kernel.diagnosis.needs.empty()) return "nothing stands out";
  const diagnose::Need& need = kernel.diagnosis.needs.front();
  return fmt::format("collect {}: {}", to_string(need.collect), filled_in(need.command, kernel));
}

std::string score_lines(const diagnose::Diagnosis& diagnosis, std::size_t width) {
  constexpr std::size_t kBehind = 7;
  std::string out;
  for (const diagnose::Score& score : diagnosis.scores) {
    out += fmt::format("{:<28}{:>3} point{}{}\n", to_string(score.label), score.points,
                       score.points == 1 ? "" : "s", score.complete ? "" : ", lacks what it needs");
    for (const diagnose::Evidence& held : score.evidence) {
      std::string lines = wrapped(evidence_text(held), kBehind, width);
      if (held.counts)
        lines.replace(0, kBehind, fmt::format("  {:>3}  ", fmt::format("{:+}", held.rule->points)));
      out += lines;
    }
  }
  return out;
}

/// One kernel with everything for and against each label.
std::string detail_text(const DiagnosedKernel& kernel, std::size_t width) {
  const diagnose::Diagnosis& found = kernel.diagnosis;
  std::string out = fmt::format("{} {}{}\n", kernel.id, short_name(kernel, 60),
                                kernel.modelled ? ", modelled" : "");
  out += found.label == diagnose::Label::insufficient
             ? std::string("insufficient data\n\n")
             : fmt::format("{}, confidence {} ({:.2f})\n\n", to_string(found.label),
                           found.confidence_word(), found.confidence);
  out += score_lines(found, width);
  if (!found.needs.empty())
    out += found.label == diagnose::Label::insufficient ? "\nto decide, collect\n"
                                                        : "\nto be surer, collect\n";
  for (const diagnose::Need& need : found.needs)
    out += fmt::format("  {}\n",
                       need_text(need, kernel));  // a command to be copied: never broken into lines
  return out;
}

Result<Document> classify(Context& context, const RooflineArgs& args) {
  const DiagnosedKernels all = TRY(diagnosed(context, args));
  Document out;
  for (const DiagnosedKernel& kernel : all.kernels) {
    const diagnose::Diagnosis& found = kernel.diagnosis;
    out.rows.push_back({Value(kernel.id), Value(short_kernel(kernel.name)), Value(kernel.name),
                        Value(to_string(found.label)), Value(found.confidence),
                        Value(found.confidence_word()), Value(because(kernel)),
                        evidence_value(found.evidence()), needs_value(kernel)});
  }
  if (!args.kernel.empty()) out.text = detail_text(all.kernels.front(), canvas_of(context).width);
  note_nothing(all, out);
  out.notes.insert(out.notes.end(), all.notes.begin(), all.notes.end());
  out.provenance = provenance_of(all);
  if (!all.kernels.empty()) {
    const std::string& id = all.kernels.front().id;
    out.next = {"classify " + id, "headroom", "advise"};
    if (!args.kernel.empty())
      out.next = {"headroom " + id, "advise " + id, "explain " + id + ".label"};
  }
  return out;
}

Result<Document> headroom_command(Context& context, const RooflineArgs& args) {
  const DiagnosedKernels all = TRY(diagnosed(context, args));
  Document out;
  bool unknown = false;
  for (const DiagnosedKernel& kernel : all.kernels) {
    const diagnose::Headroom& room = kernel.headroom;
    unknown |= !room.high;
    out.rows.push_back({Value(kernel.id), Value(short_kernel(kernel.name)), Value(kernel.name),
                        Value(room.low), Value(room.high),
                        Value(kernel.facts.value(diagnose::Input::critical_share)),
                        Value(room.priority), room.cause.empty() ? Value() : Value(room.cause),
                        Value(kernel.facts.value(diagnose::Input::roof_share)), Value(room.waits),
                        Value(room.step)});
  }
  if (unknown)
    out.notes.emplace_back(
        "headroom is unknown where no roof is known; counters give the roofs: counters plan "
        "roofline");
  note_nothing(all, out);
  out.notes.insert(out.notes.end(), all.notes.begin(), all.notes.end());
  out.provenance = provenance_of(all);
  if (!all.kernels.empty()) {
    const std::string& id = all.kernels.front().id;
    out.next = {"explain " + id + ".headroom", "advise"};
  }
  return out;
}

Bound kernel_argument() {
  return arg("kernel", &RooflineArgs::kernel, "one kernel; all of the trace without")
      .completes(Complete::kernel);
}

Command classify_definition() {
  return {
      .path = "classify",
      .chapter = Class::analysis,
      .summary = "Say what limits each kernel, with the evidence.",
      .help =
          "One of `memory-bandwidth bound`, `latency bound`, `under-occupied`, `divergence "
          "limited`, `compute throughput limited`, or `insufficient data` with what to collect "
          "and how. A table of rules (docs/diagnosis.md) gives points for numbers above or "
          "below thresholds; the same facts give the same answer. With a kernel, everything for "
          "and against each label. Facts come from the trace, its counters and open thread "
          "traces. `classify run` is about the last `kernel run` that was modelled.",
      .columns = {{"id", Type::id, Unit::none, "kernel"},
                  {"kernel", Type::string, Unit::none, "its name, shortened"},
                  {"name", Type::kernel, Unit::none, "its name in full", InText::never},
                  {"label", Type::string, Unit::none, "what limits it"},
                  {"confidence", Type::number, Unit::none,
                   "0 to 1: points out of those possible, less what speaks for the runner-up",
                   InText::never},
                  {"sure", Type::string, Unit::none, "the same as a word: high, medium, low, none"},
                  {"because", Type::string, Unit::none,
                   "the strongest evidence, or what to collect first", InText::if_room},
                  {"evidence", Type::any, Unit::none,
                   "rules that hold: {rule, input, value, test, threshold, points, says, source, "
                   "provenance}",
                   InText::never},
                  {"collect", Type::strings, Unit::none, "what would decide, or make it surer",
                   InText::never}},
      .scalar = "label",
      .examples = {"classify TRACE"}};
}

Command headroom_definition() {
  return {
      .path = "headroom",
      .chapter = Class::analysis,
      .summary = "Show how much of each kernel's time could be saved.",
      .help =
          "An interval of shares of the kernel's time. The upper end is the gap to the nearest "
          "roof: no change can save more while the kernel does the same work. The lower end is "
          "what the changes at hand should give: the next occupancy step, or reaching the part "
          "of the roof that benchmarks reach. Stalls alone bound nothing, for other waves may "
          "hide them, so without a roof both are unknown. Priority is the share of the critical "
          "path times the upper end.",
      .columns = {{"id", Type::id, Unit::none, "kernel"},
                  {"kernel", Type::string, Unit::none, "its name, shortened"},
                  {"name", Type::kernel, Unit::none, "its name in full", InText::never},
                  {"low", Type::number, Unit::share, "what the changes at hand should save"},
                  {"high", Type::number, Unit::share, "what no change can exceed"},
                  {"critical_share", Type::number, Unit::share, "of the critical path"},
                  {"priority", Type::number, Unit::share, "critical_share x high"},
                  {"cause", Type::string, Unit::none, "what makes the lower end", InText::if_room},
                  {"roof_share", Type::number, Unit::share, "nearest roof that is known",
                   InText::if_room},
                  {"waits", Type::number, Unit::share,
                   "what would be saved if no wait stalled: an upper bound of that cause",
                   InText::if_room},
                  {"step", Type::number, Unit::share, "what the next occupancy step should give",
                   InText::if_room}},
      .scalar = "high",
      .examples = {"headroom TRACE"}};
}

}  // namespace

void add_diagnosis_commands(Registry& registry) {
  add(registry, command<RooflineArgs>(classify_definition(),
                                      with_roofline<RooflineArgs>({kernel_argument()}), classify));
  add(registry,
      command<RooflineArgs>(headroom_definition(), with_roofline<RooflineArgs>({kernel_argument()}),
                            headroom_command));
}

}  // namespace rpl
