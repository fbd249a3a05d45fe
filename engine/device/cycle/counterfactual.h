// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/result.h"
#include "engine/device/cycle/ideal.h"
#include "engine/device/cycle/launch_time.h"
#include "engine/device/cycle/operation_kind.h"
#include "engine/device/cycle/stream_facts.h"

/// The same launch again, by the model, with one mechanism made ideal: what a mechanism costs is the difference.
namespace rpl::cycle {

/// What an operation did over the whole launch, exactly.
struct OperationCounts {
  double lanes = 1;  ///< share of its lanes that were active; 1 of what has no lanes
  double bytes = 0;  ///< that its lanes asked memory for
};

struct Counterfactual {
  Ideal ideal = Ideal::no_launch;
  std::uint64_t cycles = 0;  ///< of the launch, were it so
};

/// What a launch is asked about: what it kept, and what is known of its operations.
struct Question {
  const LaunchRecord& record;
  const Parameters& parameters;
  std::span<const Operation> operations;  ///< as LaunchTime has them
  std::span<const OperationKind> kinds;
  std::span<const OperationFacts> facts;
  std::span<const OperationCounts> counts;
};

/// By ideal, whether it could change anything, by what was kept of the launch.
std::array<bool, kIdeals> could_matter(const Question& question);

/// Every ideal that could matter by what was kept of the launch; those that could not are left out. Fails with interrupted.
Result<std::vector<Counterfactual>> counterfactuals(const Question& question);

/// Several at once: cycles of the launch.
Result<std::uint64_t> cycles_with(const Question& question, std::span<const Ideal> ideal);

}  // namespace rpl::cycle
