// SPDX-License-Identifier: MIT
// occupancy: how many waves of a kernel fit on a compute unit, what limits them, and the next step worth taking.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/units.h"
#include "engine/isa/code_object.h"
#include "shell/commands/families.h"
#include "shell/commands/occupancy_kernels.h"
#include "shell/commands/opened.h"
#include "shell/render/names.h"

namespace rpl {
namespace {

struct OccupancyArgs {
  std::string kernel, object, arch;
  std::optional<std::int64_t> vgpr, agpr, sgpr, lds, workgroup, wave_size;
  bool wgp = false;

  [[nodiscard]] bool calculates() const {
    return vgpr || agpr || sgpr || lds || workgroup || wave_size || wgp;
  }
};

/// One kernel, whatever it came from.
struct Subject {
  Value id, kernel, name;
  std::string title;  ///< of the detailed view
  arch::KernelResources resources;
  std::uint32_t vgprs = 0;  ///< total used
  Result<arch::Occupancy> occupancy = arch::Occupancy{};
  std::optional<double> grid_cap;
  std::optional<std::uint64_t> workgroups;  ///< of the grid
  Value configurations;
};

bool grid_limits(const Subject& subject) {
  return subject.grid_cap && subject.occupancy && *subject.grid_cap < subject.occupancy->occupancy;
}

/// Fewer registers help nobody while the grid leaves slots empty.
std::string grid_text(const Subject& subject) {
  return fmt::format("the grid has {} workgroup{} and fills at most {} of the device's wave slots",
                     *subject.workgroups, *subject.workgroups == 1 ? "" : "s",
                     format_share(*subject.grid_cap));
}

Value next_step(const Subject& subject) {
  const auto& steps = subject.occupancy->steps;
  if (!grid_limits(subject)) return steps.empty() ? Value() : Value(steps.front().text);
  std::string text = "launch more workgroups: " + grid_text(subject);
  if (!steps.empty()) text += "; then " + steps.front().text;
  return Value(std::move(text));
}

Row row_of(const Subject& subject) {
  Row row{subject.id, subject.kernel, subject.name};
  if (subject.occupancy) {
    const arch::Occupancy& found = *subject.occupancy;
    const arch::Step* step = found.steps.empty() ? nullptr : &found.steps.front();
    const double units = found.compute_units;
    row.insert(row.end(), {Value(found.waves / units), Value(found.workgroups / units),
                           Value(found.occupancy), Value(subject.grid_cap),
                           Value(found.limiter_text()), step ? Value(step->change) : Value(),
                           step ? Value(step->waves / units) : Value(), next_step(subject)});
  } else {
    row.insert(row.end(), 8, Value());
  }
  const auto known = [](std::uint32_t value) { return value == 0 ? Value() : Value(value); };
  row.insert(row.end(), {known(subject.vgprs), known(subject.resources.sgprs),
                         Value(subject.resources.lds_bytes),
                         Value(subject.resources.workgroup_size), subject.configurations});
  return row;
}

Value count_or_null(std::uint32_t value) {
  return value == arch::kUnlimited ? Value() : Value(value);
}

Value limits_value(const arch::Occupancy& found) {
  List out;
  for (const arch::Limit& limit : found.limits) {
    out.emplace_back(Record{{"resource", Value(to_string(limit.what))},
                            {"asked", Value(limit.asked)},
                            {"allocated", Value(limit.allocated)},
                            {"available", Value(limit.available)},
                            {"workgroups", count_or_null(limit.workgroups)}});
  }
  return Value(std::move(out));
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
                        free ? "any" : std::to_string(limit.workgroups),
                        limits ? "  limits" : "");
  }
  return text;
}

std::string detail_text(const Subject& subject) {
  const arch::Occupancy& found = *subject.occupancy;
  const char* unit = found.compute_units == 2 ? "WGP" : "CU";
  std::string text = subject.title + "\n";
  text += fmt::format("{} of {} waves on a {}: {} workgroup{} of {} work-items ({} wave{} of {}), {}\n\n",
                      found.waves, found.wave_slots, unit, found.workgroups,
                      found.workgroups == 1 ? "" : "s", subject.resources.workgroup_size, found.waves_per_workgroup,
                      found.waves_per_workgroup == 1 ? "" : "s", found.wave_size,
                      format_share(found.occupancy));
  text += limiter_table(found);
  if (grid_limits(subject)) text += fmt::format("\n{}\n", grid_text(subject));
  if (!found.steps.empty()) text += "\nto get more waves in:\n";
  for (const arch::Step& step : found.steps)
    text += fmt::format("  {} ({})\n", step.text, format_share(step.occupancy));
  return text;
}

/// One kernel: its row, the limit of each resource, and every step.
Result<Document> detail(const Subject& subject) {
  if (!subject.occupancy) return tl::unexpected(subject.occupancy.error());
  Document out;
  out.rows.push_back(row_of(subject));
  out.set("limits", limits_value(*subject.occupancy));
  List steps;
  for (const arch::Step& step : subject.occupancy->steps) steps.emplace_back(step.text);
  out.set("steps", Value(std::move(steps)));
  out.text = detail_text(subject);
  out.provenance = Provenance::estimated;
  return out;
}

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

void compute(const arch::Gpu& gpu, Subject& subject) {
  subject.vgprs = arch::total_vgprs(gpu, subject.resources);
  subject.occupancy = arch::occupancy(gpu, subject.resources);
}

/// A kernel that exists in the options alone.
Result<Document> calculator(Context& context, const OccupancyArgs& args) {
  const arch::Gpu gpu = TRY(hardware_named(context, args.arch, {}));
  constexpr std::uint32_t kUsualWorkgroup = 256;
  Subject subject;
  subject.resources.workgroup_size = kUsualWorkgroup;
  apply(args, subject.resources);
  subject.title = "on " + gpu.title();
  compute(gpu, subject);
  Document out = TRY(detail(subject));
  if (!args.workgroup) out.notes.emplace_back("workgroups of 256 work-items are assumed (--workgroup)");
  for (const std::string& note : gpu.notes) out.notes.push_back(note);
  return out;
}

Subject subject_of(const isa::Kernel& kernel, const arch::Gpu& gpu, const OccupancyArgs& args) {
  Subject subject;
  subject.kernel = Value(kernel.name);
  subject.name = Value(kernel.name);
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

Result<Document> of_object(Context& context, const OccupancyArgs& args) {
  const ObjectEntry entry = TRY(object_named(context, args.object));
  const std::string arch = args.arch.empty() ? std::string(to_string(entry->value->arch())) : args.arch;
  const arch::Gpu gpu = TRY(hardware_named(context, arch, {}));
  const auto note = [&](Document& out) {
    if (!args.workgroup)
      out.notes.emplace_back(
          "the largest workgroup that each kernel allows is assumed (--workgroup), and no dynamic LDS "
          "(--lds)");
  };
  if (!args.kernel.empty()) {
    Document out = TRY(detail(subject_of(*TRY(entry->value->kernel(args.kernel)), gpu, args)));
    note(out);
    return out;
  }
  Document out;
  for (const isa::Kernel& kernel : entry->value->kernels()) {
    const Subject subject = subject_of(kernel, gpu, args);
    if (!subject.occupancy)
      out.notes.push_back(fmt::format("{}: {}", kernel.name, subject.occupancy.error().message));
    out.rows.push_back(row_of(subject));
  }
  note(out);
  out.provenance = Provenance::estimated;
  return out;
}

Result<Subject> subject_of(Context& context, const Trace& trace, const KernelOccupancy& found,
                           const OccupancyArgs& args) {
  const Kernel& kernel = trace.kernels()[found.kernel];
  Subject subject;
  subject.id = Value(kernel.id);
  subject.kernel = Value(short_kernel(kernel.name));
  subject.name = Value(kernel.name);
  subject.resources = found.resources;
  subject.occupancy = found.occupancy;
  subject.grid_cap = found.grid_cap;
  subject.workgroups = workgroups_of(found.launch);
  subject.configurations = Value(found.configurations);
  const arch::Gpu gpu = TRY(hardware_of(context, trace, found.agent, {}));
  subject.title = fmt::format("{} {} on {}", kernel.id, short_name(trace, found.kernel), gpu.title());
  if (found.registers_known) subject.vgprs = arch::total_vgprs(gpu, found.resources);
  if (!args.calculates()) return subject;
  apply(args, subject.resources);
  compute(gpu, subject);
  // The grid in work-items stays; how many workgroups it makes is not known for another size.
  if (args.workgroup) subject.grid_cap.reset();
  return subject;
}

Result<Document> of_trace(Context& context, const OccupancyArgs& args) {
  const Loaded now = TRY(loaded(context));
  const TraceOccupancy all = TRY(occupancy_of(context, *now.trace));
  Document out;
  if (!args.kernel.empty()) {
    const std::uint32_t kernel = TRY(resolve_kernel(context.workspace, *now.trace, args.kernel));
    const auto found = std::ranges::find(all.kernels, kernel, &KernelOccupancy::kernel);
    if (found == all.kernels.end()) return fail(Errc::not_found, "that kernel was not dispatched");
    out = TRY(detail(TRY(subject_of(context, *now.trace, *found, args))));
    if (found->configurations > 1) {
      out.notes.push_back(fmt::format(
          "of {} launch configurations the one with most time is shown; `info kernel {}` lists them",
          found->configurations, now.trace->kernels()[kernel].id));
    }
  } else {
    for (const KernelOccupancy& found : all.kernels) {
      const Subject subject = TRY(subject_of(context, *now.trace, found, args));
      if (!subject.occupancy && out.notes.empty())
        out.notes.push_back(fmt::format("{}: {}", now.trace->kernels()[found.kernel].id,
                                        subject.occupancy.error().message));
      out.rows.push_back(row_of(subject));
    }
    if (const auto why = nothing_ran(*now.trace)) out.notes.push_back(*why);
    if (!all.kernels.empty())
      out.next = {"occupancy " + now.trace->kernels()[all.kernels[0].kernel].id, "info arch"};
  }
  for (const std::string& note : all.notes) out.notes.push_back(note);
  out.provenance = Provenance::estimated;
  return out;
}

Result<Document> occupancy_command(Context& context, const OccupancyArgs& args) {
  const bool traces = !context.workspace.traces().empty();
  if (!args.object.empty() || (!traces && args.arch.empty() && context.objects.current()))
    return of_object(context, args);
  if (!args.arch.empty()) return calculator(context, args);
  return of_trace(context, args);
}

const std::vector<Column> kOccupancyColumns{
    {"id", Type::id, Unit::none, "kernel; null outside of a trace"},
    {"kernel", Type::string, Unit::none, "its name, shortened; null for a calculation"},
    {"name", Type::kernel, Unit::none, "its name in full", InText::never},
    {"waves_per_cu", Type::number, Unit::count, "waves that fit at once"},
    {"workgroups_per_cu", Type::number, Unit::count, "workgroups that fit at once", InText::if_room},
    {"occupancy", Type::number, Unit::share, "waves / wave slots"},
    {"grid_cap", Type::number, Unit::share,
     "share of the device's wave slots that the grid can fill at most; null when unknown",
     InText::if_room},
    {"limiter", Type::string, Unit::none,
     "what lets no more waves in: vgprs, lds, sgprs, barriers, or wave slots (all are full)"},
    {"change", Type::string, Unit::none, "what to change for more; null when nothing helps"},
    {"then_waves", Type::number, Unit::count, "waves_per_cu after that change",
     InText::if_room},
    {"next_step", Type::string, Unit::none, "the change and what it gives, as a sentence; more workgroups first where the grid fills less than "
     "would fit",
     InText::never},
    {"vgprs", Type::integer, Unit::count,
     "vector registers of a wave, both kinds, corrected where the recorder was wrong; null when "
     "unknown",
     InText::if_room},
    {"sgprs", Type::integer, Unit::count, "scalar registers; null when unknown", InText::if_room},
    {"lds_bytes", Type::integer, Unit::bytes, "static and dynamic LDS of a workgroup",
     InText::if_room},
    {"workgroup", Type::integer, Unit::count, "work-items of a workgroup", InText::if_room},
    {"configurations", Type::integer, Unit::count,
     "launch configurations of the kernel; the one with most time is shown", InText::never},
};

}  // namespace

void add_occupancy_commands(Registry& registry) {
  using Args = OccupancyArgs;
  add(registry,
      command<Args>(
          Command{.path = "occupancy",
                  .chapter = Class::analysis,
                  .summary = "Show how many waves fit on a compute unit and what limits them.",
                  .help = "For the kernels of the trace, the longest total first, each in its most "
                          "expensive launch configuration; with a kernel, the limit of each resource "
                          "and every step that lets more waves in. Options change what a kernel asks "
                          "for (`occupancy K --vgpr 128`); with `--arch` alone it is a calculator; "
                          "`--object` takes the kernels of a code object. The rules and their "
                          "sources are in docs/occupancy.md. Occupancy is a bound, not a goal: more "
                          "waves help a kernel that waits, and nothing else.",
                  .fields = {{"limits", Type::any, Unit::none,
                              "of one kernel: {resource, asked, allocated, available, workgroups} of "
                              "each resource"},
                             {"steps", Type::strings, Unit::none,
                              "of one kernel: every step worth taking"}},
                  .columns = kOccupancyColumns,
                  .scalar = "occupancy",
                  .aliases = {"info occupancy"},
                  .examples = {"occupancy TRACE", "occupancy --object OBJECT",
                               "occupancy --arch gfx942 --vgpr 132 --lds 33000 --workgroup 256"}},
          {arg("kernel", &Args::kernel, "kernel to show in detail").completes(Complete::kernel),
           option("object", &Args::object, "kernels of this code object: a file or o1"),
           option("arch", &Args::arch, "architecture or product to reckon with: gfx942, MI300X"),
           option("vgpr", &Args::vgpr, "architectural vector registers of a wave"),
           option("agpr", &Args::agpr, "accumulation registers of a wave"),
           option("sgpr", &Args::sgpr, "scalar registers of a wave"),
           option("lds", &Args::lds, "bytes of LDS of a workgroup"),
           option("workgroup", &Args::workgroup, "work-items of a workgroup"),
           option("wave-size", &Args::wave_size, "32 or 64"),
           flag("wgp", &Args::wgp, "RDNA: workgroups use both compute units of a WGP")},
          occupancy_command));
}

}  // namespace rpl
