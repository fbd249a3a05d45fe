// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <tuple>

#include "engine/optimize/verify/rounding_error.h"
#include "engine/optimize/verify/verify.h"

namespace rpl {

/// Where a race is: in LDS, between workgroups, and in which region; no region is -1.
using RacePlace = std::tuple<bool, bool, std::int64_t>;
RacePlace race_place(const emu::Race& race, const Capture& capture);

/// Compares a candidate with the baseline on one input set, and adds what it finds to a report.
class CandidateCheck {
 public:
  /// All are borrowed. `baseline_races`: of all sets so far.
  CandidateCheck(const VerifyRequest& request, const Runner& baseline,
                 const std::vector<BufferTraits>& traits, const StudiedSet& set,
                 const std::set<RacePlace>& baseline_races, VerifyReport& report)
      : request_(request),
        baseline_(baseline),
        capture_(set.input.dispatch ? *set.input.dispatch : *request.capture),
        traits_(traits),
        set_(set),
        reference_(set.run),
        baseline_races_(baseline_races),
        report_(report) {}

  /// Fails when a run could not be made at all. `seen`: where the candidate's path is added; `code` becomes its program.
  Status run(const Runner& candidate, std::uint64_t seed, std::shared_ptr<const emu::Path>& seen,
             std::shared_ptr<const emu::Program>& code);

 private:
  void found(std::string rule, const std::string& message);
  Status did_not_run(const Error& error);
  /// What both runs left; `way` may be null.
  Status check_results(const std::array<MemoryImage, 2>& after,
                       const std::shared_ptr<const emu::Path>& way, const emu::Program& code);
  /// Waves and workgroups take turns at random, and races are looked for.
  Status run_disordered(const Runner& candidate, std::uint64_t seed,
                        std::shared_ptr<const emu::Path>& seen);
  Status check(const std::array<MemoryImage, 2>& after, std::size_t region);
  /// So many of both poisons.
  [[nodiscard]] std::size_t different() const { return reference_.one_poison ? 1 : 2; }
  void check_input(const std::vector<std::byte>& after, std::size_t region);
  bool check_coverage(const std::array<MemoryImage, 2>& after, std::size_t region);
  Status check_values(const std::array<MemoryImage, 2>& after, std::size_t region);
  /// What differs from the baseline in one direction everywhere, though within the tolerance, is wrong.
  void check_bias(const std::array<MemoryImage, 2>& after, std::size_t region);
  [[nodiscard]] ValueComparison compared(const std::array<MemoryImage, 2>& after,
                                         std::size_t region, std::size_t which) const;
  /// What the baseline leaves, with those elements of integers that the candidate has otherwise as rounding may have decided them, too.
  [[nodiscard]] std::vector<std::byte> expected_of(const std::vector<std::byte>& found,
                                                   std::size_t region, std::size_t which) const;
  [[nodiscard]] bool decided_by_chance(std::size_t region, const ValueComparison& now) const;
  /// Learns more of how far rounding can have moved the baseline, once.
  Status look_closer();
  /// Learns how far rounding takes each element in the worst of many cases, which few of many elements come near to.
  Status look_for_chance();
  void check_disordered(const ReplayRun& run);
  /// Of buffers whose elements come in any order: what belongs together is together.
  void check_pairs(const MemoryImage& after, std::size_t which);
  /// What it did on its way that no image shows: lanes that are not at a barrier, stores to what is only read.
  void check_path(const emu::Path& path, const emu::Program& program);
  /// A race that the baseline has not becomes the first finding.
  bool find_race(const ReplayRun& run);
  [[nodiscard]] Tolerance tolerance_of(std::size_t region) const;
  /// What the baseline leaves in a region, and zeros where it writes nothing.
  [[nodiscard]] std::vector<std::byte> results_of(std::size_t region) const;
  ResultCheck& result_of(std::size_t region);

  const VerifyRequest& request_;
  const Runner& baseline_;
  const Capture& capture_;  ///< the set's dispatch, whose memory may be larger than the captured
  const std::vector<BufferTraits>& traits_;
  const StudiedSet& set_;
  const ReferenceRun& reference_;
  const std::set<RacePlace>& baseline_races_;
  VerifyReport& report_;
  std::optional<RoundingErrors> more_rounding_;  ///< see look_closer()
  bool knows_chance_ = false;                    ///< look_for_chance() has added to it
  bool has_matrices_ = true, has_dots_ = true;   ///< in the code of either; of the baseline
  bool approximates_ = true;                     ///< either has instructions that do
};

/// Adds how a buffer compared on one more input set: the worst of all is kept.
void add_result(ResultCheck result, VerifyReport& report);

}  // namespace rpl
