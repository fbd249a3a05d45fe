// SPDX-License-Identifier: MIT
// Trees behind what the program says of one kernel: occupancy, rooflines, metrics of counters.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/arch/peaks.h"
#include "engine/metrics/roofline/points.h"
#include "shell/commands/diagnose/explanation.h"
#include "shell/commands/diagnose/occupancy_kernels.h"
#include "shell/commands/diagnose/roofline_view.h"
#include "shell/core/command/nearest.h"

namespace rpl {
namespace {

Derivation leaf(std::string name, std::optional<double> value, Unit unit, std::string source,
                Provenance provenance) {
  Derivation out;
  out.name = std::move(name);
  out.value = value;
  out.unit = unit;
  out.source = std::move(source);
  out.provenance = provenance;
  return out;
}

std::string fact_source(const arch::Gpu& gpu, std::string_view key) {
  const arch::Fact* fact = gpu.find(key);
  return fact == nullptr ? "" : arch::source_text(*fact);
}

Derivation limit_tree(const arch::Limit& limit) {
  const auto number = [](std::uint32_t value) { return static_cast<double>(value); };
  Derivation out = leaf(fmt::format("workgroups by {}", to_string(limit.what)), {}, Unit::count, "",
                        Provenance::estimated);
  if (limit.workgroups != arch::kUnlimited) {
    out.value = number(limit.workgroups);
  } else {
    out.note = "no limit";
    return out;
  }
  out.inputs = {
      leaf("asked", number(limit.asked), Unit::count, "the kernel", Provenance::recorded),
      leaf("allocated", number(limit.allocated), Unit::count, "rounded up to the granule",
           Provenance::estimated),
      leaf("available", number(limit.available), Unit::count, "info arch", Provenance::estimated)};
  return out;
}

/// occupancy, waves_per_cu, workgroups_per_cu, limiter.
Result<Explanation> explain_occupancy(const Inputs& inputs, const Loaded& now, std::uint32_t kernel,
                                      const std::string& field) {
  const TraceOccupancy all = TRY(occupancy_of(inputs, *now.trace));
  const auto found = std::ranges::find(all.kernels, kernel, &KernelOccupancy::kernel);
  if (found == all.kernels.end())
    return fail(Errc::not_found, "that kernel was not dispatched", "info kernels");
  const arch::Occupancy fits = TRY(found->occupancy);
  const arch::Gpu gpu = TRY(hardware_of(inputs, *now.trace, found->agent, {}));
  Derivation workgroups =
      leaf("workgroups_per_cu", fits.workgroups, Unit::count, gpu.title(), Provenance::estimated);
  workgroups.formula = "the least of these; see docs/occupancy.md";
  workgroups.note = fits.limiter_text() + " limits";
  if (found->resources.total_vgprs)
    workgroups.note += "; the recorded register count is half of the allocation and was doubled";
  for (const arch::Limit& limit : fits.limits) workgroups.inputs.push_back(limit_tree(limit));
  if (field == "workgroups_per_cu" || field == "limiter") return Explanation{workgroups, {}};
  Derivation waves = leaf("waves_per_cu", fits.waves, Unit::count, "", Provenance::estimated);
  waves.formula = "workgroups_per_cu * waves_per_workgroup";
  Derivation each =
      leaf("waves_per_workgroup", fits.waves_per_workgroup, Unit::count, "", Provenance::estimated);
  each.formula = fmt::format("{} work-items / waves of {}, rounded up",
                             found->resources.workgroup_size, fits.wave_size);
  waves.inputs = {workgroups, each};
  if (field == "waves_per_cu") return Explanation{waves, {}};
  Derivation out = leaf("occupancy", fits.occupancy, Unit::share, "", Provenance::estimated);
  out.formula = "waves_per_cu / wave_slots";
  Derivation slots = leaf("wave_slots", fits.wave_slots, Unit::count, "", Provenance::estimated);
  slots.formula = "simds_per_cu * waves_per_simd";
  slots.source =
      fmt::format("{}, {}", fact_source(gpu, "simds_per_cu"), fact_source(gpu, "waves_per_simd"));
  out.inputs = {waves, slots};
  return Explanation{out, {}};
}

constexpr const char* kOccupancy[] = {"occupancy", "waves_per_cu", "workgroups_per_cu", "limiter"};

bool holds_name(const std::vector<std::string>& names, const std::string& field) {
  return std::ranges::find(names, field) != names.end();
}

/// "l2.bytes": the level and the field; device memory without one.
std::pair<arch::Level, std::string> level_and_field(const std::string& field) {
  const std::size_t dot = field.find('.');
  if (dot != std::string::npos) {
    for (const arch::Level level : arch::kLevels) {
      if (field.substr(0, dot) == to_string(level)) return {level, field.substr(dot + 1)};
    }
  }
  return {arch::Level::hbm, field};
}

Explanation of_metric(ExplainedMetric found) {
  return {std::move(found.ours), std::move(found.older)};
}

bool is_metric(const std::string& field) {
  const auto names = metric_names();
  return std::ranges::find(names, field) != names.end();
}

}  // namespace

bool is_counted_field(const std::string& field) {
  const auto fields = explainable_fields();
  return std::ranges::find(fields, level_and_field(field).second) != fields.end() ||
         is_metric(field);
}

Result<Explanation> explain_counted(const Inputs& inputs, std::uint32_t kernel,
                                    const std::string& field) {
  const RooflineView view = TRY(roofline_view(inputs, {}));
  const auto found = std::ranges::find(
      view.kernels, kernel, [](const KernelRoofline& row) { return row.measured.kernel; });
  if (found == view.kernels.end())
    return fail(Errc::not_found, "nothing was counted for that kernel", "counters plan roofline");
  const auto [level, name] = level_and_field(field);
  const auto fields = explainable_fields();
  if (std::ranges::find(fields, name) == fields.end())
    return of_metric(explain_metric(field, found->inputs));
  const auto point = std::ranges::find(found->points, level, &RooflinePoint::level);
  if (point == found->points.end()) {
    return fail(Errc::not_found, fmt::format("bytes of {} cannot be counted on {}",
                                             to_string(level), found->measured.arch));
  }
  return of_metric(TRY(explain_point(name, *found, *point, view.ceilings)));
}

std::vector<std::string> explainable_kernel_fields() {
  std::vector<std::string> out = explainable_kernel_numbers();
  out.insert(out.end(), std::begin(kOccupancy), std::end(kOccupancy));
  for (const std::string& name : explainable_conclusions()) out.push_back(name);
  return out;
}

Result<Explanation> explain_kernel(const ExplainInputs& inputs, std::uint32_t kernel,
                                   const std::string& field, double speedup) {
  const Loaded now = TRY(loaded(inputs));
  if (holds_name(explainable_kernel_numbers(), field) || field.starts_with("whatif."))
    return explain_kernel_number(inputs, now, kernel, field, speedup);
  if (std::ranges::find(kOccupancy, field) != std::end(kOccupancy))
    return explain_occupancy(inputs, now, kernel, field);
  const auto fields = explainable_kernel_fields();
  const bool ours = holds_name(fields, field);
  if (!ours && is_counted_field(field)) return explain_counted(inputs, kernel, field);
  if (!ours) {
    const std::string near = did_you_mean(nearest(field, fields));
    return fail(Errc::not_found, fmt::format("'{}' of a kernel cannot be explained", field),
                fmt::format("{}{}known: {}, whatif.gain", near, near.empty() ? "" : "; ",
                            fmt::join(fields, ", ")));
  }
  Explanation out = TRY(explain_diagnosis(inputs, now.trace->kernels()[kernel].id, field));
  lead_on(inputs, now, kernel, out.ours);
  return out;
}

}  // namespace rpl
