// SPDX-License-Identifier: MIT
// occupancy: how many waves of a kernel fit on a compute unit, what limits them, and the next step worth taking.
#include "engine/document/bound.h"
#include "shell/commands/diagnose/occupancy_view.h"
#include "shell/core/command/registry.h"

namespace rpl {
namespace arch {
namespace {

constexpr auto kLimitFields = bound_to<Limit>(
    column<&Limit::what>("resource", "what is limited"),
    column<&Limit::asked>("asked", "by the kernel"),
    column<&Limit::allocated>("allocated", "the same rounded up to the granule"),
    column<&Limit::available>("available", "of the SIMD or compute unit"),
    column<+[](const Limit& limit) {
      return limit.workgroups == kUnlimited ? std::nullopt : std::optional(limit.workgroups);
    }>("workgroups", "that it would allow alone; null for any number"));

}  // namespace

Columns<Limit> bound(const Limit* /*of*/) { return kLimitFields; }

}  // namespace arch

namespace {

using arch::Occupancy;

/// Of one kernel also the limit of each resource, and every step.
constexpr auto kOccupancyFields = bound_to<Occupancy>(
    column<&Occupancy::limits>(
        "limits",
        "of one kernel: {resource, asked, allocated, available, workgroups} of each resource"),
    column<+[](const Occupancy& found) {
      std::vector<std::string> texts;
      for (const arch::Step& step : found.steps) texts.push_back(step.text);
      return texts;
    }>("steps", "of one kernel: every step worth taking"));

template <std::uint32_t Occupancy::* count>
double per_cu(const Occupancy& found) {
  return static_cast<double>(found.*count) / found.compute_units;
}

const arch::Step* first_step(const Occupancy& found) {
  return found.steps.empty() ? nullptr : &found.steps.front();
}

std::optional<double> then_waves(const Occupancy& found) {
  if (found.steps.empty()) return std::nullopt;
  return static_cast<double>(found.steps.front().waves) / found.compute_units;
}

using Subject = OccupancySubject;

constexpr auto kOccupancyColumns = bound_to<Subject>(
    column<&Subject::id>("id", "kernel; null outside of a trace").as(Type::id),
    column<&Subject::kernel>("kernel", "its name, shortened; null for a calculation"),
    column<&Subject::name>("name", "its name in full").as(Type::kernel).never(),
    column<&Subject::occupancy, &per_cu<&Occupancy::waves>>("waves_per_cu",
                                                            "waves that fit at once")
        .in(Unit::count),
    column<&Subject::occupancy, &per_cu<&Occupancy::workgroups>>("workgroups_per_cu",
                                                                 "workgroups that fit at once")
        .in(Unit::count)
        .if_room(),
    column<&Subject::occupancy, &Occupancy::occupancy>("occupancy", "waves / wave slots")
        .in(Unit::share),
    column<&Subject::grid_cap>(
        "grid_cap",
        "share of the device's wave slots that the grid can fill at most; null when unknown")
        .in(Unit::share)
        .if_room(),
    column<&Subject::occupancy, &Occupancy::limiter_text>(
        "limiter",
        "what lets no more waves in: vgprs, lds, sgprs, barriers, or wave slots (all are full)"),
    column<&Subject::occupancy, &first_step, &arch::Step::change>(
        "change", "what to change for more; null when nothing helps"),
    column<&Subject::occupancy, &then_waves>("then_waves", "waves_per_cu after that change")
        .in(Unit::count)
        .if_room(),
    column<&next_step>("next_step",
                       "the change and what it gives, as a sentence; more workgroups first where "
                       "the grid fills less than would fit")
        .or_null()
        .never(),
    column<&Subject::vgprs>("vgprs",
                            "vector registers of a wave, both kinds, corrected where the recorder "
                            "was wrong; null when unknown")
        .or_null()
        .if_room(),
    column<&Subject::resources, &arch::KernelResources::sgprs>(
        "sgprs", "scalar registers; null when unknown")
        .or_null()
        .if_room(),
    column<&Subject::resources, &arch::KernelResources::lds_bytes>(
        "lds_bytes", "static and dynamic LDS of a workgroup")
        .if_room(),
    column<&Subject::resources, &arch::KernelResources::workgroup_size>("workgroup",
                                                                        "work-items of a workgroup")
        .if_room(),
    column<&Subject::configurations>(
        "configurations", "launch configurations of the kernel; the one with most time is shown")
        .never());

Result<Document> occupancy_command(const OccupancyArgs& args, Inputs inputs) {
  const OccupancyView view = TRY(occupancy_view(inputs, args));
  Document out;
  out.table(kOccupancyColumns, view.subjects);
  if (view.one) {
    out.put(kOccupancyFields, *view.subjects[0].occupancy);
    out.text = occupancy_text(view.subjects[0]);
  }
  out.notes = view.notes;
  out.next = view.next;
  out.provenance = Provenance::estimated;
  return out;
}

}  // namespace

void add_occupancy_commands(Registry& registry) {
  using Args = OccupancyArgs;
  add(registry,
      command<Args>(
          Command{.path = "occupancy",
                  .does = kReads,
                  .chapter = Class::analysis,
                  .summary = "Show how many waves fit on a compute unit and what limits them.",
                  .help = "For the kernels of the trace, the longest total first, each in its most "
                          "expensive launch configuration; with a kernel, the limit of each "
                          "resource and every step that lets more waves in. Options change what a "
                          "kernel asks for (`occupancy K --vgpr 128`); with `--arch` alone it is a "
                          "calculator; `--object` takes the kernels of a code object. The rules "
                          "and their sources are in docs/occupancy.md. Occupancy is a bound, not a "
                          "goal: more waves help a kernel that waits, and nothing else.",
                  .fields = described(kOccupancyFields),
                  .columns = described(kOccupancyColumns),
                  .scalar = "occupancy",
                  .aliases = {"info occupancy"},
                  .examples = {"occupancy TRACE", "occupancy --object OBJECT",
                               "occupancy --arch gfx942 --vgpr 132 --lds 33000 --workgroup 256"}},
          with_occupancy<Args>({}), occupancy_command));
}

}  // namespace rpl
