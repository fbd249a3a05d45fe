// SPDX-License-Identifier: MIT
// classify and headroom: what limits a kernel, and how much there is to gain.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/numbers.h"
#include "engine/base/text.h"
#include "engine/document/bound.h"
#include "shell/commands/diagnose/diagnosis_view.h"
#include "shell/core/command/define.h"

namespace rpl {
namespace diagnose {
namespace {

constexpr auto kEvidenceFields = bound_to<Evidence>(
    column<&Evidence::rule, &Rule::id>("rule", "of the table in docs/diagnosis.md"),
    column<&Evidence::rule, &Rule::input>("input", "what it is about"),
    column<&Evidence::fact, &Known::value>("value", "of the input"),
    column<+[](const Evidence& held) -> std::string_view {
      return held.rule->test == Rule::Test::at_least ? ">=" : "<=";
    }>("test", "how the value compares"),
    column<&Evidence::rule, &Rule::threshold>("threshold", "with what"),
    column<+[](const Evidence& held) { return held.counts ? held.rule->points : 0; }>(
        "points", "for the label; 0 where a stronger rule of its group counts"),
    column<&Evidence::rule, &Rule::says>("says", "what it means"),
    column<&Evidence::fact, &Known::source>("source", "of the value"),
    column<&Evidence::fact, &Known::provenance>("provenance",
                                                "measured, modelled, recorded or estimated"));

}  // namespace

Columns<Evidence> bound(const Evidence* /*of*/) { return kEvidenceFields; }

}  // namespace diagnose

namespace {

std::vector<std::string> needs_of(const DiagnosedKernel& kernel) {
  std::vector<std::string> out;
  for (const diagnose::Need& need : kernel.diagnosis.needs) out.push_back(need_text(need, kernel));
  return out;
}

/// The strongest evidence, or what to collect first.
std::string because(const DiagnosedKernel& kernel) {
  if (kernel.findings) return one_line(kernel.findings->all.front());
  const diagnose::Evidence* best = nullptr;
  for (const diagnose::Evidence& held : kernel.diagnosis.evidence()) {
    if (best == nullptr || held.rule->points > best->rule->points) best = &held;
  }
  if (best != nullptr) return evidence_text(*best);
  if (!kernel.recorded.empty()) {
    const std::string seen = one_line(kernel.recorded.front());
    // What nothing bounds is a lead, no answer.
    return kernel.diagnosis.label == diagnose::Label::insufficient
               ? fmt::format("maybe {}; findings {}", seen, kernel.id)
               : seen;
  }
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
  if (kernel.findings) return out + causes_text(kernel.findings->all, width);
  out += score_lines(found, width);
  if (!kernel.recorded.empty())
    out += "\nwhat it is evidence for\n" + causes_text(kernel.recorded, width);
  if (!found.needs.empty())
    out += found.label == diagnose::Label::insufficient ? "\nto decide, collect\n"
                                                        : "\nto be surer, collect\n";
  for (const diagnose::Need& need : found.needs)
    out += fmt::format("  {}\n",
                       need_text(need, kernel));  // a command to be copied: never broken into lines
  return out;
}

std::string shortened(const DiagnosedKernel& kernel) { return short_kernel(kernel.name); }

constexpr BoundColumn
    kId = column<&DiagnosedKernel::id>("id", "kernel").as(Type::id),
    kKernel = column<&shortened>("kernel", "its name, shortened"),
    kName = column<&DiagnosedKernel::name>("name", "its name in full").as(Type::kernel).never();

using Verdict = diagnose::Diagnosis;

constexpr auto kDiagnosisColumns = bound_to<DiagnosedKernel>(
    kId, kKernel, kName,
    column<&DiagnosedKernel::diagnosis, &Verdict::label>("label", "what limits it"),
    column<&DiagnosedKernel::diagnosis, &Verdict::confidence>(
        "confidence", "0 to 1: points out of those possible, less what speaks for the runner-up")
        .never(),
    column<&DiagnosedKernel::diagnosis, &Verdict::confidence_word>(
        "sure", "the same as a word: high, medium, low, none"),
    column<&because>("because", "the strongest evidence, or what to collect first").if_room(),
    column<&DiagnosedKernel::diagnosis, &Verdict::evidence>(
        "evidence",
        "rules that hold: {rule, input, value, test, threshold, points, says, source, provenance}")
        .never(),
    column<&needs_of>("collect", "what would decide, or make it surer").never());

Result<Document> classify(const RooflineArgs& args, Inputs inputs, Screen screen) {
  const DiagnosedKernels all = TRY(diagnosed(inputs, args));
  Document out;
  out.table(kDiagnosisColumns, all.kernels);
  if (!args.kernel.empty()) out.text = detail_text(all.kernels.front(), screen.width);
  add_notes(all, out);
  if (!all.kernels.empty()) {
    const std::string& id = all.kernels.front().id;
    out.next = {"classify " + id, "headroom", "advise"};
    if (!args.kernel.empty())
      out.next = {"headroom " + id, "advise " + id, "explain " + id + ".label"};
  }
  return out;
}

template <diagnose::Input input>
std::optional<double> fact_of(const DiagnosedKernel& kernel) {
  return kernel.facts.value(input);
}

using Room = diagnose::Headroom;

constexpr auto kHeadroomColumns = bound_to<DiagnosedKernel>(
    kId, kKernel, kName,
    column<&DiagnosedKernel::headroom, &Room::low>("low", "what the changes at hand should save")
        .in(Unit::share),
    column<&DiagnosedKernel::headroom, &Room::high>("high", "what no change can exceed")
        .in(Unit::share),
    column<&fact_of<diagnose::Input::critical_share>>("critical_share", "of the critical path"),
    column<&DiagnosedKernel::headroom, &Room::priority>("priority", "critical_share x high")
        .in(Unit::share),
    column<&DiagnosedKernel::headroom, &Room::cause>("cause", "what makes the lower end")
        .or_null()
        .if_room(),
    column<&fact_of<diagnose::Input::roof_share>>("roof_share", "nearest roof that is known")
        .if_room(),
    column<&DiagnosedKernel::headroom, &Room::waits>(
        "waits", "what would be saved if no wait stalled: an upper bound of that cause")
        .in(Unit::share)
        .if_room(),
    column<&DiagnosedKernel::headroom, &Room::step>("step",
                                                    "what the next occupancy step should give")
        .in(Unit::share)
        .if_room(),
    column<&DiagnosedKernel::headroom, &Room::physical>(
        "physical",
        "what is left to the physical floor of this work; a better algorithm is not in it")
        .in(Unit::share)
        .if_room());

Result<Document> headroom_command(const RooflineArgs& args, Inputs inputs) {
  const DiagnosedKernels all = TRY(diagnosed(inputs, args));
  Document out;
  out.table(kHeadroomColumns, all.kernels);
  const bool unknown = std::ranges::any_of(
      all.kernels, [](const DiagnosedKernel& kernel) { return !kernel.headroom.high; });
  if (unknown)
    out.notes.emplace_back(
        "headroom is unknown where no roof is known; counters give the roofs: counters plan "
        "roofline");
  add_notes(all, out);
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
      .does = kReads,
      .chapter = Class::analysis,
      .summary = "Say what limits each kernel, with the evidence.",
      .help =
          "One of `memory-bandwidth bound`, `latency bound`, `under-occupied`, `divergence "
          "limited`, `compute throughput limited`, or `insufficient data` with what to collect "
          "and how. A table of rules (docs/diagnosis.md) gives points for numbers above or "
          "below thresholds; the same facts give the same answer. With a kernel, everything "
          "for and against each label. Facts come from the trace, its counters and open thread "
          "traces. Of what the emulated device ran, the label is the one above the first of its "
          "`findings`. `classify run` is about the last `kernel run` that was modelled.",
      .columns = described(kDiagnosisColumns),
      .scalar = "label",
      .examples = {"classify TRACE"}};
}

Command headroom_definition() {
  return {
      .path = "headroom",
      .does = kReads,
      .chapter = Class::analysis,
      .summary = "Show how much of each kernel's time could be saved.",
      .help =
          "An interval of shares of the kernel's time. Of what the emulated device ran, the same "
          "work without the causes of `findings`; `physical` is what is left to the nearest "
          "roof. Else the upper end is the gap to the nearest "
          "roof: no change can save more while the kernel does the same work. The lower end is "
          "what the changes at hand should give: the next occupancy step, or reaching the part "
          "of the roof that benchmarks reach. Stalls alone bound nothing, for other waves may "
          "hide them, so without a roof both are unknown. Priority is the share of the "
          "critical path times the upper end.",
      .columns = described(kHeadroomColumns),
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
