// SPDX-License-Identifier: MIT
#pragma once

#include <set>
#include <tuple>

#include "engine/optimize/verify/verify.h"

namespace rpl {

/// Where a race is: in LDS, between workgroups, and in which region; no region is -1.
using RacePlace = std::tuple<bool, bool, std::int64_t>;
RacePlace race_place(const emu::Race& race, const Capture& capture);

/// Compares a candidate with the baseline on one input set, and adds what it finds to a report.
class CandidateCheck {
 public:
  /// All are borrowed. `baseline_races`: of all sets so far.
  CandidateCheck(const VerifyRequest& request, const std::vector<BufferTraits>& traits,
                 const StudiedSet& set, const std::set<RacePlace>& baseline_races,
                 VerifyReport& report)
      : request_(request),
        capture_(*request.capture),
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
  void check(const std::array<MemoryImage, 2>& after, std::size_t region);
  void check_input(const std::vector<std::byte>& after, std::size_t region);
  bool check_coverage(const std::array<MemoryImage, 2>& after, std::size_t region);
  void check_values(const std::array<MemoryImage, 2>& after, std::size_t region);
  void check_disordered(const ReplayRun& run);
  /// A race that the baseline has not becomes the first finding.
  bool find_race(const ReplayRun& run);
  [[nodiscard]] Tolerance tolerance_of(std::size_t region) const;
  ResultCheck& result_of(std::size_t region);

  const VerifyRequest& request_;
  const Capture& capture_;
  const std::vector<BufferTraits>& traits_;
  const StudiedSet& set_;
  const ReferenceRun& reference_;
  const std::set<RacePlace>& baseline_races_;
  VerifyReport& report_;
  bool has_matrices_ = true;
};

}  // namespace rpl
