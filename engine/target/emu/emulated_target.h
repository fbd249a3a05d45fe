// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/target/emu/host_runs.h"
#include "engine/target/target.h"

namespace rpl {

struct EmulatedOptions {
  profile::EmulatedDevices devices = {};  ///< that programs run on
  /// Constants of the cycle model for captured dispatches; null: those of the usual GPU of each architecture.
  std::shared_ptr<const cycle::Parameters> model = nullptr;
};

/// The emulated devices.
class EmulatedTarget : public Target {
 public:
  explicit EmulatedTarget(EmulatedOptions options = {}) : options_(std::move(options)) {}
  [[nodiscard]] TargetKind kind() const override { return TargetKind::emu; }
  /// Fails as check_program() and run() do, and with verification_failed when the program made no HIP call at all.
  Result<ProfileRun> profile(const ProfileRequest& request) override;
  Result<CaptureRun> capture(const CaptureRequest& request) override;
  Result<std::string> architecture_of(const std::vector<std::string>& argv) override;
  [[nodiscard]] Status takes(std::string_view architecture) const override;
  Result<ReplaySeries> replay(const ReplayPlan& plan) override;
  Result<ReserveReport> reserve_check(const ReplayPlan& plan) override;

 private:
  EmulatedOptions options_;
};

}  // namespace rpl
