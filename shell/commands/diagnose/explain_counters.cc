// SPDX-License-Identifier: MIT
// Trees behind rooflines and metrics of counters.
#include <fmt/format.h>

#include <algorithm>

#include "engine/metrics/roofline/points.h"
#include "shell/commands/diagnose/explanation.h"
#include "shell/commands/diagnose/roofline_view.h"

namespace rpl {
namespace {

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

}  // namespace rpl
