// SPDX-License-Identifier: MIT
#pragma once

#include "engine/device/cycle/launch_time.h"

/// How the work of a launch is spread over units, workgroups and waves, otherwise than it was: for counterfactuals.
namespace rpl::cycle {

/// A unit that holds more workgroups at once is followed over more of them: those that were kept, again.
void fill_rounds(const Parameters& p, LaunchRecord& out);

/// All workgroups as the usual one, and all waves of one as its mean: waves that have far more or less to do than the mean do so much of what the longest one does, so that nothing of
/// the work is lost.
void level(LaunchRecord& out);

}  // namespace rpl::cycle
