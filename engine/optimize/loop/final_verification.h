// SPDX-License-Identifier: MIT
#pragma once

#include <future>
#include <memory>

#include "engine/optimize/loop/verifying.h"

namespace rpl {

/// For decide_stage(), of what it is about to accept. The other builds of the text are begun at once, on other cores.
class FinalVerification {
 public:
  /// Both are borrowed.
  FinalVerification(const Proposal& proposal, const Workbench& bench);

  /// Verifies it once more, on inputs of its own, which no other candidate saw. Enters the seed into `accepted` ("final_verification"), and the reasons where it does not pass. Fails as
  /// verify_stage() does. Without a verifier there is nothing to run on, and it passes.
  Status on_own_inputs(StageOutcome& accepted);

  /// After on_own_inputs(): builds of the text that make no use of what C++ leaves undefined, and that show what orders lanes, on the same inputs ("defined_build", "marked_build"). Fails likewise.
  Status in_other_builds(StageOutcome& accepted);

  /// Builds it again and enters whether the code is equal ("built_twice": equal, differs, not built again), with a sentence when it is not. Fails with interrupted alone.
  Status built_twice(StageOutcome& accepted);

  /// What is known of its inputs; null where nothing ran.
  [[nodiscard]] BaselineStudy* inputs() const { return study_.get(); }

 private:
  using Object = std::shared_ptr<const isa::CodeObject>;

  Status verify_defined_build(StageOutcome& accepted);
  Status verify_marked_build(StageOutcome& accepted);
  /// Without an object.
  [[nodiscard]] Means means();
  /// The text that it is held against, as a proposal.
  [[nodiscard]] Proposal base() const;

  const Proposal& proposal_;
  const Workbench& bench_;
  const Optimization& origin_;
  std::uint64_t seed_ = 0;
  Contract contract_ = {};
  std::shared_ptr<BaselineStudy> study_ = {};
  Result<bool> shares_ =
      false;  ///< whether the text shares so closely that there is a marked build
  std::future<Result<Object>> defined_ = {}, marked_ = {};
  std::future<Result<bool>> again_ = {};
};

}  // namespace rpl
