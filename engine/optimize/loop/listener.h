// SPDX-License-Identifier: MIT
#pragma once

#include "engine/optimize/store/user_check.h"

namespace rpl {

struct StepReport;

/// Who follows a loop from outside; this one hears everything and says nothing. Called on the loop's own thread.
class StageListener {
 public:
  virtual ~StageListener() = default;
  /// A stage of a proposal is about to begin. A failure is a veto: the stage is not carried out.
  virtual Status before(Stage /*stage*/, const Proposal& /*proposal*/) { return {}; }
  /// A stage was carried out and kept in the session. A failure becomes that of the step.
  virtual Status after(const StepReport& /*report*/) { return {}; }
  /// The user's own check of what has passed everything else: at `verify` a proposal, at `confirm` the application built with it.
  virtual Result<UserVerdict> check(const CheckSubject& /*subject*/) { return UserVerdict{}; }
};

/// For loops that nobody follows.
inline StageListener& nobody() {
  static StageListener none;
  return none;
}

}  // namespace rpl
