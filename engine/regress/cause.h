// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/monitor.h"
#include "engine/regress/bisect.h"
#include "engine/regress/judge.h"
#include "engine/regress/machine_code.h"
#include "engine/regress/stages.h"

namespace rpl::regress {

/// The kernel with the stages of the two compilers one behind the other.
struct Mixture {
  std::array<std::string, kStages>
      by{};                            ///< whose front end, optimizer and code generation: "A", "B"
  std::optional<double> time_ns = {};  ///< none: it cannot be built or run
  std::string failed = {};             ///< then, what the compiler says
};

/// A pass of one compiler at which the kernel becomes fast or slow.
struct DecidingPass {
  std::string side;  ///< whose: "A", "B"
  Stage stage = Stage::optimizer;
  Pass pass;
  std::int64_t passes = 0;  ///< that the stage has
  bool alone =
      false;  ///< it is the one pass that is left out; else all those behind it are left out, too
  std::optional<double> before_ns = {};  ///< ns without it; none: that does not run
  double after_ns = 0;                   ///< and with it
  std::optional<double> without_ns =
      {};  ///< with all but this one; none: not tried, or it does not run
  /// Of the whole difference between the compilers, what this pass makes: 1 all of it, more where later passes take some of it back; none where `before_ns` is.
  std::optional<double> share = {};
  /// The two commands whose results differ by this pass alone, with in.bc and out.bc or out.co for their files.
  std::string command_before = {}, command_after = {};
};

/// Flags with which the slower compiler is as fast as the other one, or comes nearer.
struct DecidingFlag {
  std::string flag;  ///< as typed
  double time_ns = 0;
  double share = 0;  ///< of the difference that it takes back
};

/// Why the slower of two builds is slower.
struct Cause {
  std::string slower;             ///< "A" or "B"
  std::vector<Mixture> mixtures;  ///< from all stages of one compiler to all of the other
  std::optional<Stage> stage =
      {};  ///< where at least half of the difference arises; none: in no stage alone
  std::vector<DecidingPass> passes;
  std::vector<DecidingFlag> flags;  ///< that take at least a tenth of it back, the best one first
  std::vector<MachineStep>
      steps;                 ///< of code generation, where no pass that may be left out decides
  bool in_one_pass = false;  ///< one of `passes` makes at least half of the difference
  std::string answer;        ///< in a sentence, without an end
  bool cut_short = false;    ///< the builds that were allowed were used up
  std::uint64_t builds = 0, kept = 0,
                runs = 0;  ///< compilers that ran, results from the cache, kernels that ran
  double seconds = 0;      ///< that the search took
};

/// What is searched.
struct CauseRequest {
  Side a, b;
  std::string source, kernel;
  const Judged* judged_a = nullptr;  ///< what the sides' builds of `source` are
  const Judged* judged_b = nullptr;
  RunKernel run;
  std::uint64_t most_builds = 400;  ///< of compilers; then the search ends with what it has
  Monitor monitor = {};
};

/// Searches in `stages`, which holds what both front ends made of the source. Deterministic but for `seconds`, `builds` and `kept`. Fails with interrupted, io, timeout.
Result<Cause> find_cause(Stages& stages, const CauseRequest& request);

}  // namespace rpl::regress
