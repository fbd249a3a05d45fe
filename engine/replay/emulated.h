// SPDX-License-Identifier: MIT
#pragma once

#include "engine/replay/replay.h"

namespace rpl {

/// Replays on the emulated device. Deterministic: equal jobs give equal memory, counts and modelled times.
class EmulatedReplayer : public Replayer {
 public:
  [[nodiscard]] std::string_view target() const override { return "emu"; }
  Result<ReplayRun> run(const ReplayJob& job) override;
};

}  // namespace rpl
