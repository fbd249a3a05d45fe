// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/arch/gpu.h"
#include "engine/metrics/counters/measurements.h"
#include "engine/metrics/counters/metrics.h"

namespace rpl {

/// What metrics are computed from: a kernel's counters and the constants of its GPU. `source` says where the counters come from
/// ("mean of 3 dispatches in pmc_perf.csv"). An unknown constant is left out, so that what needs it stays unknown.
MetricInputs metric_inputs(const CounterReadings& counters, const arch::Gpu& gpu,
                           std::string source, Provenance provenance);

}  // namespace rpl
