// SPDX-License-Identifier: MIT
#include "engine/metrics/roofline/points.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace rpl {
namespace {

/// Whatever the kernel, the older tool assumes this (its hal/base.py, never overridden for CDNA).
constexpr double kOlderBandwidth = 50;

class PointExplainer {
 public:
  PointExplainer(const KernelRoofline& kernel, const RooflinePoint& point, const Ceilings& ceilings)
      : kernel_(kernel), point_(point), ceilings_(ceilings) {}

  [[nodiscard]] ExplainedMetric flops() const {
    if (!point_.type) return explain_metric("flops", kernel_.inputs);
    for (const UnitWork& work : kernel_.work) {
      if (work.unit == *point_.type) return explain_metric(work.metric, kernel_.inputs);
    }
    return {};
  }
  [[nodiscard]] ExplainedMetric bytes() const {
    return explain_metric(bytes_metric(point_.level), kernel_.inputs);
  }

  [[nodiscard]] Derivation time() const {
    const KernelTime& time = kernel_.measured.time;
    Derivation out = leaf("time_ns", time.mean_ns, Unit::ns, Provenance::recorded);
    out.source = fmt::format("mean of {} dispatches, {}", time.dispatches, describe(time.source));
    if (time.source == TimeSource::modelled) out.provenance = Provenance::modelled;
    return out;
  }

  [[nodiscard]] ExplainedMetric intensity() const {
    const ExplainedMetric work = flops(), traffic = bytes();
    ExplainedMetric out;
    out.ours = formula("arithmetic_intensity", point_.arithmetic_intensity, "flops / bytes",
                       {named(work.ours, "flops"), named(traffic.ours, "bytes")});
    out.ours.unit_text = "FLOP/B";
    if (work.older && traffic.older && point_.level == arch::Level::hbm) {
      out.older = formula("older tool's arithmetic_intensity", std::nullopt, "flops / bytes",
                          {*work.older, *traffic.older});
      out.older->value = traffic.older->value.value_or(0) == 0
                             ? 0
                             : work.older->value.value_or(0) / *traffic.older->value;
      out.older->note = "both of its terms are wrong";
    }
    return out;
  }

  [[nodiscard]] ExplainedMetric rate(std::string_view name, const std::optional<double>& value,
                                     const ExplainedMetric& amount, std::string_view what,
                                     Unit unit) const {
    ExplainedMetric out;
    out.ours =
        formula(name, value, fmt::format("{} / time_ns", what), {named(amount.ours, what), time()});
    out.ours.unit = unit;
    out.ours.note = "a unit a nanosecond is 1e9 a second";
    return out;
  }

  [[nodiscard]] ExplainedMetric memory_roof() const {
    ExplainedMetric out;
    const auto found = ceilings_.bandwidth.find(point_.level);
    if (found != ceilings_.bandwidth.end())
      out.ours = found->second;
    else
      out.ours = leaf("", std::nullopt, Unit::gbps, Provenance::none,
                      "no bandwidth of this level is known");
    out.ours.name = "peak_gbps";
    if (point_.level == arch::Level::hbm) {
      out.older =
          leaf("older tool's peak_gbps", kOlderBandwidth, Unit::gbps, Provenance::estimated,
               "one constant for every GPU: almost every kernel becomes memory bound on gfx942");
    }
    return out;
  }

  [[nodiscard]] Derivation compute_roof() const {
    Derivation out = formula(
        "peak_gflops", point_.peak_gflops,
        "flops / max(time of the vector ALU, time of the matrix units), each at its peaks", {});
    out.unit = Unit::gflops;
    for (const UnitWork& work : kernel_.work) {
      const auto roof = ceilings_.compute.find(work.unit);
      const bool counts = work.ops.value_or(0) > 0 && (!point_.type || *point_.type == work.unit);
      if (!counts) continue;
      out.inputs.push_back(
          named(explain_metric(work.metric, kernel_.inputs).ours, std::string(work.metric)));
      if (roof != ceilings_.compute.end()) out.inputs.push_back(roof->second);
    }
    if (out.inputs.empty()) {
      out.note = "the kernel computes nothing; this is the peak of the vector ALU in F32";
      const auto roof = ceilings_.compute.find({arch::Pipe::vector, arch::DataType::f32});
      if (roof != ceilings_.compute.end()) out.inputs.push_back(roof->second);
    }
    return out;
  }

  [[nodiscard]] Derivation attainable() const {
    Derivation out = formula("attainable_gflops", point_.attainable_gflops,
                             "min(peak_gflops, arithmetic_intensity * peak_gbps)",
                             {compute_roof(), intensity().ours, memory_roof().ours});
    out.unit = Unit::gflops;
    return out;
  }

  [[nodiscard]] ExplainedMetric bound() const {
    ExplainedMetric out;
    out.ours = formula("bound", std::nullopt,
                       "bytes / peak_gbps >= flops / peak_gflops ? memory : compute",
                       {named(bytes().ours, "bytes"), memory_roof().ours,
                        named(flops().ours, "flops"), compute_roof()});
    out.ours.note = std::string(to_string(point_.bound));
    if (point_.level == arch::Level::hbm && !kernel_.work.empty()) {
      out.older = intensity().older;
      if (out.older) {
        out.older->name = "older tool's bound";
        out.older->note =
            "compares its intensity with its peaks: FLOPs, bytes and bandwidth are all wrong";
      }
    }
    return out;
  }

  [[nodiscard]] Derivation roof_share() const {
    Derivation out = formula("roof_share", point_.roof_share,
                             "max(bytes / peak_gbps, flops / peak_gflops) / time_ns",
                             {named(bytes().ours, "bytes"), memory_roof().ours,
                              named(flops().ours, "flops"), compute_roof(), time()});
    out.unit = Unit::share;
    out.note = point_.remark;
    return out;
  }

 private:
  static std::string_view describe(TimeSource source) {
    switch (source) {
      case TimeSource::none:
        return "no duration was recorded";
      case TimeSource::plain:
        return "a run without counters";
      case TimeSource::instrumented:
        return "the counting run: serialised and slowed down";
      case TimeSource::modelled:
        return "the emulated device";
    }
    return "";
  }

  static Derivation leaf(std::string name, std::optional<double> value, Unit unit,
                         Provenance provenance, std::string note = {}) {
    Derivation out;
    out.name = std::move(name);
    out.value = value;
    out.unit = unit;
    out.provenance = provenance;
    out.note = std::move(note);
    return out;
  }
  static Derivation formula(std::string_view name, std::optional<double> value, std::string text,
                            std::vector<Derivation> inputs) {
    Derivation out = leaf(std::string(name), value, Unit::none, Provenance::estimated);
    out.formula = std::move(text);
    out.inputs = std::move(inputs);
    return out;
  }
  /// The tree under the name that the formula above it uses.
  static Derivation named(Derivation tree, std::string_view name) {
    if (tree.name != name) tree.note = tree.note.empty() ? tree.name : tree.name + ": " + tree.note;
    tree.name = std::string(name);
    return tree;
  }

  const KernelRoofline& kernel_;
  const RooflinePoint& point_;
  const Ceilings& ceilings_;
};

}  // namespace

std::vector<std::string_view> explainable_fields() {
  return {"flops",         "bytes",       "time_ns",   "arithmetic_intensity", "achieved_gflops",
          "achieved_gbps", "peak_gflops", "peak_gbps", "attainable_gflops",    "bound",
          "roof_share"};
}

Result<ExplainedMetric> explain_point(std::string_view field, const KernelRoofline& kernel,
                                      const RooflinePoint& point, const Ceilings& ceilings) {
  const PointExplainer explain(kernel, point, ceilings);
  if (field == "flops") return explain.flops();
  if (field == "bytes") return explain.bytes();
  if (field == "time_ns") return ExplainedMetric{explain.time(), {}};
  if (field == "arithmetic_intensity") return explain.intensity();
  if (field == "achieved_gflops")
    return explain.rate(field, point.achieved_gflops, explain.flops(), "flops", Unit::gflops);
  if (field == "achieved_gbps")
    return explain.rate(field, point.achieved_gbps, explain.bytes(), "bytes", Unit::gbps);
  if (field == "peak_gflops") return ExplainedMetric{explain.compute_roof(), {}};
  if (field == "peak_gbps") return explain.memory_roof();
  if (field == "attainable_gflops") return ExplainedMetric{explain.attainable(), {}};
  if (field == "bound") return explain.bound();
  if (field == "roof_share") return ExplainedMetric{explain.roof_share(), {}};
  return fail(Errc::not_found, fmt::format("a roofline row has no field '{}'", field),
              fmt::format("fields: {}", fmt::join(explainable_fields(), ", ")));
}

}  // namespace rpl
