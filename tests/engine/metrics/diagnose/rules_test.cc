// SPDX-License-Identifier: MIT
#include "engine/metrics/diagnose/diagnose.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>
#include <set>

namespace rpl::diagnose {
namespace {

TEST(Rules, AreWellFormed) {
  std::set<std::string_view> ids;
  for (const Rule& rule : rules()) {
    EXPECT_TRUE(ids.insert(rule.id).second) << rule.id << " twice";
    EXPECT_NE(rule.points, 0) << rule.id;
    EXPECT_TRUE(rule.group == 0 || rule.points > 0) << rule.id << " is needed and speaks against";
    EXPECT_GE(rule.group, 0);
    EXPECT_LE(rule.group, 2);
    EXPECT_NE(rule.label, Label::insufficient);
    EXPECT_FALSE(rule.says.empty());
    EXPECT_LE(rule.threshold, info(rule.input).largest) << rule.id << " can never hold";
  }
}

TEST(Rules, EveryLabelCanBeReached) {
  for (const Label label : kLabels) EXPECT_GE(possible_points(label), kEnough) << to_string(label);
}

TEST(Inputs, AreListedInTheirOrder) {
  for (std::size_t i = 0; i < kInputs; ++i) {
    const auto input = static_cast<Input>(i);
    EXPECT_EQ(info(input).input, input) << i;
    EXPECT_EQ(input_named(to_string(input)), input);
  }
  EXPECT_FALSE(input_named("nothing"));
}

TEST(Rules, TheGuideHasThemAll) {
  std::ifstream file(std::string(RPL_SOURCE_DIR) + "/docs/diagnosis.md");
  const std::string guide{std::istreambuf_iterator<char>(file), {}};
  for (const Rule& rule : rules()) {
    const std::string row =
        fmt::format("| {} | {} | `{}` {} {} | {:+} | {} |", rule.id,
                    rule.group == 0 ? "-" : std::to_string(rule.group), to_string(rule.input),
                    rule.test == Rule::Test::at_least ? "&ge;" : "&le;", rule.threshold,
                    rule.points, rule.says);
    EXPECT_NE(guide.find(row), std::string::npos) << "missing in docs/diagnosis.md:\n" << row;
  }
  for (std::size_t i = 0; i < kInputs; ++i) {
    const InputInfo& input = info(static_cast<Input>(i));
    const std::string row =
        fmt::format("| `{}` | {} | {} |", input.name, to_string(input.collect), input.description);
    EXPECT_NE(guide.find(row), std::string::npos) << "missing in docs/diagnosis.md:\n" << row;
  }
}

}  // namespace
}  // namespace rpl::diagnose
