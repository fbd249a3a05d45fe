// SPDX-License-Identifier: MIT
#include "shell/commands/diagnose/occupancy_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/numbers.h"
#include "engine/base/text.h"
#include "engine/isa/object/code_object.h"
#include "shell/commands/diagnose/occupancy_kernels.h"
#include "shell/core/inputs/hardware.h"
#include "shell/core/inputs/opened.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace {

std::uint32_t whole(const std::optional<std::int64_t>& value, std::uint32_t otherwise) {
  return value ? static_cast<std::uint32_t>(std::clamp<std::int64_t>(*value, 0, UINT32_MAX - 1))
               : otherwise;
}

/// Options over what is known of a kernel.
void apply(const OccupancyArgs& args, arch::KernelResources& resources) {
  if (args.vgpr || args.agpr) resources.total_vgprs.reset();
  resources.arch_vgprs = whole(args.vgpr, resources.arch_vgprs);
  resources.accum_vgprs = whole(args.agpr, args.vgpr ? 0 : resources.accum_vgprs);
  resources.sgprs = whole(args.sgpr, resources.sgprs);
  resources.lds_bytes = whole(args.lds, resources.lds_bytes);
  resources.workgroup_size = whole(args.workgroup, resources.workgroup_size);
  resources.wave_size = whole(args.wave_size, resources.wave_size);
  resources.wgp_mode = args.wgp;
}

void compute(const arch::Gpu& gpu, OccupancySubject& subject) {
  subject.vgprs = arch::total_vgprs(gpu, subject.resources);
  subject.occupancy = arch::occupancy(gpu, subject.resources);
}

/// A kernel that exists in the options alone.
Result<OccupancyView> calculator(const Inputs& inputs, const OccupancyArgs& args) {
  const arch::Gpu gpu = TRY(hardware_named(inputs, args.arch, {}));
  constexpr std::uint32_t kUsualWorkgroup = 256;
  OccupancyView view;
  view.one = true;
  OccupancySubject& subject = view.subjects.emplace_back();
  subject.resources.workgroup_size = kUsualWorkgroup;
  apply(args, subject.resources);
  subject.title = "on " + gpu.title();
  compute(gpu, subject);
  if (!args.workgroup)
    view.notes.emplace_back("workgroups of 256 work-items are assumed (--workgroup)");
  for (const std::string& note : gpu.notes) view.notes.push_back(note);
  return view;
}

OccupancySubject subject_of(const isa::Kernel& kernel, const arch::Gpu& gpu,
                            const OccupancyArgs& args) {
  OccupancySubject subject;
  subject.name = kernel.name;
  subject.kernel = short_kernel(kernel.name);
  subject.title = fmt::format("{} on {}", kernel.name, gpu.title());
  subject.resources.total_vgprs = kernel.descriptor.vgprs;
  subject.resources.sgprs = kernel.sgprs;
  subject.resources.lds_bytes = kernel.lds_bytes;
  subject.resources.workgroup_size = kernel.max_workgroup;
  subject.resources.wave_size = kernel.wave_size;
  apply(args, subject.resources);
  compute(gpu, subject);
  return subject;
}

Result<OccupancyView> of_object(const Inputs& inputs, const OccupancyArgs& args) {
  const ObjectEntry entry = TRY(object_named(inputs, args.object));
  const std::string arch =
      args.arch.empty() ? std::string(to_string(entry->value->arch())) : args.arch;
  const arch::Gpu gpu = TRY(hardware_named(inputs, arch, {}));
  OccupancyView view;
  view.one = !args.kernel.empty();
  if (view.one) {
    view.subjects.push_back(subject_of(*TRY(entry->value->kernel(args.kernel)), gpu, args));
  } else {
    for (const isa::Kernel& kernel : entry->value->kernels()) {
      view.subjects.push_back(subject_of(kernel, gpu, args));
      const OccupancySubject& subject = view.subjects.back();
      if (!subject.occupancy)
        view.notes.push_back(fmt::format("{}: {}", kernel.name, subject.occupancy.error().message));
    }
  }
  if (!args.workgroup) {
    view.notes.emplace_back(
        "the largest workgroup that each kernel allows is assumed (--workgroup), and no dynamic "
        "LDS (--lds)");
  }
  return view;
}

Result<OccupancySubject> subject_of(const Inputs& inputs, const Trace& trace,
                                    const KernelOccupancy& found, const OccupancyArgs& args) {
  const Kernel& kernel = trace.kernels()[found.kernel];
  OccupancySubject subject;
  subject.id = kernel.id;
  subject.kernel = short_kernel(kernel.name);
  subject.name = kernel.name;
  subject.resources = found.resources;
  subject.occupancy = found.occupancy;
  subject.grid_cap = found.grid_cap;
  subject.workgroups = workgroups_of(found.launch);
  subject.configurations = found.configurations;
  const arch::Gpu gpu = TRY(hardware_of(inputs, trace, found.agent, {}));
  subject.title =
      fmt::format("{} {} on {}", kernel.id, short_name(trace, found.kernel), gpu.title());
  if (found.registers_known) subject.vgprs = arch::total_vgprs(gpu, found.resources);
  if (!args.calculates()) return subject;
  apply(args, subject.resources);
  compute(gpu, subject);
  // The grid in work-items stays; how many workgroups it makes is not known for another size.
  if (args.workgroup || !subject.occupancy) subject.grid_cap.reset();
  return subject;
}

Result<OccupancyView> of_trace(const Inputs& inputs, const OccupancyArgs& args) {
  const Loaded now = TRY(loaded(inputs));
  const TraceOccupancy all = TRY(occupancy_of(inputs, *now.trace));
  OccupancyView view;
  view.one = !args.kernel.empty();
  if (view.one) {
    const std::uint32_t kernel = TRY(resolve_kernel(inputs.workspace, *now.trace, args.kernel));
    const auto found = std::ranges::find(all.kernels, kernel, &KernelOccupancy::kernel);
    if (found == all.kernels.end())
      return fail(Errc::not_found, "that kernel was not dispatched", "info kernels");
    view.subjects.push_back(TRY(subject_of(inputs, *now.trace, *found, args)));
    if (found->configurations > 1) {
      view.notes.push_back(
          fmt::format("of {} launch configurations the one with most time is shown; 'info kernel "
                      "{}' lists them",
                      found->configurations, now.trace->kernels()[kernel].id));
    }
  } else {
    for (const KernelOccupancy& found : all.kernels) {
      view.subjects.push_back(TRY(subject_of(inputs, *now.trace, found, args)));
      const OccupancySubject& subject = view.subjects.back();
      if (!subject.occupancy && view.notes.empty())
        view.notes.push_back(fmt::format("{}: {}", now.trace->kernels()[found.kernel].id,
                                         subject.occupancy.error().message));
    }
    if (const auto why = nothing_ran(*now.trace)) view.notes.push_back(*why);
    if (!all.kernels.empty())
      view.next = {"occupancy " + now.trace->kernels()[all.kernels[0].kernel].id, "info arch"};
  }
  for (const std::string& note : all.notes) view.notes.push_back(note);
  return view;
}

/// Nothing asked for or no such limit.
std::string count_text(std::uint32_t value) { return value == 0 ? "-" : std::to_string(value); }

std::string limiter_table(const arch::Occupancy& found) {
  std::string text = fmt::format("{:<11}{:>9}{:>11}{:>11}{:>12}\n", "resource", "asked",
                                 "allocated", "available", "workgroups");
  for (const arch::Limit& limit : found.limits) {
    const bool free = limit.workgroups == arch::kUnlimited;
    const bool limits = limit.workgroups == found.workgroups;
    text += fmt::format("{:<11}{:>9}{:>11}{:>11}{:>12}{}\n", to_string(limit.what),
                        count_text(limit.asked), count_text(limit.allocated),
                        count_text(limit.available),
                        free ? "any" : std::to_string(limit.workgroups), limits ? "  limits" : "");
  }
  return text;
}

}  // namespace

bool grid_limits(const OccupancySubject& subject) {
  return subject.grid_cap && subject.occupancy && *subject.grid_cap < subject.occupancy->occupancy;
}

/// Fewer registers help nobody while the grid leaves slots empty.
std::string grid_text(const OccupancySubject& subject) {
  return fmt::format("the grid has {} workgroup{} and fills at most {} of the device's wave slots",
                     *subject.workgroups, *subject.workgroups == 1 ? "" : "s",
                     format_share(*subject.grid_cap));
}

std::string next_step(const OccupancySubject& subject) {
  if (!subject.occupancy) return {};
  const auto& steps = subject.occupancy->steps;
  if (!grid_limits(subject)) return steps.empty() ? std::string() : steps.front().text;
  std::string text = "launch more workgroups: " + grid_text(subject);
  if (!steps.empty()) text += "; then " + steps.front().text;
  return text;
}

std::string occupancy_line(const OccupancySubject& subject) {
  const arch::Occupancy& found = *subject.occupancy;
  return fmt::format(
      "{} of {} waves on a {}: {} workgroup{} of {} work-items ({} wave{} of {}), {}", found.waves,
      found.wave_slots, found.compute_units == 2 ? "WGP" : "CU", found.workgroups,
      found.workgroups == 1 ? "" : "s", subject.resources.workgroup_size, found.waves_per_workgroup,
      found.waves_per_workgroup == 1 ? "" : "s", found.wave_size, format_share(found.occupancy));
}

std::string occupancy_text(const OccupancySubject& subject) {
  const arch::Occupancy& found = *subject.occupancy;
  std::string text = subject.title + "\n" + occupancy_line(subject) + "\n\n";
  text += limiter_table(found);
  if (grid_limits(subject)) text += fmt::format("\n{}\n", grid_text(subject));
  if (!found.steps.empty()) text += "\nto get more waves in:\n";
  for (const arch::Step& step : found.steps)
    text += fmt::format("  {} ({})\n", step.text, format_share(step.occupancy));
  return text;
}

Result<OccupancyView> occupancy_view(const Inputs& inputs, const OccupancyArgs& args) {
  const bool traces = !inputs.workspace.traces().empty();
  const bool of_file =
      !args.object.empty() || (!traces && args.arch.empty() && inputs.workspace.objects.current());
  OccupancyView view = TRY(of_file              ? of_object(inputs, args)
                           : !args.arch.empty() ? calculator(inputs, args)
                                                : of_trace(inputs, args));
  if (view.one && !view.subjects[0].occupancy) return Failure(view.subjects[0].occupancy.error());
  return view;
}

std::vector<Bound> occupancy_options() {
  using Args = OccupancyArgs;
  return {arg("kernel", &Args::kernel, "kernel to show in detail").completes(Complete::kernel),
          option("object", &Args::object, "kernels of this code object: a file or o1"),
          option("arch", &Args::arch, "architecture or product to assume: " + example_names(", ")),
          option("vgpr", &Args::vgpr, "architectural vector registers of a wave"),
          option("agpr", &Args::agpr, "accumulation registers of a wave"),
          option("sgpr", &Args::sgpr, "scalar registers of a wave"),
          option("lds", &Args::lds, "bytes of LDS of a workgroup"),
          option("workgroup", &Args::workgroup, "work-items of a workgroup"),
          option("wave-size", &Args::wave_size, "32 or 64"),
          flag("wgp", &Args::wgp, "RDNA: workgroups use both compute units of a WGP")};
}

}  // namespace rpl
