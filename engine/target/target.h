// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "engine/replay/hsa/local.h"
#include "engine/replay/series.h"
#include "engine/target/capture.h"
#include "engine/target/profile.h"

namespace rpl {

/// Two builds of a captured dispatch, timed by turns in one process.
struct PairPlan {
  ReplayPlan run = {};  ///< `object` is the baseline; iterations and sides are filled in
  std::shared_ptr<const isa::CodeObject> candidate = nullptr;  ///< null: the captured one
  LaunchPlan candidate_launch = {};                            ///< empty: as it was captured
  std::vector<bool> a_first = {};  ///< by block: the baseline goes first
  std::uint32_t dispatches = 1;    ///< of each side in a block
};

struct PairTimes {
  std::vector<std::vector<double>> baseline_ns, candidate_ns;  ///< by block
  std::optional<double> model_band;  ///< of modelled times: of their ratio, see Samples::model_band
  ReplaySeries
      series;  ///< memory that the first run of the baseline and the last of the candidate left, and where they ran
};

/// Where programs and captured dispatches run. What a kind cannot do at all fails as require() does.
class Target {
 public:
  Target() = default;
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;
  virtual ~Target() = default;

  [[nodiscard]] virtual TargetKind kind() const = 0;
  [[nodiscard]] const TargetTraits& traits() const { return traits_of(kind()); }

  /// Whether what `need` takes is on this machine. Fails with missing_capability.
  virtual Status prepare(Ability need);
  /// Runs a program and records it. A program that fails keeps what it had done: ProfileRun says how it ended.
  virtual Result<ProfileRun> profile(const ProfileRequest& request);
  /// Runs a program and freezes one of its dispatches.
  virtual Result<CaptureRun> capture(const CaptureRequest& request);
  /// The architecture that a program will run on, where that is known before it runs, else "". Fails where the program cannot run.
  virtual Result<std::string> architecture_of(const std::vector<std::string>& argv);
  /// Whether code for that architecture ("gfx942") runs here, as far as that is known before it runs. Fails with usage.
  [[nodiscard]] virtual Status takes(std::string_view architecture) const;
  /// Runs a captured dispatch, see replay_emulated() and replay_locally().
  virtual Result<ReplaySeries> replay(const ReplayPlan& plan);
  /// Whether the addresses of a capture can be had; fails as rpl::reserve_check() does.
  virtual Result<ReserveReport> reserve_check(const ReplayPlan& plan);
  /// One process of an A/B design: A…AB…B or B…BA…A by block, memory restored before each dispatch. Where equal runs take equal time each side runs once, in one block.
  Result<PairTimes> sample(PairPlan plan);

 protected:
  /// Why a target of this kind does not do it.
  [[nodiscard]] Failure refused(Ability ability) const;
};

/// One run with what memory holds afterwards. Fails as replay() does, and where memory stays on the target.
Result<ReplayRun> run_once(Target& target, ReplayJob job);

}  // namespace rpl
