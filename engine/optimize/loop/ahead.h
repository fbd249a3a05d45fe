// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "engine/optimize/loop/stages.h"

namespace rpl {

/// What a stage made of a proposal.
struct Advanced {
  Proposal proposal;
  StageOutcome outcome;
};

/// The stages of proposals that need nothing but a compiler (guard, build, screen), carried out on other cores while those before them are verified and timed. Nothing is kept
/// in the session: whoever takes what came out does that, in the usual order.
class StagesAhead {
 public:
  /// Begins with `proposals`, all of `optimization` and in the state before `guard`. `bench` is copied; what it refers to is not, but for capture and optimization.
  StagesAhead(Optimization optimization, std::shared_ptr<const Capture> capture, Workbench bench,
              std::vector<Proposal> proposals);
  /// Stops what is under way, and waits for it.
  ~StagesAhead();
  StagesAhead(const StagesAhead&) = delete;
  StagesAhead& operator=(const StagesAhead&) = delete;

  /// What this stage made of the proposal, once; waits where that is under way. Nothing where it was not begun, which it then will not be, or failed: the caller carries it out.
  std::optional<Advanced> take(Stage stage, const Proposal& proposal);

 private:
  struct Job {
    Proposal proposal;  ///< as it came in
    bool begun = false, ended = false, left = false;
    std::map<Stage, Advanced> made = {};
  };
  void work();
  void carry_out(Job& job);

  Optimization optimization_;
  std::shared_ptr<const Capture> capture_;
  Workbench bench_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stops_ = false;
  std::vector<Job> jobs_;
  std::vector<std::jthread> threads_;
};

}  // namespace rpl
