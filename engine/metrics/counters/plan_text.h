// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "engine/metrics/counters/plan.h"

namespace rpl {

/// The input files of rocprofv3 -i, by format.
enum class PlanFormat {
  text,  ///< one `pmc: A B` a line; rocprofv3 up to ROCm 7.2
  yaml,  ///< jobs with a list each
  json,  ///< the same
};

/// "txt", "yaml", "json", and file names that end in them. Fails with usage.
Result<PlanFormat> plan_format(std::string_view name);

/// The plan as an input file: one job for each pass.
std::string plan_text(const CounterPlan& plan, PlanFormat format);

}  // namespace rpl
