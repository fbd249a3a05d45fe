// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "engine/optimize/measure/samples.h"
#include "engine/target/target.h"

namespace rpl {

/// What is measured against what on a captured dispatch.
struct SampledPair {
  const Capture* capture = nullptr;                            ///< must outlive the sampler
  std::string folder = {};                                     ///< where it lies
  std::shared_ptr<const isa::CodeObject> baseline = nullptr;   ///< null: the captured one
  std::shared_ptr<const isa::CodeObject> candidate = nullptr;  ///< null: the captured one, for A/A
  std::string kernel = {};                                     ///< empty: the captured name
  LaunchPlan baseline_launch = {}, candidate_launch = {};      ///< empty: as it was captured
  bool cold = false;  ///< caches are emptied before each dispatch; not on the emulated device
  std::vector<std::size_t> host_regions = {};
  Design design = {};
  std::uint64_t seed = 1;  ///< of the orders of blocks
  std::function<void(const DeviceRun&)> ran_on =
      {};  ///< told the GPU of each process; may be empty
};

/// Samples from replaying. On the emulated device one process and one block: equal runs are equal. Elsewhere each process is a new one of the
/// target; in it the blocks follow each other, A…AB…B or B…BA…A, memory is restored before each dispatch, and memory after the candidate's last
/// dispatch is compared with what the baseline's first one left, within default_tolerance() of each buffer's type. more() then fails with
/// verification_failed: a time of a kernel that computed something else is not a time. The target must outlive it.
std::unique_ptr<Sampler> replay_sampler(Target& target, SampledPair pair);

}  // namespace rpl
