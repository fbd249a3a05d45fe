// SPDX-License-Identifier: MIT
#include "engine/target/local/local_target.h"

#include "engine/target/emu/host_runs.h"
#include "engine/target/emu/program_check.h"
#include "engine/target/local/local_capture.h"

namespace rpl {

Status LocalTarget::find_recorder() {
  if (!recorder_) recorder_ = TRY(profile::find_recorder(profile::this_machine()));
  return {};
}

Status LocalTarget::can_replay() const {
  if (!replays_.program.empty()) return {};
  return fail(Errc::missing_capability,
              "this program cannot start itself to replay in a process of its own",
              "use rpl itself, or --target emu");
}

Status LocalTarget::prepare(Ability need) {
  const bool records = need != Ability::capture && need != Ability::replay;
  if (records) TRY(find_recorder());
  if (need == Ability::optimize || need == Ability::capture) TRY(profile::capture_tool());
  return {};
}

Result<ProfileRun> LocalTarget::profile(const ProfileRequest& request) {
  if (request.from_outside) return profile::profile_from_outside(request, std::nullopt);
  TRY(find_recorder());
  // rocprofv3 itself says that with a stack trace.
  TRY(profile::found_in_path(request.argv.front(), request.cwd));
  return profile_under(*recorder_, request);
}

Result<CaptureRun> LocalTarget::capture(const CaptureRequest& request) {
  return profile::run_with_capture_tool(request);
}

Result<ReplaySeries> LocalTarget::replay(const ReplayPlan& plan) {
  TRY(can_replay());
  return replay_locally(plan, replays_);
}

Result<ReserveReport> LocalTarget::reserve_check(const ReplayPlan& plan) {
  TRY(can_replay());
  return rpl::reserve_check(plan, replays_);
}

}  // namespace rpl
