// SPDX-License-Identifier: MIT
#include "shell/commands/optimize/decision_document.h"

#include <fmt/format.h>

#include <cmath>

namespace rpl {

std::vector<Column> decision_columns() {
  return {{"verdict", Type::string, Unit::none, "improved, regression, equivalent or undecided"},
          {"ratio", Type::number, Unit::ratio, "baseline time / candidate time: above 1 is faster"},
          {"ci_low", Type::number, Unit::ratio, "lower end of its interval"},
          {"ci_high", Type::number, Unit::ratio, "upper end; null without bound"},
          {"floor", Type::number, Unit::share, "what the gain must exceed"},
          {"samples", Type::integer, Unit::count, "dispatches that counted, of both sides"},
          {"design", Type::string, Unit::none,
           "processes, blocks in each, dispatches of a side in a block", InText::if_room},
          {"looks", Type::integer, Unit::count, "at which look it was decided", InText::if_room},
          {"confidence", Type::number, Unit::share,
           "of the interval: more than 0.95 where several looks share the error", InText::if_room}};
}

Row decision_cells(const Decision& decision) {
  return {Value(to_string(decision.verdict)),
          Value(decision.ratio),
          Value(decision.ci_low),
          std::isfinite(decision.ci_high) ? Value(decision.ci_high) : Value(),
          Value(decision.floor),
          Value(decision.samples),
          Value(decision.design),
          Value(decision.looks),
          Value(decision.confidence)};
}

void set_decision(const Decision& decision, Document& out) {
  const std::vector<Column> columns = decision_columns();
  Row cells = decision_cells(decision);
  for (std::size_t i = 0; i < columns.size(); ++i)
    out.set(std::string(columns[i].name), std::move(cells[i]));
}

std::string decision_sentence(const Decision& decision) {
  if (!std::isfinite(decision.ci_high)) {
    return fmt::format("{}: {:.4f} times as fast; fewer than {} processes decide nothing",
                       to_string(decision.verdict), decision.ratio, kFewestProcesses);
  }
  return fmt::format(
      "{}: {:.4f} times as fast, {:.1f} % interval {:.4f} to {:.4f}, above {:.4f} is needed",
      to_string(decision.verdict), decision.ratio, decision.confidence * 100, decision.ci_low,
      decision.ci_high, 1 + decision.floor);
}

int exit_code_of(Verdict verdict) {
  if (verdict == Verdict::improved) return 0;
  return verdict == Verdict::regression ? kRegression : kNothingAccepted;
}

}  // namespace rpl
