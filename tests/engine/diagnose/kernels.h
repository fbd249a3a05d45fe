// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "engine/diagnose/diagnose.h"

/// Synthetic kernels of each label, as an engineer would tell them apart with all tools at hand.
namespace rpl::diagnose {

using Values = std::map<Input, double>;

struct SyntheticKernel {
  const char* name;
  Label label;
  Values values;
};

inline Facts facts_of(const Values& values) {
  Facts facts;
  for (const auto& [input, value] : values) facts.add(input, value, "synthetic");
  return facts;
}

inline std::vector<SyntheticKernel> synthetic_kernels() {
  using enum Input;
  return {
      {"copy", Label::memory_bandwidth,
       {{hbm_share, 0.81}, {l2_share, 0.4}, {lds_share, 0.1}, {compute_share, 0.01}, {intensity_ratio, 0.01},
        {wait_share, 0.6}, {issue_share, 0.1}, {occupancy_limit, 1}, {grid_fill, 1},
        {active_lanes, 1}, {valu_utilization, 0.1}, {duration_ns, 80000}}},
      {"stencil out of L2", Label::memory_bandwidth,
       {{hbm_share, 0.2}, {l2_share, 0.74}, {lds_share, 0.1}, {compute_share, 0.1}, {intensity_ratio, 0.5},
        {wait_share, 0.5}, {occupancy_limit, 0.5}, {grid_fill, 1}, {active_lanes, 1},
        {valu_utilization, 0.3}, {duration_ns, 80000}}},
      {"transpose through LDS", Label::memory_bandwidth,
       {{hbm_share, 0.3}, {lds_share, 0.7}, {l2_share, 0.2}, {compute_share, 0}, {lds_conflict_rate, 0.5},
        {wait_share, 0.5}, {occupancy_limit, 0.5}, {grid_fill, 1}, {active_lanes, 1},
        {valu_utilization, 0.2}, {duration_ns, 50000}}},
      {"matrix product", Label::compute,
       {{hbm_share, 0.3}, {l2_share, 0.4}, {lds_share, 0.1}, {compute_share, 0.82}, {mfma_utilization, 0.85},
        {valu_utilization, 0.3}, {intensity_ratio, 4}, {wait_share, 0.2}, {issue_share, 0.5},
        {occupancy_limit, 0.125}, {measured_occupancy, 0.12}, {grid_fill, 1}, {active_lanes, 1},
        {duration_ns, 500000}}},
      {"transcendentals", Label::compute,
       {{hbm_share, 0.1}, {l2_share, 0.2}, {lds_share, 0.1}, {compute_share, 0.3}, {valu_utilization, 0.92}, {mfma_utilization, 0},
        {intensity_ratio, 3}, {wait_share, 0.1}, {issue_share, 0.7}, {occupancy_limit, 0.75},
        {grid_fill, 1}, {active_lanes, 0.98}, {duration_ns, 90000}}},
      {"pointer chasing", Label::latency,
       {{hbm_share, 0.05}, {l2_share, 0.1}, {lds_share, 0.1}, {compute_share, 0.01}, {intensity_ratio, 0.1},
        {wait_share, 0.85}, {sampled_wait_share, 0.9}, {issue_share, 0.05}, {occupancy_limit, 0.9},
        {measured_occupancy, 0.8}, {grid_fill, 1}, {active_lanes, 0.9}, {valu_utilization, 0.1},
        {duration_ns, 200000}}},
      {"barriers", Label::latency,
       {{hbm_share, 0.3}, {l2_share, 0.2}, {lds_share, 0.1}, {compute_share, 0.1}, {wait_share, 0.5}, {barrier_share, 0.4},
        {occupancy_limit, 0.5}, {grid_fill, 1}, {active_lanes, 1}, {valu_utilization, 0.2},
        {duration_ns, 60000}}},
      {"tiny elementwise", Label::latency,
       {{hbm_share, 0.02}, {l2_share, 0.2}, {lds_share, 0.1}, {compute_share, 0.01}, {occupancy_limit, 1}, {grid_fill, 0.6},
        {active_lanes, 1}, {valu_utilization, 0.05}, {duration_ns, 3000}}},
      {"many registers", Label::under_occupied,
       {{hbm_share, 0.15}, {l2_share, 0.2}, {lds_share, 0.1}, {compute_share, 0.2}, {wait_share, 0.6},
        {occupancy_limit, 0.125}, {measured_occupancy, 0.1}, {grid_fill, 1}, {active_lanes, 1},
        {mfma_utilization, 0}, {valu_utilization, 0.2}, {duration_ns, 90000}}},
      {"few workgroups", Label::under_occupied,
       {{hbm_share, 0.05}, {l2_share, 0.2}, {lds_share, 0.1}, {compute_share, 0.02}, {wait_share, 0.5}, {occupancy_limit, 1},
        {grid_fill, 0.05}, {active_lanes, 1}, {valu_utilization, 0.05}, {duration_ns, 50000}}},
      {"ray traversal", Label::divergence,
       {{hbm_share, 0.15}, {l2_share, 0.2}, {lds_share, 0.1}, {compute_share, 0.2}, {active_lanes, 0.3}, {sampled_lanes, 0.28},
        {valu_utilization, 0.6}, {branch_share, 0.15}, {wait_share, 0.25}, {issue_share, 0.4},
        {occupancy_limit, 0.5}, {grid_fill, 1}, {duration_ns, 100000}}},
      {"workgroups of 16", Label::divergence,
       {{hbm_share, 0.1}, {l2_share, 0.2}, {lds_share, 0.1}, {compute_share, 0.1}, {workgroup_lanes, 0.25}, {valu_utilization, 0.5},
        {wait_share, 0.2}, {occupancy_limit, 1}, {grid_fill, 1}, {duration_ns, 100000}}},
  };
}

}  // namespace rpl::diagnose
