// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/optimize/inputs/scalars.h"
#include "engine/optimize/verify/contract.h"
#include "engine/optimize/verify/reference_run.h"

namespace rpl {

/// What the inputs of a study are drawn with.
struct StudyOptions {
  std::uint64_t seed = 1;
  std::uint32_t more_inputs = 8;  ///< sets of other memory besides the captured one, at most eight
  bool other_arguments =
      true;  ///< also sets with other scalar arguments, and with other launches where the baseline gives the captured results
  Contract contract = {};  ///< resolved: nothing is drawn outside of it
};

/// What was found out of one argument of the first dispatch.
struct ArgumentFacts {
  std::size_t position = 0;                ///< from 0
  std::optional<std::size_t> region = {};  ///< of a buffer
  std::optional<double> captured = {};     ///< of a scalar
  std::vector<double> runs_with = {};  ///< other numbers of a scalar with which the baseline runs
};

/// One input set with what the baseline does there.
struct StudiedSet {
  InputSet input;
  ReferenceRun run;
  std::vector<BufferTraits> traits = {};  ///< by region, as they were when it was drawn
};

/// What is known of a baseline's dispatch, found out by running it: what its buffers are for, on which other inputs it runs, and what it does there. The
/// same for every candidate of one search, so it is kept.
class BaselineStudy {
 public:
  /// Runs the captured dispatch and learns what the buffers decide. Fails as the target does.
  static Result<std::shared_ptr<BaselineStudy>> begin(const Runner& baseline,
                                                      const StudyOptions& options);

  [[nodiscard]] const std::vector<BufferTraits>& traits() const { return traits_; }
  [[nodiscard]] std::uint64_t seed() const { return options_.seed; }
  /// The sets that were found so far and those that may still be: set() is empty for the latter when the baseline does not run there.
  [[nodiscard]] std::size_t most_sets() const;
  /// Those that are like what the kernel is used for, and worth being timed on: values within the captured range, other arguments, the one nearest the captured ones first, and another launch. Of long
  /// runs the first two.
  [[nodiscard]] std::vector<std::size_t> like_use() const;
  /// Null where the baseline does not run on any such input, or the set equals an earlier one. Fails as the target does.
  Result<std::shared_ptr<const StudiedSet>> set(const Runner& baseline, std::size_t index);
  /// The same of `count` sets from `first` on, in order, studied at the same time on several threads: the target's replay() is called from all of them.
  Result<std::vector<std::shared_ptr<const StudiedSet>>> sets(const Runner& baseline,
                                                              std::size_t first, std::size_t count);
  /// How many sets are worth being looked at at the same time; several hold several copies of the captured memory.
  [[nodiscard]] static std::size_t sets_at_once(const Capture& capture);
  /// The same of those from set `first` on: what one call of sets() should ask for.
  [[nodiscard]] std::size_t sets_at_once(const Runner& baseline, std::size_t first) const;
  /// A set for one candidate: contents near its thresholds; `scalars`: scalar arguments, too, which may take values away from them again. Null where none was found on which
  /// the baseline runs. Not kept.
  Result<std::shared_ptr<const StudiedSet>> around(const Runner& baseline,
                                                   const Thresholds& thresholds, bool scalars);
  /// One of the whole scalar arguments small, a little below the captured one, or near a threshold: the `turn`-th of most_steered(). Without a dispatch where the baseline does not run.
  Result<InputSet> steered(const Runner& baseline, const Thresholds& thresholds, std::size_t turn);
  [[nodiscard]] std::size_t most_steered() const;
  /// The `turn`-th input with a scalar that the contract does not allow: a candidate that does there what the baseline does has shown code that nothing within the contract reaches, such as the
  /// way around a loop. Nothing at the end; without a dispatch where the baseline does not run.
  Result<std::optional<InputSet>> outside(const Runner& baseline, std::size_t turn);
  /// What the baseline does with such an input. Null where the input is the captured one, or has arguments or a launch that make the baseline race, which the captured ones do not.
  Result<std::shared_ptr<const StudiedSet>> studied(const Runner& baseline, InputSet input,
                                                    std::uint64_t seed);
  /// The scalars, and the buffers that arguments point to, by position.
  [[nodiscard]] std::vector<ArgumentFacts> arguments(const Capture& capture) const;
  /// Whether the baseline runs with this number in that argument of the first dispatch, a scalar, and everything else as it was captured; the error says why not. Fails as the target does.
  Result<std::optional<Error>> fails_with(const Runner& baseline, std::size_t position,
                                          double number) const;
  /// Sentences: what could not be drawn.
  [[nodiscard]] std::vector<std::string> notes() const;
  /// Whether runs are so long, or memory so large, that fewer sets are drawn and only some of the checks are made on each.
  [[nodiscard]] bool is_long() const { return long_; }
  /// Of those: whether everything else is tried on the same dispatch with small counts instead.
  [[nodiscard]] bool has_small() const { return small_ != nullptr; }

 private:
  /// What is noted of a run besides what it leaves: which ways it took, and where each operation went.
  enum class Look : std::uint8_t { nowhere, ways, traces };

  explicit BaselineStudy(const StudyOptions& options) : options_(options) {}
  Status learn(const Runner& baseline);
  /// The first of it: the captured dispatch.
  Status run_captured(const Runner& baseline);
  /// The second: what each buffer decides.
  Status learn_contents(const Runner& baseline);
  /// At most `most` other values of each scalar.
  Status learn_arguments(const Runner& baseline, std::size_t most);
  /// What scalars may be whatever the captured run says of them.
  Status learn_free(const Runner& baseline, std::size_t scalar, Random& random);
  /// Of what is long: studies the dispatch with small counts instead, where it runs with those. `counts`: the scalars that are made small.
  Status study_small(const Runner& baseline, const std::vector<std::size_t>& counts);
  /// Those of the scalars that hold a whole number above 1.
  [[nodiscard]] std::vector<std::size_t> whole_scalars(const Capture& capture) const;
  [[nodiscard]] std::optional<std::int64_t> whole_in(const Capture& capture,
                                                     std::size_t scalar) const;
  /// A runner of the dispatch that small_ studies; it refers to both.
  [[nodiscard]] Runner small_runner(const Runner& baseline) const {
    return {baseline.target, *small_->as_, baseline.object, baseline.kernel, baseline.launch};
  }
  /// Whether an input is one of small_.
  [[nodiscard]] bool is_of_small(const InputSet& input) const;
  /// The sets of the captured dispatch itself, before those of small_.
  [[nodiscard]] std::size_t own_sets() const;
  /// One number in each buffer of integers, wherever they are no structure. Without memory where there is none.
  Result<InputSet> uniform(const Runner& baseline);
  /// Whether the baseline does as much, and has no race, where a structure is not sorted.
  Result<bool> goes_in_any_order(const Runner& baseline, std::size_t region,
                                 const BufferTraits& traits);
  void note(std::string sentence);
  /// The rule of a scalar, or of the argument that points to a region; null: none.
  [[nodiscard]] const ArgumentRule* rule_of(const Scalar& scalar) const;
  [[nodiscard]] const ArgumentRule* rule_of_region(const Capture& capture,
                                                   std::size_t region) const;
  [[nodiscard]] bool allowed(std::size_t scalar, std::span<const std::byte> value) const;
  /// Other values of a scalar to be tried, all within the contract.
  [[nodiscard]] std::vector<std::vector<std::byte>> values_to_try(std::size_t scalar,
                                                                  const Capture& capture,
                                                                  Random& random) const;
  /// draw(), within the contract.
  bool draw_within(InputClass kind, const Capture& capture, std::size_t region, Random& random,
                   std::vector<std::byte>& out, const Thresholds& thresholds = {}) const;
  /// Nothing where the baseline does not run on it. `times`: as long as the captured run, so that its budget is. Fails as the target does.
  [[nodiscard]] Result<std::optional<ReplayRun>> tried(const Runner& baseline, const InputSet& set,
                                                       Look look, std::uint64_t times = 1) const;
  [[nodiscard]] static std::uint64_t trace_of(const ReplayRun& run);
  /// Of the captured run; found out the first time that somebody asks.
  Result<std::uint64_t> captured_trace(const Runner& baseline);
  Result<bool> runs(const Runner& baseline, const InputSet& set, std::uint64_t times = 1);
  /// Of arguments, launch and contents.
  static std::size_t hash_of(const InputSet& set, const Capture& capture);
  void keep_run(const Runner& baseline, std::size_t hash, ReplayRun run);
  /// With what the contents of the first sets are drawn.
  [[nodiscard]] std::uint64_t seed_of_set(std::size_t index) const {
    return options_.seed + index * 7;
  }
  /// What the baseline did on it where runs() was asked that lately; once.
  std::optional<ReplayRun> ran_on(const Runner& baseline, const InputSet& set);
  /// Whether waves or workgroups race on it. Fails as the target does.
  [[nodiscard]] Result<bool> races(const Runner& baseline, const InputSet& set) const;
  /// Whether one more workgroup along any axis would do nothing more, as with the captured arguments; true where it would with those, too. A host that passes other arguments
  /// launches otherwise.
  Result<bool> is_covered(const Runner& baseline, const InputSet& set);
  /// Whether the baseline runs with that value of a scalar, which is no count, or is one for which it may stand. Fails as the target does.
  Result<bool> is_free(const Runner& baseline, std::size_t scalar,
                       std::span<const std::byte> bytes);
  /// The captured input with zeros in all buffers that hold no indices.
  [[nodiscard]] InputSet zeros(const Capture& capture) const;
  /// Whether the baseline runs on it with other arguments, where it does with the captured ones.
  Result<bool> runs_on_zeros(const Runner& baseline,
                             const std::shared_ptr<const Capture>& dispatch);
  /// Whether it stores less with one less of a scalar, whatever values decide.
  Result<bool> is_extent(const Runner& baseline, std::size_t scalar);
  /// Whether it still stores anything where that scalar is 0.
  [[nodiscard]] Result<bool> stores_with_none(const Runner& baseline, std::size_t scalar) const;
  Result<InputSet> drawn(const Runner& baseline, InputClass kind, std::uint64_t seed,
                         const Thresholds& thresholds = {});
  /// The captured dispatch with small counts, so that a run that is long becomes short. Null where the baseline does not run so, stores nothing, or races.
  Result<std::shared_ptr<const Capture>> shortened(const Runner& baseline,
                                                   const std::vector<std::size_t>& counts) const;
  /// Its dispatch with few workgroups along each axis whose extent nothing but the launch decides.
  Result<std::shared_ptr<const Capture>> with_few_workgroups(const Runner& baseline,
                                                             InputSet set) const;
  /// That dispatch as a capture of its own, whose buffers end behind what it reaches.
  Result<std::shared_ptr<const Capture>> cut(const Runner& baseline,
                                             const std::shared_ptr<const Capture>& dispatch) const;
  /// Those of the scalars that count_in() has a number of.
  [[nodiscard]] std::vector<std::size_t> counts_of(const Capture& capture) const;
  /// Whether buffers may lie elsewhere, or be larger, and runs are short enough for that.
  [[nodiscard]] bool may_move(const Capture& capture) const;
  /// Whether the baseline writes as far into each buffer there as with the `other` contents.
  [[nodiscard]] Result<bool> writes_as_far(const Runner& baseline, const InputSet& set,
                                           const MemoryImage& other, std::uint64_t times) const;
  /// As many draws of a buffer behind each other.
  void draw_larger(InputClass kind, const Capture& capture, std::size_t region, std::uint64_t times,
                   Random& random, std::vector<std::byte>& out) const;
  /// Makes indices of buffers so drawn lead to all of what they lead to, which is as much larger. False where there are none.
  bool spread_indices(std::uint64_t times, Random& random, MemoryImage& memory) const;
  /// The number in a scalar that takes other values and is a whole number above 1; else nothing.
  [[nodiscard]] std::optional<std::int64_t> count_in(const Capture& capture,
                                                     std::size_t scalar) const;
  /// With that number in it, other usual contents, and a dispatch where the baseline runs so and, unless it is to be `outside`, the contract allows it.
  Result<InputSet> with_count(const Runner& baseline, std::size_t scalar, std::int64_t count,
                              std::uint64_t seed, bool outside = false);
  Result<InputSet> resized(const Runner& baseline, std::size_t variant);
  /// The set's dispatch with the least grid that suits its whole numbers.
  [[nodiscard]] Result<std::shared_ptr<const Capture>> with_grid_for(const Runner& baseline,
                                                                     const InputSet& set,
                                                                     std::uint64_t times = 1) const;
  /// Scalars that are no counts: the first with another sign (0), all several times as large (1), the second (2) and all (3) with another sign, powers of two in every other one (4, 5).
  Result<InputSet> freed(const Runner& baseline, std::size_t variant);
  Result<InputSet> with_one(const Runner& baseline, std::size_t which);
  /// All buffers as many times as large as suits, and one of the counts too, each in its turn, then again with numbers of other kinds: what was long enough for the captured ones, as an index of 16 bits, may not be for these. Without a dispatch where
  /// the baseline does not run so, runs are long, or somebody wrote addresses into memory.
  Result<InputSet> enlarged(const Runner& baseline, std::size_t which);
  /// Whether waves or workgroups race on the captured input. Fails as the target does.
  Result<bool> races_as_captured(const Runner& baseline);
  /// Puts back what buffers held that make the baseline race, which it does not on the captured input: a counter that begins with another number.
  Status keep_order(const Runner& baseline, InputSet& set);
  Result<InputSet> relaunched(const Runner& baseline);
  /// With as many work-items along x. Without a dispatch where the baseline then leaves another memory than `usual`.
  Result<InputSet> launched_on(const Runner& baseline, std::uint32_t grid,
                               const MemoryImage& usual);
  /// Of contents with few different values each buffer has one kind or the other: half of those of integers that are only read and no indices are nearly all zero, the other half with another seed.
  [[nodiscard]] InputClass few_in(std::size_t region, const Capture& capture,
                                  std::uint64_t seed) const;
  InputSet captured(const Capture& capture) const;
  bool is_new(const InputSet& set);
  /// Draws a set that was not asked for yet; none: it is absent.
  Result<std::optional<InputSet>> input_at(const Runner& baseline, std::size_t index);
  /// A set with other scalars, buffers or contents, after those of other sizes and of one.
  Result<InputSet> further(const Runner& baseline, std::size_t variant);
  /// What is known of an input once the baseline has run on it; null as studied() has it.
  std::shared_ptr<const StudiedSet> judged(StudiedSet found);

  /// All counts small, each with another number, and other values of what is no count: how they compare with each other is what single ones never change. Without a dispatch where
  /// the baseline does not run so, stores nothing, or races.
  Result<InputSet> all_small(const Runner& baseline, std::size_t which);
  /// The `which`-th count that is no extent beyond what 16 bits hold and all others small, in buffers that are as many times as large: the rows of a few are longer than those of many.
  /// Without a dispatch where the baseline does not run so.
  Result<InputSet> stretched(const Runner& baseline, std::size_t which);
  Result<InputSet> stretched_to(const Runner& baseline, std::size_t count, std::uint64_t wanted,
                                std::int64_t others);
  /// Buffers that begin elsewhere. Without a dispatch where the baseline does not run so.
  Result<InputSet> moved(const Runner& baseline);
  /// Integers that are multiples of what the baseline's code has, more or less.
  Result<InputSet> with_residues(const Runner& baseline);
  /// Whether the baseline has a race where a buffer that was captured in ascending order is in none, and no race where it is sorted.
  Result<bool> needs_order(const Runner& baseline, std::size_t region, InputSet unordered,
                           const BufferTraits& traits);

  /// How many sets there are of other sizes, of a count of one, of scalars that are no counts, of larger buffers, of small counts, of long rows, and of other contents and places.
  static constexpr std::size_t kSizeSets = 3, kSmallSets = 3, kFreeSets = 6, kLargeSets = 3,
                               kAllSmallSets = 4, kStretchedSets = 1, kOtherSets = 2;
  /// About which shortened() makes the first count.
  static constexpr std::int64_t kLargestSmallCount = 96;

  StudyOptions options_;
  std::vector<BufferTraits> traits_;
  std::vector<Scalar> scalars_;
  std::vector<std::vector<std::vector<std::byte>>>
      other_values_;                     ///< by scalar: bytes with which the baseline runs
  std::vector<FreeValues> free_values_;  ///< by scalar; nothing of what is a count
  std::optional<std::uint64_t> captured_trace_;
  std::shared_ptr<const emu::Path> captured_path_;
  std::array<std::optional<bool>, 3> covered_as_captured_;  ///< by axis, once somebody asked
  MemoryImage after_;                                       ///< the captured dispatch
  std::shared_ptr<const emu::Program> program_;             ///< of the captured dispatch
  std::uint64_t instructions_ = 0;
  bool long_ = false;
  MemoryImage drawn_again_;  ///< of what is long: contents with which the baseline runs
  std::shared_ptr<BaselineStudy> small_;  ///< of what is long, see cut()
  std::shared_ptr<const Capture> as_;  ///< of small_ itself: what its sets without a dispatch run
  std::vector<BufferTraits>
      elements_;  ///< of small_ itself: element types as the whole buffers tell them
  std::map<std::size_t, bool> extents_;  ///< by scalar, once somebody asked
  std::optional<bool> zeros_run_;        ///< once somebody asked
  std::optional<bool> captured_races_;   ///< once somebody asked
  bool races_ = false;                   ///< on an input of the captured launch and arguments
  std::vector<std::pair<std::size_t, ReplayRun>> ran_;  ///< by hash of the input, the last ones
  std::map<std::size_t, std::shared_ptr<const StudiedSet>> kept_;
  std::uint64_t kept_bytes_ = 0;
  std::map<std::size_t, bool> absent_;
  std::vector<std::size_t> hashes_;
  std::vector<std::string> notes_;
};

}  // namespace rpl
