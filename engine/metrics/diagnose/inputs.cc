// SPDX-License-Identifier: MIT
#include "engine/metrics/diagnose/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace rpl::diagnose {
namespace {

constexpr double kAny = std::numeric_limits<double>::infinity();

constexpr InputInfo kInfos[kInputs] = {
    {Input::hbm_share, "hbm_share", 1, Collect::counters,
     "achieved / peak bandwidth of device memory"},
    {Input::l2_share, "l2_share", 1, Collect::counters, "achieved / peak bandwidth of L2"},
    {Input::vl1d_share, "vl1d_share", kAny, Collect::counters,
     "look-ups of the vector L1 / its peak; counts look-ups, not data, so it may exceed 1"},
    {Input::lds_share, "lds_share", 1, Collect::counters, "achieved / peak bandwidth of LDS"},
    {Input::compute_share, "compute_share", 1, Collect::counters,
     "achieved / peak rate of the data types that the kernel computes in"},
    {Input::roof_share, "roof_share", 1, Collect::counters,
     "the largest of the shares of device memory, L2, LDS and compute that are known; unknown "
     "without "
     "device memory, unless another one is near its peak"},
    {Input::all_roofs_share, "all_roofs_share", 1, Collect::counters,
     "the same, where all four are known: only then no roof is near"},
    {Input::intensity_ratio, "intensity_ratio", kAny, Collect::counters,
     "arithmetic intensity at device memory / that of the ridge"},
    {Input::valu_utilization, "valu_utilization", 1, Collect::counters,
     "time in which the vector ALUs issue"},
    {Input::mfma_utilization, "mfma_utilization", 1, Collect::counters,
     "time in which the matrix units work"},
    {Input::active_lanes, "active_lanes", 1, Collect::counters,
     "active lanes of vector instructions / lanes of a wave"},
    {Input::measured_occupancy, "measured_occupancy", 1, Collect::counters,
     "waves in flight / wave slots, as counted"},
    {Input::counter_wait_share, "counter_wait_share", 1, Collect::counters,
     "time of waves spent waiting / their time, as counted"},
    {Input::lds_conflict_rate, "lds_conflict_rate", kAny, Collect::counters,
     "LDS cycles lost to bank conflicts for each useful one"},
    {Input::wait_share, "wait_share", 1, Collect::thread_trace,
     "stall of waits and barriers / time of the traced waves"},
    {Input::barrier_share, "barrier_share", 1, Collect::thread_trace,
     "stall of barriers / time of the traced waves"},
    {Input::stall_share, "stall_share", 1, Collect::thread_trace,
     "all stall / time of the traced waves; no rule uses it, for other waves may hide it"},
    {Input::issue_share, "issue_share", 1, Collect::thread_trace,
     "issue cycles without drain / time of the traced waves"},
    {Input::branch_share, "branch_share", 1, Collect::thread_trace,
     "latency and idle of branches / time of the traced waves"},
    {Input::sampled_wait_share, "sampled_wait_share", 1, Collect::samples,
     "PC samples whose wave waited / all samples"},
    {Input::sampled_lanes, "sampled_lanes", 1, Collect::samples,
     "active lanes of PC samples / lanes of a wave"},
    {Input::occupancy_limit, "occupancy_limit", 1, Collect::trace,
     "waves that fit / wave slots, by registers, LDS and workgroup"},
    {Input::next_occupancy, "next_occupancy", 1, Collect::trace,
     "the same after the next step worth taking"},
    {Input::grid_fill, "grid_fill", 1, Collect::trace,
     "waves of the grid / waves that would fit on the device, at most 1"},
    {Input::workgroup_lanes, "workgroup_lanes", 1, Collect::trace,
     "work-items of a workgroup / lanes of its waves"},
    {Input::duration_ns, "duration_ns", kAny, Collect::trace, "mean duration of a dispatch"},
    {Input::gap_share, "gap_share", 1, Collect::trace,
     "idle time of the device in front of the kernel / that and its duration"},
    {Input::critical_share, "critical_share", 1, Collect::trace,
     "time on the critical path / the path's kernels and copies"},
};

/// Better knowledge first.
int rank(Provenance provenance) {
  switch (provenance) {
    case Provenance::measured:
      return 0;
    case Provenance::recorded:
      return 1;
    case Provenance::modelled:
      return 2;
    case Provenance::estimated:
      return 3;
    case Provenance::none:
      return 4;
  }
  return 4;
}

bool better(const Known& a, const Known& b) {
  return std::make_tuple(rank(a.provenance), a.lower_bound, std::string_view(a.source), a.value) <
         std::make_tuple(rank(b.provenance), b.lower_bound, std::string_view(b.source), b.value);
}

}  // namespace

std::string_view to_string(Collect what) {
  switch (what) {
    case Collect::trace:
      return "a kernel trace";
    case Collect::counters:
      return "counters of the roofline";
    case Collect::thread_trace:
      return "a thread trace";
    case Collect::samples:
      return "PC samples";
    case Collect::plain_times:
      return "times of a run without counters";
  }
  return "";
}

std::string_view command_for(Collect what) {
  switch (what) {
    case Collect::trace:
      return "rocprofv3 --kernel-trace --hip-trace -- APP";
    case Collect::counters:
      return "counters plan roofline";
    case Collect::thread_trace:
      return "rocprofv3 --att --kernel-include-regex KERNEL -- APP";
    case Collect::samples:
      return "rocprofv3 --pc-sampling-beta-enabled --pc-sampling-method stochastic "
             "--pc-sampling-unit cycles --pc-sampling-interval 1048576 -- APP";
    case Collect::plain_times:
      return "classify KERNEL --times TRACE";
  }
  return "";
}

const InputInfo& info(Input input) { return kInfos[static_cast<std::size_t>(input)]; }

std::optional<Input> input_named(std::string_view name) {
  for (const InputInfo& known : kInfos) {
    if (known.name == name) return known.input;
  }
  return std::nullopt;
}

void Facts::add(Input input, double value, std::string source, Provenance provenance,
                bool lower_bound) {
  const auto index = static_cast<std::size_t>(input);
  const InputInfo& described = info(input);
  if (!std::isfinite(value) || value < 0 || value > described.largest) {
    std::string why = !std::isfinite(value) ? "no number"
                      : value < 0
                          ? "negative"
                          : fmt::format("above its largest possible value {}", described.largest);
    auto& notes = rejected_[index];
    notes.push_back(
        fmt::format("{} is {:.4g}, {}, and is not used ({})", described.name, value, why, source));
    std::ranges::sort(notes);
    return;
  }
  Known fact{value, std::move(source), provenance, lower_bound};
  auto& held = known_[index];
  if (!held || better(fact, *held)) held = std::move(fact);
}

const Known* Facts::find(Input input) const {
  const auto& held = known_[static_cast<std::size_t>(input)];
  return held ? &*held : nullptr;
}

std::optional<double> Facts::value(Input input) const {
  const Known* known = find(input);
  return known == nullptr ? std::nullopt : std::optional(known->value);
}

bool Facts::any_untimed() const {
  for (std::size_t i = 0; i < kInputs; ++i) {
    if (untimed(static_cast<Input>(i))) return true;
  }
  return false;
}

std::vector<std::string> Facts::rejected() const {
  std::vector<std::string> out;
  for (const auto& notes : rejected_) out.insert(out.end(), notes.begin(), notes.end());
  return out;
}

Facts with_derived(Facts facts) {
  const Known* most = nullptr;
  Input from = Input::hbm_share;
  bool all = true, bound = false;
  for (const Input roof :
       {Input::hbm_share, Input::l2_share, Input::lds_share, Input::compute_share}) {
    const Known* share = facts.find(roof);
    if (share == nullptr) all = false;
    bound |= share != nullptr && share->lower_bound;
    if (share == nullptr || (most != nullptr && share->value <= most->value)) continue;
    most = share;
    from = roof;
  }
  // Every kernel has traffic to device memory: without that roof, the others say nothing of the nearest one unless they are near.
  constexpr double kNear = 0.6;
  if (most != nullptr && (facts.find(Input::hbm_share) != nullptr || most->value >= kNear)) {
    const Known found = *most;
    const std::string source = fmt::format("{} ({})", to_string(from), found.source);
    facts.forget(Input::roof_share);
    facts.forget(Input::all_roofs_share);
    facts.add(Input::roof_share, found.value, source, found.provenance, bound);
    if (all) facts.add(Input::all_roofs_share, found.value, source, found.provenance, bound);
  }
  return facts;
}

}  // namespace rpl::diagnose
