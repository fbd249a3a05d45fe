// SPDX-License-Identifier: MIT
// occupancy: how many waves of a kernel fit on a compute unit, what limits them, and the next step worth taking.
#include "shell/commands/diagnose/occupancy_view.h"
#include "shell/core/command/registry.h"

namespace rpl {
namespace {

Row row_of(const OccupancySubject& subject) {
  Row row{subject.id, subject.kernel, subject.name};
  if (subject.occupancy) {
    const arch::Occupancy& found = *subject.occupancy;
    const arch::Step* step = found.steps.empty() ? nullptr : &found.steps.front();
    const double units = found.compute_units;
    row.insert(
        row.end(),
        {Value(found.waves / units), Value(found.workgroups / units), Value(found.occupancy),
         Value(subject.grid_cap), Value(found.limiter_text()), step ? Value(step->change) : Value(),
         step ? Value(step->waves / units) : Value(), Value::known(next_step(subject))});
  } else {
    row.insert(row.end(), 8, Value());
  }
  row.insert(row.end(), {Value::known(subject.vgprs), Value::known(subject.resources.sgprs),
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

/// Of one kernel also the limit of each resource, and every step.
void add_detail(const OccupancySubject& subject, Document& out) {
  out.set("limits", limits_value(*subject.occupancy));
  List steps;
  for (const arch::Step& step : subject.occupancy->steps) steps.emplace_back(step.text);
  out.set("steps", Value(std::move(steps)));
  out.text = occupancy_text(subject);
}

Result<Document> occupancy_command(Context& context, const OccupancyArgs& args) {
  const OccupancyView view = TRY(occupancy_view(context, args));
  Document out;
  for (const OccupancySubject& subject : view.subjects) out.rows.push_back(row_of(subject));
  if (view.one) add_detail(view.subjects[0], out);
  out.notes = view.notes;
  out.next = view.next;
  out.provenance = Provenance::estimated;
  return out;
}

const std::vector<Column> kOccupancyColumns{
    {"id", Type::id, Unit::none, "kernel; null outside of a trace"},
    {"kernel", Type::string, Unit::none, "its name, shortened; null for a calculation"},
    {"name", Type::kernel, Unit::none, "its name in full", InText::never},
    {"waves_per_cu", Type::number, Unit::count, "waves that fit at once"},
    {"workgroups_per_cu", Type::number, Unit::count, "workgroups that fit at once",
     InText::if_room},
    {"occupancy", Type::number, Unit::share, "waves / wave slots"},
    {"grid_cap", Type::number, Unit::share,
     "share of the device's wave slots that the grid can fill at most; null when unknown",
     InText::if_room},
    {"limiter", Type::string, Unit::none,
     "what lets no more waves in: vgprs, lds, sgprs, barriers, or wave slots (all are full)"},
    {"change", Type::string, Unit::none, "what to change for more; null when nothing helps"},
    {"then_waves", Type::number, Unit::count, "waves_per_cu after that change", InText::if_room},
    {"next_step", Type::string, Unit::none,
     "the change and what it gives, as a sentence; more workgroups first where the grid fills less "
     "than "
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
          Command{
              .path = "occupancy",
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
          with_occupancy<Args>({}), occupancy_command));
}

}  // namespace rpl
