// SPDX-License-Identifier: MIT
#include "shell/commands/diagnosis_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "shell/commands/opened.h"
#include "shell/render/names.h"

namespace rpl {
namespace {

DiagnosedKernel diagnosed_kernel(KernelFacts kernel, std::vector<std::string>& notes) {
  DiagnosedKernel out;
  out.id = std::move(kernel.id);
  out.name = std::move(kernel.name);
  out.total_ns = kernel.total_ns;
  out.diagnosis = diagnose::diagnose(kernel.facts);
  out.headroom = diagnose::headroom(kernel.facts);
  out.facts = diagnose::with_derived(std::move(kernel.facts));
  for (const std::string& note : out.diagnosis.notes)
    notes.push_back(fmt::format("{}: {}", out.id, note));
  return out;
}

/// The id of what a reference names: a kernel of the trace, or a thread trace.
Result<std::string> id_of(Context& context, const DiagnosedKernels& all,
                          const std::string& reference) {
  if (!all.now || reference.starts_with("att")) {
    for (const auto& entry : context.thread_traces.all()) {
      if (entry->id == reference) return reference;
    }
  }
  if (!all.now) return fail(Errc::not_found, fmt::format("no kernel '{}'", reference), "att list");
  const std::uint32_t kernel =
      TRY(resolve_kernel(context.workspace, *all.now->trace, reference));
  return all.now->trace->kernels()[kernel].id;
}

}  // namespace

Result<DiagnosedKernels> diagnosed(Context& context, const RooflineArgs& args) {
  DiagnosedKernels out;
  if (!context.workspace.traces().empty() || context.thread_traces.all().empty())
    out.now = TRY(loaded(context));
  std::string wanted;
  if (!args.kernel.empty()) wanted = TRY(id_of(context, out, args.kernel));
  RooflineArgs every = args;
  every.kernel.clear();  // other kernels may share a thread trace's name
  AllFacts all = TRY(kernel_facts(context, out.now ? &*out.now : nullptr, every));
  for (std::string& note : all.notes) {
    if (std::ranges::find(out.notes, note) == out.notes.end()) out.notes.push_back(std::move(note));
  }
  for (KernelFacts& kernel : all.kernels) {
    if (wanted.empty() || kernel.id == wanted)
      out.kernels.push_back(diagnosed_kernel(std::move(kernel), out.notes));
  }
  if (!wanted.empty() && out.kernels.empty()) {
    return fail(Errc::not_found,
                fmt::format("nothing is known of {} by itself", wanted),
                "it was not dispatched, or its thread trace belongs to a kernel of the trace: classify");
  }
  return out;
}

std::string filled_in(std::string_view command, const DiagnosedKernel& kernel) {
  constexpr std::string_view kPlace = "KERNEL";
  std::string out(command);
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

std::string short_name(const DiagnosedKernel& kernel, std::size_t width) {
  return elide_middle(short_kernel(kernel.name), width);
}

}  // namespace rpl
