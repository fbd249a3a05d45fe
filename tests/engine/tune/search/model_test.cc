// SPDX-License-Identifier: MIT
#include "engine/tune/search/model.h"

#include <gtest/gtest.h>

#include "engine/tune/search/random.h"

namespace rpl::tune {
namespace {

Space three_parameters() {
  return *Space::product({Parameter{"A", {1, 2, 4, 8, 16}}, Parameter{"B", {5, 1, 3}},
                          Parameter{"MODE", {"x", "y", "z"}}},
                         {});
}

TEST(Features, CodeValuesByOrderAndChoicesByPresence) {
  const Space space = three_parameters();
  const Features features(space);
  EXPECT_EQ(features.plain_count(), 4U);
  // 1; A, B, y, z; A², B²; AB, Ay, Az, By, Bz.
  EXPECT_EQ(features.count(), 12U);
  std::vector<double> row(features.count());
  features.of(*space.find(Record{{"A", Value(2)}, {"B", Value(5)}, {"MODE", Value("z")}}), row);
  EXPECT_EQ(row[0], 1);
  EXPECT_EQ(row[1], -0.5);
  EXPECT_EQ(row[2], 1);
  EXPECT_EQ(row[3], 0);
  EXPECT_EQ(row[4], 1);
}

TEST(Features, LeaveProductsOutWhereThereWouldBeTooMany) {
  std::vector<Parameter> parameters;
  for (int i = 0; i < 30; ++i)
    parameters.push_back(
        {"P" + std::to_string(i), i == 0 ? std::vector<Value>{0, 1, 2} : std::vector<Value>{0}});
  Parameter many{"MODE", {}};
  for (int i = 0; i < 40; ++i) many.values.emplace_back("m" + std::to_string(i));
  parameters.push_back(many);
  const Features features(*Space::product(parameters, {}));
  EXPECT_EQ(features.plain_count(), 40U);
  EXPECT_EQ(features.count(), 1U + 40U + 1U);
}

TEST(Regression, FindsAFunctionOfDegreeTwo) {
  const Space space = three_parameters();
  const Features features(space);
  Regression regression(features.count());
  std::vector<double> row(features.count());
  const auto truth = [&] { return 3 + row[1] - 2 * row[2] + 0.5 * row[3] + row[5] + row[7]; };
  for (std::size_t point = 0; point < space.size(); point += 1) {
    features.of(point, row);
    regression.add(row, truth());
  }
  regression.fit();
  EXPECT_GT(*regression.r2(), 0.99);
  for (std::size_t point = 0; point < space.size(); ++point) {
    features.of(point, row);
    EXPECT_NEAR(regression.predict(row), truth(), 0.02);
  }
}

TEST(Regression, EarnsNoConfidenceFromNoise) {
  const Space space = three_parameters();
  const Features features(space);
  Regression regression(features.count());
  std::vector<double> row(features.count());
  Random random(3);
  for (std::size_t point = 0; point < 20; ++point) {
    features.of(point, row);
    regression.add(row, random.normal());
  }
  regression.fit();
  // Twelve weights describe twenty numbers well; they predict none of them.
  EXPECT_GT(regression.training_r2(), *regression.r2());
  EXPECT_LT(*regression.r2(), 0.2);
}

TEST(Regression, KnowsWhatItSawBetterThanWhatItDidNot) {
  const Space space = three_parameters();
  const Features features(space);
  Regression regression(features.count());
  std::vector<double> seen(features.count()), far(features.count());
  features.of(0, seen);
  features.of(space.size() - 1, far);
  for (int i = 0; i < 6; ++i) regression.add(seen, 1.0 + 0.001 * i);
  regression.fit();
  EXPECT_LT(regression.leverage(seen), regression.leverage(far));
}

TEST(Regression, SaysNothingWithoutObservations) {
  Regression regression(3);
  regression.fit();
  EXPECT_FALSE(regression.r2());
  EXPECT_EQ(regression.predict(std::vector{1.0, 2.0, 3.0}), 0);
  regression.add(std::vector{1.0, 0.0, 0.0}, 5);
  regression.fit();
  EXPECT_FALSE(regression.r2());
  EXPECT_NEAR(regression.predict(std::vector{1.0, 0.0, 0.0}), 5, 1e-6);
}

}  // namespace
}  // namespace rpl::tune
