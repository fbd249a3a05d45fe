// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/optimize/verify/value_compare.h"
#include "engine/target/target.h"

namespace rpl {

/// What to hold against what.
struct VerifyRequest {
  const Capture* capture = nullptr;
  std::shared_ptr<const isa::CodeObject> baseline = nullptr;  ///< null: the captured one
  std::shared_ptr<const isa::CodeObject> candidate = nullptr;
  bool bit_exact = false;         ///< for changes that must not touch the arithmetic
  std::uint32_t more_inputs = 2;  ///< input sets besides the captured one
  std::uint64_t seed = 1;
};

/// One way in which the candidate is wrong.
struct VerifyFinding {
  std::string
      rule;  ///< memory-fault, runaway, wrong-values, unwritten, extra-write, input-changed, not-deterministic, …
  std::string message;  ///< with place and numbers
};

/// How one buffer of results compared, worst of all runs.
struct ResultCheck {
  std::size_t region = 0;
  std::string name;
  Element element = Element::u8;  ///< bytes when the capture does not say
  bool poisoned = false;
  double own_difference =
      0;  ///< largest absolute difference of two runs of the baseline; added to the tolerance
  ValueComparison worst;
};

struct VerifyReport {
  bool passed = false;
  std::vector<VerifyFinding> findings;  ///< of the first input set that failed
  std::vector<ResultCheck> results;     ///< by region that the baseline writes
  std::uint32_t input_sets = 0;         ///< how many were compared
  std::uint32_t candidate_runs = 0;
  std::vector<std::string> notes;  ///< what this verification cannot see
};

/// Runs the baseline twice on the captured input first: what it differs from itself by is added to the tolerance of floats, and where it is above 0 the
/// bits cannot all count. Then runs baseline and candidate on the captured input and on further sets of the same shape, memory for results poisoned with two patterns, and
/// compares every byte of every region: inputs unchanged, results written where the baseline writes and nowhere else, values within the tolerance
/// of their type or bit by bit. On the emulated device the guard bands are unmapped memory around each region: touching it is a fault. A
/// candidate that takes more than 20 times the baseline's instructions is stopped. Fails when the baseline itself does not run, and on a target that keeps
/// memory for itself.
Result<VerifyReport> verify(const VerifyRequest& request, Target& target);

/// Holds what two builds left in memory from the same input against each other, region by region, within the tolerance of their type or bit by bit:
/// after the timed runs, on what those left. Empty: the same.
std::vector<VerifyFinding> compare_results(const Capture& capture, const MemoryImage& expected,
                                           const MemoryImage& found, bool bit_exact);

}  // namespace rpl
