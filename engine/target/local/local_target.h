// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "engine/base/result.h"
#include "engine/replay/hsa/local.h"
#include "engine/target/capture.h"
#include "engine/target/local/recorder.h"
#include "engine/target/target.h"

namespace rpl {

/// All runs that a profile takes, under rocprofv3.
Result<ProfileRun> profile_under(const profile::Recorder& recorder, const ProfileRequest& request);

/// The AMD GPU of this machine: programs run under rocprofv3, or with the capture tool in their HSA runtime.
class LocalTarget : public Target {
 public:
  /// `replays`: they run in processes of their own. Without a program they fail with missing_capability.
  explicit LocalTarget(LocalOptions replays = {}) : replays_(std::move(replays)) {}
  [[nodiscard]] TargetKind kind() const override { return TargetKind::local; }
  Status prepare(Ability need) override;
  /// Fails as find_recorder() does.
  Result<ProfileRun> profile(const ProfileRequest& request) override;
  /// Fails as run_with_capture_tool() does.
  Result<CaptureRun> capture(const CaptureRequest& request) override;
  Result<ReplaySeries> replay(const ReplayPlan& plan) override;
  Result<ReserveReport> reserve_check(const ReplayPlan& plan) override;

 private:
  Status find_recorder();
  Status can_replay() const;

  LocalOptions replays_;
  std::optional<profile::Recorder> recorder_;
};

}  // namespace rpl

namespace rpl::profile {

/// The capture tool's file: in the folder RPL_CAPTURE_TOOL, or beside this program. Fails with missing_capability.
Result<std::string> capture_tool();

/// Runs the program on this machine's GPU with the tool in its HSA runtime; processes are those that started the runtime and left in good order, by pid.
/// What the program does to itself is its exit; fails as run() does.
Result<CaptureRun> run_with_capture_tool(const CaptureRequest& request);

}  // namespace rpl::profile
