// SPDX-License-Identifier: MIT
#pragma once

#include "engine/target/slurm/options.h"
#include "engine/target/target.h"

namespace rpl {

struct JobOptions {
  cluster::SlurmOptions slurm = {};
  TargetKind runs_on = TargetKind::local;  ///< what the nodes run the program on
  std::size_t ranks = 1;                   ///< tasks of the job
  std::uint32_t devices = 1;               ///< of each, where they are emulated
};

/// A cluster, on whose nodes this program profiles each rank.
class SlurmTarget : public Target {
 public:
  explicit SlurmTarget(JobOptions options) : options_(std::move(options)) {}
  [[nodiscard]] TargetKind kind() const override { return TargetKind::slurm; }
  /// Ranks that failed or were lost are notes; ProfileRun::nothing when none left a database. The folder is absolute. Fails as run_ranks() does.
  Result<ProfileRun> profile(const ProfileRequest& request) override;

 private:
  JobOptions options_;
};

}  // namespace rpl
