// SPDX-License-Identifier: MIT
#include "shell/commands/diagnose/diagnosis_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/text.h"
#include "engine/graph/application/application.h"
#include "engine/metrics/recorded/recorded.h"
#include "engine/trace/core/collectives.h"
#include "shell/core/inputs/doubts.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace {

constexpr std::string_view kTraceIt = "kernel run … --att DIR";

/// Of what the cycle model timed nothing can be recorded; its waves can be looked at.
void keep_needs_of_model(std::vector<diagnose::Need>& needs) {
  std::erase_if(needs, [](const diagnose::Need& need) {
    return need.collect != diagnose::Collect::thread_trace;
  });
  for (diagnose::Need& need : needs) need.command = kTraceIt;
}

/// "4,063,232", "0.31".
std::string amount_text(double value) {
  constexpr double kCounted = 100;
  return value >= kCounted ? format_count(static_cast<std::uint64_t>(value))
                           : fmt::format("{:.3g}", value);
}

/// "22 to 36 %".
std::string worth_text(const findings::Finding& found) {
  constexpr double kPercent = 100;
  return found.worth ? fmt::format("{:.0f} to {:.0f} %", found.worth->low * kPercent,
                                   found.worth->high * kPercent)
                     : "not priced";
}

/// Machine code alone does not say what limits a kernel.
bool has_numbers(const findings::Finding& found) {
  return found.worth.has_value() || info(found.cause).symptom;
}

/// The label above a cause.
diagnose::Label label_of(findings::Cause cause) {
  using diagnose::Label;
  using findings::Cause;
  switch (cause) {
    case Cause::small_grid:
    case Cause::small_workgroups:
    case Cause::register_limited:
    case Cause::lds_limited:
    case Cause::load_imbalance:
      return Label::under_occupied;
    case Cause::divergence:
    case Cause::unused_lanes:
      return Label::divergence;
    case Cause::integer_division:
    case Cause::transcendentals:
    case Cause::double_precision:
    case Cause::conversions:
    case Cause::accumulator_moves:
    case Cause::matrix_units_idle:
    case Cause::address_arithmetic:
    case Cause::compute_used_up:
      return Label::compute;
    case Cause::dependent_loads:
    case Cause::dependency_chain:
    case Cause::strict_waits:
    case Cause::instruction_cache:
    case Cause::barriers:
    case Cause::short_dispatch:
    case Cause::nothing_of_note:
      return Label::latency;
    default:
      return Label::memory_bandwidth;
  }
}

// What was found by running the model again says more than shares do.
void take_findings(DiagnosedKernel& out) {
  constexpr double kSure = 0.9;
  const findings::Finding& first = out.findings->all.front();
  out.diagnosis.label = label_of(first.cause);
  out.diagnosis.confidence = kSure;
  out.diagnosis.needs.clear();
  out.headroom.physical = out.headroom.high;
  out.headroom.low = out.findings->without_faults.low;
  out.headroom.high = out.findings->without_faults.high;
  out.headroom.cause = to_string(first.cause);
  out.headroom.why_unknown.clear();
  if (const auto critical = out.facts.value(diagnose::Input::critical_share))
    out.headroom.priority = *out.headroom.high * *critical;
}

// What the recorded numbers are evidence for says more than that they decide nothing.
void take_recorded(const KernelFacts& kernel, DiagnosedKernel& out) {
  // A collective waits for others; what that costs is a finding of the application.
  if (out.modelled || out.findings || is_collective(out.name)) return;
  const auto* fits = out.facts.find(diagnose::Input::occupancy_limit);
  out.recorded =
      findings::find_in_recording({out.facts, kernel.counters ? &*kernel.counters : nullptr,
                                   kernel.scratch_bytes, fits ? fits->source : ""});
  for (findings::Finding& one : findings::find_in_code(kernel.code)) {
    const auto known = std::ranges::find(out.recorded, one.cause, &findings::Finding::cause);
    if (known == out.recorded.end()) {
      // Waiting is of note where the numbers say so; the code says what for.
      if (one.cause != findings::Cause::dependent_loads) out.recorded.push_back(std::move(one));
      continue;
    }
    known->where = std::move(one.where);
    known->remedy = std::move(one.remedy);
    for (findings::Evidence& number : one.evidence) known->evidence.push_back(std::move(number));
  }
  constexpr double kBoundsAlone = 0.3;
  const bool decided = out.diagnosis.label != diagnose::Label::insufficient;
  if (decided || out.recorded.empty() || !has_numbers(out.recorded.front())) return;
  out.diagnosis.label = label_of(out.recorded.front().cause);
  out.diagnosis.confidence = kBoundsAlone;
}

DiagnosedKernel diagnosed_kernel(KernelFacts kernel, std::vector<std::string>& notes) {
  DiagnosedKernel out;
  out.id = std::move(kernel.id);
  out.name = std::move(kernel.name);
  out.total_ns = kernel.total_ns;
  out.diagnosis = diagnose::diagnose(kernel.facts);
  out.modelled = kernel.modelled;
  out.occupancy_command = std::move(kernel.occupancy_command);
  if (kernel.modelled) keep_needs_of_model(out.diagnosis.needs);
  out.headroom = diagnose::headroom(kernel.facts);
  out.facts = diagnose::with_derived(std::move(kernel.facts));
  out.findings = std::move(kernel.findings);
  if (out.findings) take_findings(out);
  take_recorded(kernel, out);
  for (const std::string& note : out.diagnosis.notes)
    notes.push_back(fmt::format("{}: {}", out.id, note));
  return out;
}

/// What shows as much of a kernel that no recording has; the command itself where it does not ask for one.
std::string for_model(std::string_view command, const DiagnosedKernel& kernel) {
  if (command.starts_with("occupancy") && !kernel.occupancy_command.empty())
    return kernel.occupancy_command;
  if (command.starts_with("att") && kernel.id == kRunId) return std::string(kTraceIt);
  if (command.starts_with("att")) return fmt::format("{} {}", command, kernel.id);
  const bool asks = command.starts_with("occupancy") || command.starts_with("roofline") ||
                    command.starts_with("gaps");
  return asks ? fmt::format("classify {}", kernel.id) : std::string(command);
}

/// The id of what a reference names: a kernel of the trace, or a thread trace.
Result<std::string> id_of(const Inputs& inputs, const DiagnosedKernels& all,
                          const std::string& reference) {
  if (reference == kRunId && has_modelled_run(inputs.workspace)) return reference;
  if (!all.now || reference.starts_with("att")) {
    for (const auto& entry : inputs.workspace.thread_traces.all()) {
      if (entry->id == reference) return reference;
    }
  }
  if (!all.now) return fail(Errc::not_found, fmt::format("no kernel '{}'", reference), "att list");
  const std::uint32_t kernel = TRY(resolve_kernel(inputs.workspace, *all.now->trace, reference));
  return all.now->trace->kernels()[kernel].id;
}

}  // namespace

Result<DiagnosedKernels> diagnosed(const Inputs& inputs, const RooflineArgs& args) {
  DiagnosedKernels out;
  const bool has_run = has_modelled_run(inputs.workspace);
  if (!inputs.workspace.traces().empty() ||
      (inputs.workspace.thread_traces.all().empty() && !has_run))
    out.now = TRY(loaded(inputs));
  std::string wanted;
  if (!args.kernel.empty()) wanted = TRY(id_of(inputs, out, args.kernel));
  RooflineArgs every = args;
  every.kernel.clear();  // other kernels may share a thread trace's name
  AllFacts all = TRY(kernel_facts(inputs, out.now ? &*out.now : nullptr, every));
  // Beside a recording it would be one kernel too many; there it has to be named.
  if (has_run && (!out.now || wanted == kRunId)) TRY(add_modelled_run(inputs, every, all));
  for (std::string& note : all.notes) {
    if (std::ranges::find(out.notes, note) == out.notes.end()) out.notes.push_back(std::move(note));
  }
  for (KernelFacts& kernel : all.kernels) {
    if (wanted.empty() || kernel.id == wanted)
      out.kernels.push_back(diagnosed_kernel(std::move(kernel), out.notes));
  }
  // What was read of a damaged file is worth half.
  constexpr double kOfDamaged = 0.5;
  if (out.now && !out.now->trace->damage().empty()) {
    for (DiagnosedKernel& kernel : out.kernels) kernel.diagnosis.confidence *= kOfDamaged;
  }
  if (out.now && !nothing_ran(*out.now->trace) && !no_times(*out.now->trace)) {
    const auto doubts = TRY(doubts_of(inputs, *out.now));
    for (DiagnosedKernel& kernel : out.kernels)
      kernel.diagnosis.confidence *= trust_in_kernels(*doubts);
    if (auto note = doubt_note(*doubts)) out.notes.push_back(std::move(*note));
  }
  if (!wanted.empty() && out.kernels.empty()) {
    return fail(
        Errc::not_found, fmt::format("nothing is known of {} by itself", wanted),
        "it was not dispatched, or its thread trace belongs to a kernel of the trace: classify");
  }
  return out;
}

Provenance provenance_of(const DiagnosedKernels& all) {
  const bool modelled =
      !all.kernels.empty() && std::ranges::all_of(all.kernels, &DiagnosedKernel::modelled);
  return modelled ? Provenance::modelled : Provenance::estimated;
}

void add_notes(const DiagnosedKernels& all, Document& out) {
  const auto why = all.now ? nothing_ran(*all.now->trace) : std::nullopt;
  if (why) out.notes.push_back(*why);
  out.notes.insert(out.notes.end(), all.notes.begin(), all.notes.end());
  out.provenance = provenance_of(all);
}

std::string filled_in(std::string_view command, const DiagnosedKernel& kernel) {
  constexpr std::string_view kPlace = "KERNEL";
  std::string out = kernel.modelled ? for_model(command, kernel) : std::string(command);
  const std::size_t at = out.find(kPlace);
  if (at == std::string::npos) return out;
  // The recorder knows no ids of ours, but takes a part of the name.
  const bool recorder = command.starts_with("rocprofv3");
  return out.replace(at, kPlace.size(),
                     recorder ? fmt::format("'{}'", short_kernel(kernel.name)) : kernel.id);
}

std::string need_text(const diagnose::Need& need, const DiagnosedKernel& kernel) {
  std::string inputs;
  for (const diagnose::Input input : need.inputs)
    inputs += fmt::format("{}{}", inputs.empty() ? "" : ", ", diagnose::to_string(input));
  return fmt::format("{} ({}): {}", to_string(need.collect), inputs,
                     filled_in(need.command, kernel));
}

double weight_of(const DiagnosedKernel& kernel) {
  return kernel.facts.value(diagnose::Input::critical_share).value_or(1);
}

std::string one_line(const findings::Finding& found) {
  std::string out(to_string(found.cause));
  if (found.worth) out += fmt::format(", {} of its time", worth_text(found));
  return found.where.empty() ? out : fmt::format("{}: {}", out, found.where.front().text());
}

std::string causes_text(std::span<const findings::Finding> found, std::size_t width) {
  constexpr std::size_t kIndent = 4;
  std::string out;
  std::size_t number = 0;
  for (const findings::Finding& one : found) {
    out += fmt::format("{:<3} {:<28} {:<12} {}\n", ++number, to_string(one.cause), worth_text(one),
                       one.where.empty() ? "" : one.where.front().text());
    out += wrapped(std::string(info(one.cause).says), kIndent, width);
    for (const findings::Evidence& number_of : one.evidence)
      out += wrapped(fmt::format("{} {}{}", amount_text(number_of.value), number_of.what,
                                 number_of.modelled ? ", modelled" : ""),
                     kIndent, width);
    out += wrapped("-> " + one.remedy, kIndent, width);
  }
  return out;
}

std::vector<std::string> reasons_of(const DiagnosedKernel& kernel) {
  std::vector<std::string> out;
  if (kernel.findings) {
    for (const findings::Finding& one : kernel.findings->all) out.push_back(one_line(one));
    return out;
  }
  for (const diagnose::Evidence& held : kernel.diagnosis.evidence())
    out.push_back(diagnose::evidence_text(held));
  return out;
}

std::string short_name(const DiagnosedKernel& kernel, std::size_t width) {
  return elide_middle(short_kernel(kernel.name), width);
}

}  // namespace rpl
