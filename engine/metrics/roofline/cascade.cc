// SPDX-License-Identifier: MIT
#include "engine/metrics/roofline/cascade.h"

#include <algorithm>
#include <set>

namespace rpl {
namespace {

using arch::Level;

class CascadeMaker {
 public:
  explicit CascadeMaker(const KernelRoofline& kernel) : kernel_(kernel) {}

  std::optional<double> value(std::string_view name) {
    const MetricValue found = metric(name, kernel_.inputs);
    missing_.insert(found.missing.begin(), found.missing.end());
    return found.value;
  }
  [[nodiscard]] bool known(std::string_view name) const {
    return !metric_rules(name, kernel_.inputs.arch).empty();
  }

  MemoryCascade::Traffic traffic(Level level, std::string_view read, std::string_view write,
                                 std::string remark = {}) {
    MemoryCascade::Traffic out;
    out.remark = std::move(remark);
    if (!read.empty()) out.read_bytes = value(read);
    if (!write.empty()) out.write_bytes = value(write);
    const auto point = std::ranges::find(kernel_.points, level, &RooflinePoint::level);
    if (point == kernel_.points.end()) return out;
    out.bytes = point->bytes;
    out.gbps = point->achieved_gbps;
    out.peak_gbps = point->peak_gbps;
    return out;
  }

  [[nodiscard]] std::vector<std::string> missing() const {
    return {missing_.begin(), missing_.end()};
  }

 private:
  const KernelRoofline& kernel_;
  std::set<std::string> missing_;
};

}  // namespace

MemoryCascade memory_cascade(const KernelRoofline& kernel, const std::string& name,
                             const std::string& gpu) {
  CascadeMaker make(kernel);
  MemoryCascade out;
  out.kernel = name;
  out.gpu = gpu;
  out.calls = kernel.measured.calls;
  out.time_ns = kernel.measured.time.mean_ns;
  out.time_source = std::string(to_string(kernel.measured.time.source));
  const auto waves = kernel.inputs.counters.find("SQ_WAVES");
  if (waves != kernel.inputs.counters.end()) out.waves = waves->second;
  out.valu_utilization = make.value("valu_utilization");
  out.mfma_utilization = make.value("mfma_utilization");
  out.active_lanes = make.value("active_lanes");
  out.occupancy = make.value("occupancy");
  out.lds = make.traffic(Level::lds, {}, {});
  out.lds_conflict_rate = make.value("lds_bank_conflict_rate");
  if (make.known("vl1d_bytes")) {
    out.stations.push_back({"vL1D", make.value("vl1d_hit_rate"), true,
                            make.traffic(Level::vl1d, {}, {}, "tag look-ups of 64 B")});
  }
  if (make.known("l2_hit_rate")) {
    out.stations.push_back({"L2", make.value("l2_hit_rate"), true,
                            make.traffic(Level::l2, "l2_read_bytes", "l2_write_bytes")});
  }
  if (make.known("hbm_bytes")) {
    out.stations.push_back({"fabric", std::nullopt, false,
                            make.traffic(Level::hbm, "hbm_read_bytes", "hbm_write_bytes",
                                         "Infinity Cache, HBM, host")});
  }
  out.missing = make.missing();
  return out;
}

}  // namespace rpl
