// SPDX-License-Identifier: MIT
#include "engine/metrics/roofline/points.h"

#include <algorithm>

namespace rpl {
namespace {

void put_fact(MetricInputs& out, const char* constant, const arch::Gpu& gpu, std::string_view key) {
  const arch::Fact* fact = gpu.find(key);
  const auto value = gpu.number(key);
  if (fact == nullptr || !value) return;
  out.constants[constant] = *value;
  out.sources[constant] = arch::source_text(*fact);
}

}  // namespace

MetricInputs metric_inputs(const CounterReadings& counters, const arch::Gpu& gpu,
                           std::string source, Provenance provenance) {
  MetricInputs out;
  out.arch = gpu.arch;
  out.counters_source = std::move(source);
  out.provenance = provenance;
  bool summed = false;
  for (const auto& [name, reading] : counters) {
    out.counters[name] = reading.value;
    summed = summed || reading.summed_over_xccs;
  }
  put_fact(out, "CUS", gpu, "compute_units");
  put_fact(out, "SIMDS", gpu, "simds_per_cu");
  put_fact(out, "XCCS", gpu, "xcds");
  const auto simds = gpu.number("simds_per_cu"), waves = gpu.number("waves_per_simd");
  if (simds && waves) {
    out.constants["MAX_WAVES"] = *simds * *waves;
    out.sources["MAX_WAVES"] = "simds_per_cu * waves_per_simd";
  }
  if (!summed) {
    out.constants["XCCS_SUMMED"] = 1;
    out.sources["XCCS_SUMMED"] = "the largest instance was recorded";
  } else if (out.constants.contains("XCCS")) {
    out.constants["XCCS_SUMMED"] = out.constants["XCCS"];
    out.sources["XCCS_SUMMED"] = "the recorder summed over the XCCs: " + out.sources["XCCS"];
  }
  return out;
}

}  // namespace rpl
