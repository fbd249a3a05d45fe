// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/metrics/roofline/points.h"

namespace rpl {

/// The fields of a roofline row that explain_point() knows: flops, bytes, time_ns, arithmetic_intensity, achieved_gflops,
/// achieved_gbps, peak_gflops, peak_gbps, attainable_gflops, bound, roof_share.
std::vector<std::string_view> explainable_fields();

/// The tree behind one field of a point: formulas, inputs, their values and sources, and what the older tool computes in its place. For
/// `bound` the value is absent and the note says which side needs more time. Fails with not_found for another field.
Result<ExplainedMetric> explain_point(std::string_view field, const KernelRoofline& kernel,
                                      const RooflinePoint& point, const Ceilings& ceilings);

}  // namespace rpl
