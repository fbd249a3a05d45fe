// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <string>

#include "engine/capture/capture.h"
#include "engine/capture/fusion_plan.h"
#include "engine/capture/launch_plan.h"
#include "engine/target/target.h"

namespace rpl {

/// A captured dispatch on the emulated device, with its modelled time.
struct ModelledRun {
  emu::Executed executed;
  MemoryImage memory;  ///< afterwards

  [[nodiscard]] const emu::Modelled& modelled() const { return *executed.modelled; }
};

/// Fails with missing_capability where a run has no modelled time, as on that target.
Status has_modelled_time(const emu::Executed& executed, const Target& target);

/// Runs with modelled times. Equal runs are equal, so the last few are kept for whoever asks again: the baseline's for all candidates, the
/// candidate's for the stages that need its time. For one target with its settings as they are. May be asked from several threads.
class ModelledRuns {
 public:
  /// `folder` and `object`: paths of the capture and of a code object. Fails as run_once() does, and with missing_capability where the target gives no time.
  Result<std::shared_ptr<const ModelledRun>> run(Target& target, const Capture& capture,
                                                 const std::string& folder,
                                                 const std::string& object,
                                                 const LaunchPlan& launch,
                                                 const FusionPlan& fusion = {});

 private:
  struct Kept {
    std::string folder, code;  ///< of the capture; the object's digest
    LaunchPlan launch;
    FusionPlan fusion;
    std::shared_ptr<const ModelledRun> run;
  };

  std::unique_ptr<std::mutex> mutex_ =
      std::make_unique<std::mutex>();  ///< behind a pointer: this can be moved
  std::deque<Kept> kept_;
};

}  // namespace rpl
