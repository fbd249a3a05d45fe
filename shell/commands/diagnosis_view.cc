// SPDX-License-Identifier: MIT
#include "shell/commands/diagnosis_view.h"

#include <fmt/format.h>

namespace rpl {

Result<DiagnosedKernels> diagnosed(Context& context, const std::string& reference) {
  DiagnosedKernels out;
  out.now = TRY(loaded(context));
  std::uint32_t wanted = kNone;
  if (!reference.empty())
    wanted = TRY(resolve_kernel(context.workspace, *out.now.trace, reference));
  AllFacts all = TRY(kernel_facts(context, out.now));
  out.notes = std::move(all.notes);
  for (KernelFacts& kernel : all.kernels) {
    if (wanted != kNone && kernel.kernel != wanted) continue;
    DiagnosedKernel made;
    made.kernel = kernel.kernel;
    made.total_ns = kernel.total_ns;
    made.diagnosis = diagnose::diagnose(kernel.facts);
    made.headroom = diagnose::headroom(kernel.facts);
    made.facts = diagnose::with_derived(std::move(kernel.facts));
    for (const std::string& note : made.diagnosis.notes)
      out.notes.push_back(fmt::format("{}: {}", out.now.trace->kernels()[made.kernel].id, note));
    out.kernels.push_back(std::move(made));
  }
  if (wanted != kNone && out.kernels.empty())
    return fail(Errc::not_found, "that kernel was not dispatched", "info kernels");
  return out;
}

std::string filled_in(std::string_view command, const Trace& trace, std::uint32_t kernel) {
  constexpr std::string_view kPlace = "KERNEL";
  std::string out(command);
  const std::size_t at = out.find(kPlace);
  if (at == std::string::npos) return out;
  // The recorder knows no ids of ours, but takes a part of the name.
  const bool recorder = command.starts_with("rocprofv3");
  std::string name = trace.kernels()[kernel].id;
  if (recorder) name = fmt::format("'{}'", short_name(trace, kernel, SIZE_MAX));
  return out.replace(at, kPlace.size(), name);
}

std::string need_text(const diagnose::Need& need, const Trace& trace, std::uint32_t kernel) {
  std::string inputs;
  for (const diagnose::Input input : need.inputs)
    inputs += fmt::format("{}{}", inputs.empty() ? "" : ", ", diagnose::to_string(input));
  return fmt::format("{} ({}): {}", to_string(need.collect), inputs,
                     filled_in(need.command, trace, kernel));
}

}  // namespace rpl
