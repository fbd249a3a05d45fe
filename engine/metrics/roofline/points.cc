// SPDX-License-Identifier: MIT
#include "engine/metrics/roofline/points.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace rpl {
namespace {

using arch::DataType;
using arch::Level;
using arch::Pipe;

struct UnitMetric {
  std::string_view metric;
  ComputeUnit unit;
};
const UnitMetric kUnitMetrics[] = {
    {"flops_valu_f16", {Pipe::vector, DataType::f16}},
    {"flops_valu_f32", {Pipe::vector, DataType::f32}},
    {"flops_valu_f64", {Pipe::vector, DataType::f64}},
    {"flops_mfma_f16", {Pipe::matrix, DataType::f16}},
    {"flops_mfma_bf16", {Pipe::matrix, DataType::bf16}},
    {"flops_mfma_f32", {Pipe::matrix, DataType::f32}},
    {"flops_mfma_f64", {Pipe::matrix, DataType::f64}},
    {"flops_mfma_f8", {Pipe::matrix, DataType::f8}},
    {"flops_mfma_f6f4", {Pipe::matrix, DataType::f6}},
    {"iops_mfma_i8", {Pipe::matrix, DataType::i8}},
};

/// From the outside inwards. What leaves the L2 passes the Infinity Cache, which has no counters of its own.
constexpr Level kCountedLevels[] = {Level::hbm, Level::l2, Level::vl1d, Level::lds, Level::mall};

/// Time in ns that the units need for `work` at their peaks; null when a peak or an amount is unknown.
std::optional<double> compute_time(const std::vector<UnitWork>& work, const Ceilings& ceilings) {
  if (work.empty()) return std::nullopt;  // an architecture without counters of operations
  double vector_ns = 0, matrix_ns = 0;
  for (const UnitWork& part : work) {
    if (!part.ops) return std::nullopt;
    if (*part.ops == 0) continue;
    const auto peak = ceilings.gflops(part.unit);
    if (!peak || *peak <= 0) return std::nullopt;
    (part.unit.first == Pipe::vector ? vector_ns : matrix_ns) += *part.ops / *peak;
  }
  return std::max(vector_ns, matrix_ns);
}

std::optional<double> divided(const std::optional<double>& a, const std::optional<double>& b) {
  if (!a || !b || *b == 0) return std::nullopt;
  return *a / *b;
}

/// What the arithmetic side offers a kernel that computes nothing: the vector ALU's F32.
constexpr ComputeUnit kIdleUnit{Pipe::vector, DataType::f32};

class PointMaker {
 public:
  PointMaker(const Ceilings& ceilings, const KernelMeasurement& measured)
      : ceilings_(ceilings), measured_(measured) {}

  /// `work` is what counts for the compute side, `flops` what is shown.
  RooflinePoint make(Level level, std::optional<double> flops, std::optional<double> bytes,
                     const std::vector<UnitWork>& work) const {
    RooflinePoint point;
    point.level = level;
    point.flops = flops;
    point.bytes = bytes;
    point.time_ns = measured_.time.mean_ns;
    point.arithmetic_intensity = divided(flops, bytes);
    point.achieved_gflops = divided(flops, point.time_ns);  // FLOP/ns are GFLOP/s
    point.achieved_gbps = divided(bytes, point.time_ns);
    point.peak_gbps = ceilings_.gbps(level);
    const auto compute_ns = compute_time(work, ceilings_);
    const auto memory_ns = divided(bytes, point.peak_gbps);
    set_compute_peak(point, work, compute_ns);
    if (point.arithmetic_intensity && point.peak_gflops && point.peak_gbps) {
      point.attainable_gflops =
          std::min(*point.peak_gflops, *point.arithmetic_intensity * *point.peak_gbps);
    }
    if (compute_ns && memory_ns && (*compute_ns > 0 || *memory_ns > 0)) {
      point.bound = *memory_ns >= *compute_ns ? RooflineBound::memory : RooflineBound::compute;
      point.roof_share = divided(std::max(*memory_ns, *compute_ns), point.time_ns);
    }
    remark(point);
    return point;
  }

 private:
  void set_compute_peak(RooflinePoint& point, const std::vector<UnitWork>& work,
                        const std::optional<double>& compute_ns) const {
    if (point.flops && *point.flops > 0 && compute_ns && *compute_ns > 0) {
      point.peak_gflops = *point.flops / *compute_ns;
      return;
    }
    const bool one = work.size() == 1;
    if (point.flops && *point.flops == 0)
      point.peak_gflops = ceilings_.gflops(one ? work[0].unit : kIdleUnit);
  }

  void remark(RooflinePoint& point) const {
    const auto negative = [](const std::optional<double>& value) { return value && *value < 0; };
    if (negative(point.bytes) || negative(point.flops)) {
      point.remark = "negative: the counters of this row contradict each other (different passes?)";
    } else if (point.roof_share && *point.roof_share > 1) {
      point.remark =
          fmt::format("{:.0f} % of the roof: {}", 100 * *point.roof_share, reason(point));
    }
  }

  [[nodiscard]] std::string reason(const RooflinePoint& point) const {
    if (point.bound == RooflineBound::memory && point.level == Level::hbm &&
        ceilings_.gbps(Level::mall)) {
      return "the rest came from the Infinity Cache, whose roof is the row of mall";
    }
    if (ceilings_.kind == CeilingKind::measured) return "the measured ceiling is too low";
    if (point.bound == RooflineBound::memory && point.level == Level::hbm) {
      return "Infinity Cache hits count as HBM bytes, or the time is too short";
    }
    if (measured_.time.source == TimeSource::plain && measured_.passes > 0) {
      return "time and counters come from different runs, or the peak is too low";
    }
    return "the peak or the time is wrong";
  }

  const Ceilings& ceilings_;
  const KernelMeasurement& measured_;
};

/// HBM and L2 have counters for each direction.
void set_directions(RooflinePoint& point, const MetricInputs& inputs) {
  if (point.level != Level::hbm && point.level != Level::l2) return;
  const std::string level(arch::to_string(point.level));
  point.read_bytes = metric(level + "_read_bytes", inputs).value;
  point.write_bytes = metric(level + "_write_bytes", inputs).value;
}

}  // namespace

std::string_view to_string(RooflineBound bound) {
  switch (bound) {
    case RooflineBound::unknown:
      return "unknown";
    case RooflineBound::memory:
      return "memory";
    case RooflineBound::compute:
      return "compute";
  }
  return "unknown";
}

std::string_view bytes_metric(Level level) {
  switch (level) {
    case Level::hbm:
      return "hbm_bytes";
    case Level::l2:
      return "l2_bytes";
    case Level::vl1d:
      return "vl1d_bytes";
    case Level::lds:
      return "lds_bytes";
    case Level::mall:
      return "hbm_bytes";
  }
  return "";
}

KernelRoofline kernel_roofline(KernelMeasurement measured, MetricInputs inputs,
                               const Ceilings& ceilings) {
  KernelRoofline out;
  out.measured = std::move(measured);
  out.inputs = std::move(inputs);
  std::set<std::string> missing;
  const auto evaluate = [&](std::string_view name) {
    const MetricValue value = metric(name, out.inputs);
    missing.insert(value.missing.begin(), value.missing.end());
    return value.value;
  };
  for (const UnitMetric& each : kUnitMetrics) {
    if (metric_rules(each.metric, out.inputs.arch).empty()) continue;
    out.work.push_back({each.unit, each.metric, evaluate(each.metric)});
  }
  out.flops = evaluate("flops");
  const PointMaker maker(ceilings, out.measured);
  for (const Level level : kCountedLevels) {
    if (metric_rules(bytes_metric(level), out.inputs.arch).empty()) continue;
    if (level == Level::mall && !ceilings.gbps(level)) continue;
    out.points.push_back(maker.make(level, out.flops, evaluate(bytes_metric(level)), out.work));
    set_directions(out.points.back(), out.inputs);
  }
  out.missing.assign(missing.begin(), missing.end());
  return out;
}

std::vector<RooflinePoint> points_by_type(const KernelRoofline& kernel, Level level,
                                          const Ceilings& ceilings) {
  std::vector<RooflinePoint> points;
  const PointMaker maker(ceilings, kernel.measured);
  const auto bytes = metric(bytes_metric(level), kernel.inputs).value;
  for (const UnitWork& work : kernel.work) {
    if (!work.ops || *work.ops == 0) continue;
    points.push_back(maker.make(level, work.ops, bytes, {work}));
    points.back().type = work.unit;
  }
  return points;
}

}  // namespace rpl
