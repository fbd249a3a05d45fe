// SPDX-License-Identifier: MIT
// Facts of counters: shares of roofs, utilization, lanes, waits.
#include <fmt/format.h>

#include <algorithm>

#include "shell/commands/diagnose/kernel_facts.h"
#include "shell/commands/diagnose/roofline_view.h"

namespace rpl {
namespace {

using diagnose::Facts;
using diagnose::Input;

struct CountedInput {
  Input input;
  std::string_view metric;
};

constexpr CountedInput kMetrics[] = {
    {Input::valu_utilization, "valu_utilization"},
    {Input::mfma_utilization, "mfma_utilization"},
    {Input::active_lanes, "active_lanes"},
    {Input::measured_occupancy, "occupancy"},
    {Input::counter_wait_share, "wait_share"},
    {Input::lds_conflict_rate, "lds_bank_conflict_rate"},
};

std::optional<Input> share_of_level(arch::Level level) {
  switch (level) {
    case arch::Level::hbm:
      return Input::hbm_share;
    case arch::Level::l2:
      return Input::l2_share;
    case arch::Level::vl1d:
      return Input::vl1d_share;
    case arch::Level::lds:
      return Input::lds_share;
    case arch::Level::mall:
      return std::nullopt;
  }
  return std::nullopt;
}

/// More than the memory can give came from the Infinity Cache: then that one's roof is the one that counts.
const RooflinePoint& served_by(const KernelRoofline& kernel, const RooflinePoint& point) {
  const bool above = point.level == arch::Level::hbm && point.achieved_gbps && point.peak_gbps &&
                     *point.achieved_gbps > *point.peak_gbps;
  if (!above) return point;
  const auto found = std::ranges::find(kernel.points, arch::Level::mall, &RooflinePoint::level);
  return found == kernel.points.end() ? point : *found;
}

void add_roofs(const KernelRoofline& kernel, const std::string& source, Provenance provenance,
               Facts& facts) {
  // Counting slows a kernel down, so that its rates are lower bounds.
  const bool slowed = kernel.measured.time.source == TimeSource::instrumented;
  for (const RooflinePoint& counted : kernel.points) {
    const RooflinePoint& point = served_by(kernel, counted);
    const auto input = share_of_level(counted.level);
    if (input && point.achieved_gbps && point.peak_gbps)
      facts.add(*input, *point.achieved_gbps / *point.peak_gbps, source, provenance, slowed);
    else if (input && point.bytes && !point.time_ns)
      facts.add_untimed(*input);
    if (counted.level != arch::Level::hbm) continue;
    // What computes nothing has no mix of types, and so no peak.
    if (point.flops == 0.0) facts.add(Input::compute_share, 0, source, provenance);
    if (point.flops.value_or(0) > 0 && !point.time_ns) facts.add_untimed(Input::compute_share);
    if (!point.achieved_gflops || !point.peak_gflops) continue;
    facts.add(Input::compute_share, *point.achieved_gflops / *point.peak_gflops, source, provenance,
              slowed);
    if (point.arithmetic_intensity && point.peak_gbps)
      facts.add(Input::intensity_ratio,
                *point.arithmetic_intensity * *point.peak_gbps / *point.peak_gflops, source,
                provenance);
  }
}

}  // namespace

Status add_counters(const Inputs& inputs, const RooflineArgs& args, AllFacts& all) {
  const RooflineView view = TRY(roofline_view(inputs, args));
  for (const KernelRoofline& kernel : view.kernels) {
    const std::string& id = view.loaded.trace->kernels()[kernel.measured.kernel].id;
    const auto found = std::ranges::find(all.kernels, id, &KernelFacts::id);
    if (found == all.kernels.end()) continue;
    const std::string source = counters_source(view.loaded, kernel.measured);
    const bool slowed = kernel.measured.time.source == TimeSource::instrumented;
    // Without times of its own, a recording takes them from the run that --times names.
    if (kernel.measured.time.mean_ns && found->facts.find(Input::duration_ns) == nullptr)
      found->facts.add(Input::duration_ns, *kernel.measured.time.mean_ns, "times of another run",
                       view.provenance);
    found->counters = kernel.inputs;
    add_roofs(kernel, slowed ? source + ", times of the counting run" : source, view.provenance,
              found->facts);
    for (const CountedInput& counted : kMetrics) {
      const MetricValue value = metric(counted.metric, kernel.inputs);
      if (value.value) found->facts.add(counted.input, *value.value, source, view.provenance);
    }
  }
  all.notes.insert(all.notes.end(), view.notes.begin(), view.notes.end());
  return {};
}

}  // namespace rpl
