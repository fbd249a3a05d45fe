// SPDX-License-Identifier: MIT
#pragma once

#include "engine/document/value.h"
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
Value to_value(const DecisionInput& input);
/// Fails with corrupt or limit, naming the field.
Result<DecisionInput> decision_input_from(const Value& value);
inline Result<Decision> decide(const DecisionInput& input) {
  return decide_in_looks(input.samples, input.rule, input.looks);
}

}  // namespace rpl
