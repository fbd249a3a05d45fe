// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/target/target.h"

namespace rpl {

/// Earlier profiles: nothing runs.
class RecordedTarget : public Target {
 public:
  /// `folder`: of profiles in numbered folders.
  explicit RecordedTarget(std::string folder) : folder_(std::move(folder)) {}
  [[nodiscard]] TargetKind kind() const override { return TargetKind::recorded; }
  /// The newest one of the same program, arguments and code; `how` is its folder. Fails with not_found.
  Result<ProfileRun> profile(const ProfileRequest& request) override;

 private:
  std::string folder_;
};

}  // namespace rpl
