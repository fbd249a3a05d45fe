// SPDX-License-Identifier: MIT
#pragma once

#include "engine/replay/replay.h"

namespace rpl {

/// Replays on the emulated device. Deterministic: equal jobs give equal memory, counts and modelled times.
class EmulatedReplayer : public Replayer {
 public:
  explicit EmulatedReplayer(std::shared_ptr<const cycle::Parameters> model = nullptr) : model_(std::move(model)) {}
  [[nodiscard]] std::string_view target() const override { return "emu"; }
  Result<ReplayRun> run(const ReplayJob& job) override;

 private:
  std::shared_ptr<const cycle::Parameters> model_;  ///< for jobs that name none
};

}  // namespace rpl
