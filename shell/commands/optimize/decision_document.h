// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/document/document.h"
#include "engine/optimize/measure/decision.h"

/// How decisions are shown; one shape for all that measures.
namespace rpl {

/// verdict, ratio, ci_low, ci_high, floor, samples, design, looks, confidence.
std::vector<Column> decision_columns();
/// In that order.
Row decision_cells(const Decision& decision);
void set_decision(const Decision& decision, Document& out);

/// "improved: 1.0220 times as fast, 95.0 % interval 1.0181 to 1.0264, above 1.0100 is needed".
std::string decision_sentence(const Decision& decision);

/// 0 improved, 3 regression, 4 equivalent or undecided.
int exit_code_of(Verdict verdict);

}  // namespace rpl
