// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

#include "engine/device/findings/finding.h"
#include "engine/metrics/counters/metrics.h"
#include "engine/metrics/diagnose/inputs.h"

namespace rpl::findings {

/// What a recording says of one kernel that a GPU ran.
struct RecordedKernel {
  const diagnose::Facts& facts;  ///< with_derived()
  const MetricInputs* counters;  ///< null: none recorded
  std::uint32_t scratch_bytes;   ///< of a work-item
  std::string_view limiter;      ///< of the waves that fit: "VGPRs", "LDS", …; "" unknown
};

/// Causes for which the recorded numbers are evidence enough. What each is worth is an upper bound that the numbers allow, from 0 on, since a GPU hides what the counters see; docs/diagnosis.md has the
/// rules. Empty where nothing can be said.
std::vector<Finding> find_in_recording(const RecordedKernel& kernel);

}  // namespace rpl::findings
