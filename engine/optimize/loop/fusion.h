// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/optimize/loop/candidate_launch.h"
#include "engine/source/text/fused_kernel.h"

/// Candidates of which one dispatch takes the place of the first two that were captured.
namespace rpl {

/// Whether the first two dispatches of a capture were launched alike.
bool may_become_one(const Capture& capture);
/// Whether the edited source has a kernel more than the optimization's, and the capture two dispatches whose place it could take.
bool may_fuse(const Capture& capture, const std::string& base, const std::string& edited);

struct FusedSource {
  FusionPlan plan;
  LaunchedSource source;  ///< `edited`, with the two launches written as one where they can be
};

/// The kernel that `edited` has more, launched in place of the two. Fails as find_fused_kernel(), and with unsupported where one of its parameters stands for two arguments
/// that were not equal, or the two dispatches had other grids or workgroups.
Result<FusedSource> fused_source(const Optimization& optimization, const Capture& capture,
                                 const std::string& base, const std::string& edited);

/// What the guard says of such a candidate: nothing but that kernel and those launches differ. Errors as find_fused_kernel().
struct FusedVerdict {
  GuardVerdict verdict;
  LaunchedSource launched;  ///< the base as it is launched then
};
Result<FusedVerdict> judge_fusion(const Proposal& proposal, const Optimization& optimization,
                                  const Capture& capture, const std::string& base,
                                  const std::string& candidate);

}  // namespace rpl
