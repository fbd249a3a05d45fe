// SPDX-License-Identifier: MIT
#include "engine/graph/numbers.h"
#include "shell/commands/diagnose/explanation.h"
#include "tests/shell/commands/fixture.h"

namespace rpl {
namespace {

class ExplainTest : public testing_support::ShellTest {};

/// The unit and the formula of a number are said once: by the column that shows it, or beside how it is found.
TEST_F(ExplainTest, NumbersOfATraceAreShownByAColumnOrDescribeThemselves) {
  std::size_t shown = 0;
  for (const TraceNumber& row : trace_numbers()) {
    const Column* column = shown_column(context.registry(), row.name);
    if (column != nullptr) {
      ++shown;
      EXPECT_TRUE(row.formula.empty()) << row.name;
      EXPECT_NE(column->unit == Unit::none, row.unit == Unit::none) << row.name;
    } else {
      EXPECT_NE(row.unit, Unit::none) << row.name;
    }
  }
  EXPECT_GT(shown, 2 * trace_numbers().size() / 3);
}

}  // namespace
}  // namespace rpl
