// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/optimize/verify/reference_run.h"
#include "engine/optimize/verify/scalars.h"

namespace rpl {

/// What the inputs of a study are drawn with.
struct StudyOptions {
  std::uint64_t seed = 1;
  std::uint32_t more_inputs = 4;  ///< sets of other memory besides the captured one, at most four
  bool other_arguments =
      true;  ///< also sets with other scalar arguments, and with other launches where the baseline gives the captured results
};

/// One input set with what the baseline does there.
struct StudiedSet {
  InputSet input;
  ReferenceRun run;
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
  /// A set for one candidate: contents near its thresholds; `scalars`: scalar arguments, too, which may take values away from them again. Null where none was found on which
  /// the baseline runs. Not kept.
  Result<std::shared_ptr<const StudiedSet>> around(const Runner& baseline,
                                                   const Thresholds& thresholds, bool scalars);
  /// One of the whole scalar arguments small, a little below the captured one, or near a threshold: the `turn`-th of most_steered(). Without a dispatch where the baseline does not run.
  Result<InputSet> steered(const Runner& baseline, const Thresholds& thresholds, std::size_t turn);
  [[nodiscard]] std::size_t most_steered() const;
  /// What the baseline does with such an input. Null where the input is the captured one, or has arguments or a launch that make the baseline race, which the captured ones do not.
  Result<std::shared_ptr<const StudiedSet>> studied(const Runner& baseline, InputSet input,
                                                    std::uint64_t seed, bool watch);
  /// Sentences: what could not be drawn.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }
  /// Whether runs are so long, or memory so large, that fewer sets are drawn and only some of the checks are made on each.
  [[nodiscard]] bool is_long() const { return long_; }

 private:
  explicit BaselineStudy(const StudyOptions& options) : options_(options) {}
  Status learn(const Runner& baseline);
  Status learn_arguments(const Runner& baseline);
  void note(std::string sentence);
  [[nodiscard]] Result<bool> runs(const Runner& baseline, const InputSet& set,
                                  std::uint64_t* trace = nullptr) const;
  Result<InputSet> drawn(const Runner& baseline, InputClass kind, std::uint64_t seed,
                         const Thresholds& thresholds = {});
  /// The number in a scalar that takes other values and is a whole number above 1; else nothing.
  [[nodiscard]] std::optional<std::int64_t> count_in(const Capture& capture,
                                                     std::size_t scalar) const;
  /// With that number in it, other usual contents, and a dispatch where the baseline runs so.
  Result<InputSet> with_count(const Runner& baseline, std::size_t scalar, std::int64_t count,
                              std::uint64_t seed);
  Result<InputSet> resized(const Runner& baseline, std::size_t variant);
  /// The set's dispatch with the least grid that suits its whole numbers.
  [[nodiscard]] Result<std::shared_ptr<const Capture>> with_grid_for(const Runner& baseline,
                                                                     const InputSet& set) const;
  /// Scalars that are no counts: the first with another sign (0), all several times as large (1), the second (2) and all (3) with another sign.
  Result<InputSet> freed(const Runner& baseline, std::size_t variant);
  Result<InputSet> with_one(const Runner& baseline, std::size_t which);
  Result<InputSet> relaunched(const Runner& baseline);
  /// With as many work-items along x. Without a dispatch where the baseline then gives other results than the captured ones.
  Result<InputSet> launched_on(const Runner& baseline, std::uint32_t grid);
  InputSet captured(const Capture& capture) const;
  bool is_new(const InputSet& set);

  StudyOptions options_;
  std::vector<BufferTraits> traits_;
  std::vector<Scalar> scalars_;
  std::vector<std::vector<std::vector<std::byte>>>
      other_values_;  ///< by scalar: bytes with which the baseline runs
  std::vector<std::vector<std::vector<std::byte>>>
      free_values_;  ///< by scalar that is no count: another sign, another size
  std::uint64_t captured_trace_ = 0;
  MemoryImage after_;  ///< the captured dispatch
  std::uint64_t instructions_ = 0;
  bool long_ = false;
  bool races_ = false;  ///< on an input of the captured launch and arguments
  std::map<std::size_t, std::shared_ptr<const StudiedSet>> kept_;
  std::map<std::size_t, bool> absent_;
  std::vector<std::size_t> hashes_;
  std::vector<std::string> notes_;
};

}  // namespace rpl
