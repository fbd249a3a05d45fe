// SPDX-License-Identifier: MIT
#include "engine/metrics/diagnose/diagnose.h"

#include <algorithm>

namespace rpl::diagnose {
namespace {

using enum Input;
constexpr auto kAtLeast = Rule::Test::at_least;
constexpr auto kAtMost = Rule::Test::at_most;
constexpr Label kMemory = Label::memory_bandwidth, kLatency = Label::latency,
                kFew = Label::under_occupied, kDivergence = Label::divergence,
                kCompute = Label::compute;

constexpr Rule kRules[] = {
    {"hbm-near-roof", kMemory, 1, hbm_share, kAtLeast, 0.6, 4, "device memory is near its peak"},
    {"l2-near-roof", kMemory, 1, l2_share, kAtLeast, 0.6, 4, "L2 is near its peak"},
    {"lds-near-roof", kMemory, 1, lds_share, kAtLeast, 0.6, 4, "LDS is near its peak"},
    {"vl1d-near-roof", kMemory, 1, vl1d_share, kAtLeast, 0.8, 3,
     "look-ups of the vector L1 are near their peak"},
    {"memory-side", kMemory, 0, intensity_ratio, kAtMost, 1, 1,
     "arithmetic intensity is on the memory side of the ridge"},
    {"memory-waits", kMemory, 0, wait_share, kAtLeast, 0.4, 1, "waves wait for memory"},
    {"memory-but-compute", kMemory, 0, compute_share, kAtLeast, 0.6, -2,
     "the arithmetic units are near their peak as well"},

    {"waits", kLatency, 1, wait_share, kAtLeast, 0.3, 3, "waves spend their time waiting"},
    {"sampled-waits", kLatency, 1, sampled_wait_share, kAtLeast, 0.3, 3,
     "sampled waves are waiting"},
    {"counted-waits", kLatency, 1, counter_wait_share, kAtLeast, 0.5, 3,
     "waves are counted as waiting"},
    {"barrier-waits", kLatency, 1, barrier_share, kAtLeast, 0.2, 3, "waves wait at barriers"},
    {"short-dispatch", kLatency, 1, duration_ns, kAtMost, 10000, 2,
     "the dispatch is so short that start and end are most of it"},
    {"latency-below-roofs", kLatency, 2, all_roofs_share, kAtMost, 0.6, 2, "no roof is near"},
    {"latency-memory-low", kLatency, 0, hbm_share, kAtMost, 0.4, 1, "device memory has room"},
    {"latency-compute-low", kLatency, 0, compute_share, kAtMost, 0.4, 1,
     "the arithmetic units have room"},
    {"latency-enough-waves", kLatency, 0, occupancy_limit, kAtLeast, 0.5, 1,
     "many waves fit, and they still wait"},
    {"latency-few-waves", kLatency, 0, occupancy_limit, kAtMost, 0.25, -2,
     "few waves fit, which explains the waiting"},
    {"latency-few-in-flight", kLatency, 0, measured_occupancy, kAtMost, 0.25, -2,
     "few waves are in flight, which explains the waiting"},
    {"latency-small-grid", kLatency, 0, grid_fill, kAtMost, 0.5, -2,
     "the grid leaves the device half empty, which explains the waiting"},

    {"measured-few-waves", kFew, 1, measured_occupancy, kAtMost, 0.25, 3,
     "few waves are in flight"},
    {"small-grid", kFew, 1, grid_fill, kAtMost, 0.5, 3, "the grid leaves the device half empty"},
    {"few-waves-fit", kFew, 1, occupancy_limit, kAtMost, 0.25, 2, "few waves fit"},
    {"few-and-waiting", kFew, 2, wait_share, kAtLeast, 0.3, 2, "and those wait"},
    {"few-and-sampled-waiting", kFew, 2, sampled_wait_share, kAtLeast, 0.3, 2,
     "and sampled ones wait"},
    {"few-and-counted-waiting", kFew, 2, counter_wait_share, kAtLeast, 0.5, 2,
     "and are counted as waiting"},
    {"few-below-roofs", kFew, 2, all_roofs_share, kAtMost, 0.4, 2, "and every roof is far"},
    {"few-memory-low", kFew, 0, hbm_share, kAtMost, 0.4, 1, "device memory has room"},
    {"few-compute-low", kFew, 0, compute_share, kAtMost, 0.4, 1, "the arithmetic units have room"},
    {"few-but-near-roof", kFew, 0, roof_share, kAtLeast, 0.6, -3, "a roof is reached all the same"},
    {"few-but-matrix", kFew, 0, mfma_utilization, kAtLeast, 0.7, -3,
     "the matrix units work all the same"},

    {"idle-lanes", kDivergence, 1, active_lanes, kAtMost, 0.6, 4,
     "lanes of vector instructions are switched off"},
    {"sampled-idle-lanes", kDivergence, 1, sampled_lanes, kAtMost, 0.6, 4,
     "lanes of sampled waves are switched off"},
    {"part-filled-waves", kDivergence, 1, workgroup_lanes, kAtMost, 0.6, 3,
     "workgroups do not fill their waves"},
    {"divergent-valu", kDivergence, 2, valu_utilization, kAtLeast, 0.3, 2,
     "and the vector ALUs matter"},
    {"divergent-branches", kDivergence, 2, branch_share, kAtLeast, 0.1, 2,
     "and branches cost time"},
    {"divergent-issue", kDivergence, 2, issue_share, kAtLeast, 0.3, 2,
     "and waves spend their time issuing"},
    {"divergent-below-roofs", kDivergence, 0, all_roofs_share, kAtMost, 0.6, 1, "no roof is near"},
    {"divergent-but-memory", kDivergence, 0, hbm_share, kAtLeast, 0.6, -3,
     "device memory is near its peak all the same"},

    {"compute-near-roof", kCompute, 1, compute_share, kAtLeast, 0.6, 4,
     "arithmetic is near its peak"},
    {"matrix-busy", kCompute, 1, mfma_utilization, kAtLeast, 0.7, 3, "the matrix units are busy"},
    {"valu-busy", kCompute, 1, valu_utilization, kAtLeast, 0.7, 3, "the vector ALUs are busy"},
    {"compute-side", kCompute, 0, intensity_ratio, kAtLeast, 1, 1,
     "arithmetic intensity is on the compute side of the ridge"},
    {"compute-issues", kCompute, 0, issue_share, kAtLeast, 0.5, 1,
     "waves spend their time issuing"},
    {"compute-but-waits", kCompute, 0, wait_share, kAtLeast, 0.5, -1, "but waves wait"},
    {"compute-but-memory", kCompute, 0, hbm_share, kAtLeast, 0.6, -2,
     "device memory is near its peak as well"},
    {"compute-but-idle-lanes", kCompute, 0, active_lanes, kAtMost, 0.6, -2,
     "but lanes are switched off"},
};

}  // namespace

std::string_view to_string(Label label) {
  switch (label) {
    case Label::memory_bandwidth:
      return "memory-bandwidth bound";
    case Label::latency:
      return "latency bound";
    case Label::under_occupied:
      return "under-occupied";
    case Label::divergence:
      return "divergence limited";
    case Label::compute:
      return "compute throughput limited";
    case Label::insufficient:
      return "insufficient data";
  }
  return "insufficient data";
}

std::span<const Rule> rules() { return kRules; }

bool can_tell(const Rule& rule, const Known& fact) {
  return !fact.lower_bound || fact.value >= rule.threshold;
}

bool holds(const Rule& rule, const Known& fact) {
  if (rule.test == Rule::Test::at_least) return fact.value >= rule.threshold;
  return !fact.lower_bound && fact.value <= rule.threshold;
}

int possible_points(Label label) {
  int points = 0, best[3] = {0, 0, 0};
  for (const Rule& rule : kRules) {
    if (rule.label != label || rule.points <= 0) continue;
    if (rule.group == 0)
      points += rule.points;
    else
      best[rule.group] = std::max(best[rule.group], rule.points);
  }
  return points + best[1] + best[2];
}

}  // namespace rpl::diagnose
