// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/optimize/loop/candidate_lines.h"
#include "engine/optimize/loop/stages.h"
#include "engine/optimize/verify/verify.h"

/// What the stage `verify` and the verification before acceptance have in common.
namespace rpl {

/// What a candidate, or another text, is verified with.
struct Means {
  std::shared_ptr<const isa::CodeObject> object;
  const Optimization& against;  ///< whose base it is held against
  const Contract& contract;
  std::uint64_t seed;
  CandidateLines* lines;  ///< null: another build of the text, of which not all has to run
  std::shared_ptr<BaselineStudy>* study;
  bool marked_build = false;  ///< see VerifyRequest
};

/// Holds it against the baseline. Fails as verify() does.
Result<VerifyReport> verified(const Proposal& proposal, const Workbench& bench, const Means& means);

/// What was found, with the lines of the candidate's source.
void add_reasons(const VerifyReport& report, CandidateLines& lines_of,
                 std::vector<Reason>& reasons);

/// Small enough to be typed after --seed.
std::uint64_t secret_seed();
/// As text: not every reader of JSON keeps 64 bits of a number.
Value seed_value(std::uint64_t seed);
List texts_of(const std::vector<std::string>& from);

}  // namespace rpl
