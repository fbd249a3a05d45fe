// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/optimize/store/proposal.h"

/// Candidates that are launched otherwise than their baseline.
namespace rpl {

/// `more`, which is said of launches that `first` has changed already, as one plan.
LaunchPlan both(const LaunchPlan& first, const LaunchPlan& more);

/// A source whose launches follow a plan.
struct LaunchedSource {
  std::string text;                     ///< as it was where they could not be written
  std::vector<std::size_t> lines = {};  ///< 1-based, of those that were changed
  std::string why_not =
      {};  ///< what stands in the way of writing them; "" where they were, or nothing changes
};

/// The optimization's kernel in `source`, which launches it as the baseline is, launched as `plan` says. Fails as find_target() does.
Result<LaunchedSource> launched_source(const Optimization& optimization, const Capture& capture,
                                       const std::string& source, const LaunchPlan& plan);

/// "workgroups of 256 work-items instead of 64, 4 instead of 16 in the captured launch": what a person has to write where the launch is out of reach.
std::string launch_sentence(const Optimization& optimization, const Capture& capture,
                            const LaunchPlan& plan);

}  // namespace rpl
