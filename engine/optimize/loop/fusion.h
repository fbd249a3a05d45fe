// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/optimize/loop/candidate_launch.h"
#include "engine/source/text/fused_kernel.h"

/// Candidates of which one dispatch takes the place of the first two that were captured.
namespace rpl {

/// The kernel of the second dispatch of a slice, where it was launched as the first one was and is; "" where no kernel can take the place of both.
std::string fusable_kernel(const Optimization& optimization, const Capture& capture);
/// The second of the kernels whose place a fused proposal takes. Fails with corrupt for a capture of one dispatch, as an altered session may name it.
Result<std::string> second_kernel(const Proposal& proposal, const Capture& capture);
/// Whether an edited source has one kernel more than the one it was made from.
bool has_one_kernel_more(const std::string& base, const std::string& edited);

struct FusedSource {
  FusionPlan plan;
  LaunchedSource source;  ///< `edited`, with the two launches written as one where they can be
};

/// The kernel that `edited` has more, launched in place of the two. Fails as find_fused_kernel(), and with unsupported where one of its parameters stands for two arguments
/// that were not equal, or the two dispatches were not launched alike.
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
