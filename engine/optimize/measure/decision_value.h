// SPDX-License-Identifier: MIT
#pragma once

#include "engine/document/bound.h"
#include "engine/optimize/measure/decision.h"

/// Decisions and what they were made from, as records: kept in sessions, read back by those who recompute them.
namespace rpl {

/// verdict, ratio, ci_low, ci_high, confidence, floor, samples, looks, design. An infinite limit is null.
Record to_record(const Decision& decision);

/// What a decision follows from alone: rule, looks and samples.
struct DecisionInput {
  DecisionRule rule;
  Looks looks;
  Samples samples;
};
Columns<DecisionInput> bound(const DecisionInput*);
/// Fails with corrupt or limit, naming the field.
Result<DecisionInput> decision_input_from(const Value& value);
/// What of it the list beside it does not say: how many blocks and times there may be.
Status check_input(const DecisionInput& input);
inline Result<Decision> decide(const DecisionInput& input) {
  return decide_in_looks(input.samples, input.rule, input.looks);
}

}  // namespace rpl
