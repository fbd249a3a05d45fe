// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "engine/arch/gpu.h"
#include "engine/base/result.h"
#include "engine/metrics/counters/measurements.h"
#include "engine/metrics/counters/metrics.h"
#include "engine/metrics/roofline/ceilings.h"

namespace rpl {

/// What metrics are computed from: a kernel's counters and the constants of its GPU. `source` says where the counters come from
/// ("mean of 3 dispatches in pmc_perf.csv"). An unknown constant is left out, so that what needs it stays unknown.
MetricInputs metric_inputs(const CounterReadings& counters, const arch::Gpu& gpu,
                           std::string source, Provenance provenance);

/// What a kernel computed on one unit, in operations of a dispatch.
struct UnitWork {
  ComputeUnit unit;
  std::string_view metric;    ///< "flops_mfma_f16"
  std::optional<double> ops;  ///< nullopt: not counted
};

/// What limits a kernel at a level, if it runs as fast as the hardware allows.
enum class RooflineBound { unknown, memory, compute };
std::string_view to_string(RooflineBound bound);

/// A kernel at one memory level. All amounts are means of a dispatch.
struct RooflinePoint {
  arch::Level level = arch::Level::hbm;
  std::optional<ComputeUnit> type;  ///< only the work of this unit; nullopt: all of it
  std::optional<double>
      flops;  ///< floating-point operations; of a row for an integer unit its operations
  std::optional<double> bytes;
  std::optional<double> read_bytes,
      write_bytes;  ///< null also where the level has no counters for them apart
  std::optional<double> time_ns;
  std::optional<double> arithmetic_intensity;  ///< flops / bytes; null without bytes
  std::optional<double> achieved_gflops, achieved_gbps;
  /// What the units could do of this mix: the vector ALU and the matrix units work at a time, types of one unit one after the other.
  std::optional<double> peak_gflops;
  std::optional<double> peak_gbps;
  std::optional<double> attainable_gflops;  ///< min(peak_gflops, arithmetic_intensity x peak_gbps)
  RooflineBound bound = RooflineBound::unknown;
  /// Time that the bounding roof allows / time taken: 1 is at the roof, above 1 is impossible.
  std::optional<double> roof_share;
  std::string
      remark;  ///< what is odd about the row: why it is above a roof, why a value is unknown; "" for nothing
};

/// A kernel with what its points are computed from.
struct KernelRoofline {
  KernelMeasurement measured;
  MetricInputs inputs;
  std::vector<UnitWork> work;   ///< of every unit that the architecture has counters for
  std::optional<double> flops;  ///< of all types
  std::vector<RooflinePoint>
      points;  ///< one for each level whose bytes can be counted here, from HBM inwards; that of the Infinity Cache last, where its bandwidth is known
  std::vector<std::string>
      missing;  ///< counters that would have to be collected for what is unknown, sorted
};

/// Computes the points of a kernel.
KernelRoofline kernel_roofline(KernelMeasurement measured, MetricInputs inputs,
                               const Ceilings& ceilings);

/// One point for each unit that did any work (integers too), at a level.
std::vector<RooflinePoint> points_by_type(const KernelRoofline& kernel, arch::Level level,
                                          const Ceilings& ceilings);

/// The metric with the bytes of a level: "hbm_bytes", also of the Infinity Cache, through which all of them go.
std::string_view bytes_metric(arch::Level level);

/// The fields of a roofline row that explain_point() knows: flops, bytes, time_ns, arithmetic_intensity, achieved_gflops,
/// achieved_gbps, peak_gflops, peak_gbps, attainable_gflops, bound, roof_share.
std::vector<std::string_view> explainable_fields();

/// The tree behind one field of a point: formulas, inputs, their values and sources, and what the older tool computes in its place. For
/// `bound` the value is absent and the note says which side needs more time. Fails with not_found for another field.
Result<ExplainedMetric> explain_point(std::string_view field, const KernelRoofline& kernel,
                                      const RooflinePoint& point, const Ceilings& ceilings);

}  // namespace rpl
