// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "engine/optimize/inputs/input_sets.h"
#include "engine/target/target.h"

namespace rpl {

/// A kernel that is run on input sets.
struct Runner {
  Target& target;
  const Capture& capture;
  const std::shared_ptr<const isa::CodeObject>& object;  ///< null: the captured one
  std::string kernel = {};                               ///< empty: of the captured name
  LaunchPlan launch = {};                                ///< of every dispatch; empty: as it is
  FusionPlan fusion = {};  ///< one dispatch of it takes the place of the first two

  /// On the set's dispatch, with this memory. Fails as the target does.
  [[nodiscard]] Result<ReplayRun> run(const InputSet& set, MemoryImage memory,
                                      emu::ExecuteOptions options) const;
};

/// Wave-instructions after which a run is stopped that should take `instructions`.
inline std::uint64_t budget_for(std::uint64_t instructions) {
  return instructions * 20 + 1'000'000;
}
/// Waves of several workgroups that go on in drawn order.
emu::Variation disordered(std::uint64_t seed);

/// What the baseline does with one input set; the candidate is held against it.
struct ReferenceRun {
  std::vector<bool> written;  ///< by region: the baseline changed it
  std::vector<bool>
      poisoned;  ///< by region: results that do not depend on what was there before, so it starts as poison
  std::array<MemoryImage, 2> input;     ///< with both poisons, which differ in every byte
  std::array<MemoryImage, 2> expected;  ///< after the baseline, likewise
  std::uint64_t instructions = 0;       ///< wave-instructions of the baseline
  /// By region: the largest absolute difference between two runs of the baseline whose waves and workgroups ran in other orders.
  std::vector<double> own;
  /// By region of floats and element: how far rounding can have moved it, the largest distance of the runs that rounded everything up and down; absolute; infinite where
  /// rounding decides whether it is a number at all. Empty where that is not known.
  std::vector<std::vector<float>> rounding;
  /// By region: rounding otherwise, and moved results, changed a byte of it. What they never change is moved, chosen or made of bits, and not computed.
  std::vector<bool> moves_by_rounding;
  /// By region of floats: how far rounding to the nearest moves all of it in one direction, as it does in long sums; the mean relative distance from runs that rounded at random.
  std::vector<double> rounding_bias;
  /// By region of other elements: its bytes after those runs that left others than `expected[0]`, as a float that is rounded otherwise may decide an integer.
  std::vector<std::vector<std::vector<std::byte>>> decided_by_rounding;
  /// Regions with as many elements each that are unsteady together: whatever their order is, the same elements of both are at one place.
  std::vector<std::pair<std::size_t, std::size_t>> belong_together;
  /// By region: between these runs elements that are no floats differ, or floats are at other places.
  std::vector<bool> unsteady;
  bool runs_disordered =
      false;  ///< the baseline ends when few workgroups are in flight and waves take turns
  bool too_long = false;    ///< for being repeated in another order as a whole
  bool one_poison = false;  ///< both are the same, and so is what they lead to
  /// Of a long run: how many waves are run in other orders, of workgroups spread over the grid; 0: all.
  std::uint64_t disordered_waves = 0;
  MemoryImage
      after_part;  ///< what those alone leave, from input[0]; empty: all were run, see expected[0]
  std::vector<emu::Race> races;           ///< of the baseline itself
  std::shared_ptr<const emu::Path> path;  ///< of the baseline, all its runs together
  std::shared_ptr<const emu::Program> program;
  std::shared_ptr<const isa::CodeObject> object;  ///< that the program is of
};

/// Runs of more wave-instructions are watched only where that is asked for, and repeated in another order in part.
inline constexpr std::uint64_t kLongRun = 2'000'000;

/// Runs the baseline on an input set: as it is, then with both poisons in all regions that it writes and other remains in LDS and registers,
/// then with workgroups in descending order, and with waves and workgroups in drawn order. Poison is drawn: half of the elements hold results of other elements, the others any bytes. A
/// region whose results then differ is one that the kernel also reads (in place, or atomics): it keeps its values. `plain`: the first of these runs, with its path, where somebody has made it already. Of long runs one with poison and the one in descending order are the same, unless something depends on it. `one_poison`: of a run that is tried at another size with both, only one that differs
/// from the results in every byte. Fails as the target does for the first run.
Result<ReferenceRun> run_reference(const Runner& runner, const InputSet& input,
                                   const std::vector<BufferTraits>& traits, std::uint64_t seed,
                                   std::optional<ReplayRun> plain = std::nullopt,
                                   bool one_poison = false);

/// Whether one byte of a poisoned region was left alone, from both runs.
inline bool unwritten(const std::array<MemoryImage, 2>& input,
                      const std::array<MemoryImage, 2>& after, std::size_t region, std::size_t at) {
  return after[0][region][at] == input[0][region][at] &&
         after[1][region][at] == input[1][region][at];
}

/// Adds what another run of the same program did.
void add_path(std::shared_ptr<const emu::Path>& all, const emu::Path& one);

}  // namespace rpl
