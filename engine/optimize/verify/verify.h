// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/optimize/verify/baseline_study.h"
#include "engine/optimize/verify/value_compare.h"
#include "engine/target/target.h"

namespace rpl {

/// Where the candidate's instructions come from, asked for what no input made run; addresses are relative to the load base. Empty: nothing is known of that.
struct CodeOrigin {
  /// Whether it came with a function of mathematics that the kernel calls.
  std::function<bool(std::uint64_t address)> from_mathematics = {};
  /// Which loop of the source's own text a branch belongs to, with what it was inlined into; "" for none, or unknown.
  std::function<std::string(std::uint64_t address)> loop = {};
};

/// What to hold against what.
struct VerifyRequest {
  const Capture* capture = nullptr;
  std::shared_ptr<const isa::CodeObject> baseline = nullptr;  ///< null: the captured one
  std::shared_ptr<const isa::CodeObject> candidate = nullptr;
  std::string kernel = {};                       ///< of the candidate; empty: of the captured name
  LaunchPlan baseline_launch = {}, launch = {};  ///< of both, seen from the capture
  FusionPlan fusion =
      {};  ///< one dispatch of the candidate takes the place of the captured first two
  bool bit_exact = false;  ///< for changes that must not touch the arithmetic
  /// Input sets besides the captured one, at most eight: drawn again, with ties, with special values, with wide exponents, with edges, twice, with few values, twice.
  std::uint32_t more_inputs = 8;
  bool other_arguments = true;  ///< further sets with other scalar arguments and other launches
  bool coverage = true;  ///< asks that all of the candidate ran, and looks for inputs that make it
  /// Of sets on which the baseline runs for long only the captured one and the first one that is drawn: for further builds of a text that was held against all of them.
  bool few_long = false;
  /// The candidate was built so that it shows what its source promises, see ExecuteOptions::marked_build: races are looked for, and results not compared.
  bool marked_build = false;
  std::uint64_t seed = 1;  ///< of everything that is drawn
  Contract contract = {};  ///< resolved: inputs are drawn from it; empty: from what runs
  /// What is known of this baseline and capture from before, with that seed; filled in when empty, null: nothing is kept.
  std::shared_ptr<BaselineStudy>* study = nullptr;
  CodeOrigin origin = {};
};

/// One way in which the candidate is wrong.
struct VerifyFinding {
  std::string
      rule;  ///< memory-fault, runaway, wrong-values, unwritten, extra-write, input-changed, race, unverified-code, weak-oracle, orders-untried, …
  std::string message;  ///< with place and numbers
  /// Of the candidate's instructions that it is about, relative to the load base; the one that showed it first.
  std::vector<std::uint64_t> addresses = {};
};

/// How one buffer of results compared, worst of all runs.
struct ResultCheck {
  std::size_t region = 0;
  std::string name;
  Element element = Element::u8;  ///< bytes when the capture does not say
  bool poisoned = false;
  double own_difference =
      0;  ///< largest absolute difference of two runs of the baseline; added to the tolerance
  std::uint64_t elements = 0;  ///< that were compared on the first set, the captured one
  ValueComparison worst;       ///< of all sets, of which some are smaller and larger
};

/// Code of the candidate that no input made run.
struct UnverifiedCode {
  std::uint64_t address = 0;  ///< of the first such instruction, relative to the load base
  std::uint32_t instructions = 0;
  std::string text;        ///< of the first one
  bool is_choice = false;  ///< it ran, but one of its two operands was never taken
};

struct VerifyReport {
  bool passed = false;
  bool undecided =
      false;  ///< not shown to be wrong, and not shown to be right: the findings say what is missing
  std::vector<VerifyFinding> findings;  ///< of the first input set that failed
  std::vector<ResultCheck> results;     ///< by region that the baseline writes
  std::uint32_t input_sets = 0;         ///< how many were compared, all different
  std::vector<std::string> sets;        ///< what these are
  std::vector<std::string>
      schedules;  ///< likewise: how long the baseline runs there, and in which orders each was run
  std::uint64_t seed = 0;
  std::optional<UnverifiedCode> unverified;
  std::vector<std::string> baseline_races;  ///< sentences; they are no fault of the candidate
  std::uint32_t unseen_in_baseline = 0;     ///< instructions of the baseline that no input made run
  std::uint32_t candidate_runs = 0;
  std::vector<std::string> notes;  ///< what this verification cannot see
};

/// Runs baseline and candidate on the captured input and on drawn ones (BaselineStudy), each with two poisons in memory for results, other remains in
/// LDS, registers and scratch, workgroups in both orders, and once with waves and workgroups taking turns at random. Compares every byte of every region:
/// inputs unchanged, results written where the baseline writes and nowhere else, values within the tolerance of their type or bit by bit. A race that the baseline does not
/// have is a finding; so is code of the candidate that no input made run, unless the baseline has the like of it. What the baseline
/// differs from itself by is added to the tolerance of floats. On the emulated device the guard bands are unmapped memory around each region: touching it is a fault. A
/// candidate that takes more than 20 times the baseline's instructions is stopped. Fails when the baseline itself does not run, and on a target that keeps
/// memory for itself.
Result<VerifyReport> verify(const VerifyRequest& request, Target& target);

/// Holds what two builds left in memory from the same input against each other, region by region, within the tolerance of their type or bit by bit:
/// after the timed runs, on what those left. Empty: the same.
std::vector<VerifyFinding> compare_results(const Capture& capture, const MemoryImage& expected,
                                           const MemoryImage& found, bool bit_exact);
/// The same of one region, whose bytes `expected` and `found` are: no mismatches within the tolerance of what its elements are by names, or by all looks.
ValueComparison compare_region(const Capture& capture, std::size_t region,
                               std::span<const std::byte> expected,
                               std::span<const std::byte> found, bool bit_exact);

}  // namespace rpl
