// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/isa/traits/architecture.h"
#include "engine/source/build/compiler.h"
#include "engine/source/text/guard.h"

namespace rpl {

/// Two versions of a file whose kernel is to be compared by its syntax tree.
struct SyntaxRequest {
  std::string baseline, candidate;  ///< whole texts
  std::string kernel;               ///< as find_kernel() reads it
  std::string folder = ".";         ///< where `#include "…"` is looked up first
  std::string architecture = isa::usual_architecture();
  std::vector<std::string> flags = {};
};

/// What the second layer of the guard found.
struct SyntaxCheck {
  bool ran = false;
  std::string why_not;               ///< when it did not run: "no compiler for HIP sources here: …"
  std::vector<GuardReason> reasons;  ///< empty: nothing against it
};

/// Lets clang read both texts for the device alone, writes nothing, and compares what they do. A candidate with errors is a reason
/// (`does-not-parse`: a call of a function of the host is such an error); a baseline with errors means that this layer cannot run. The facts
/// of the last few baselines are kept in memory. Fails with interrupted, or as find_target() does.
Result<SyntaxCheck> check_syntax(const Result<Compiler>& compiler, const SyntaxRequest& request);

}  // namespace rpl
