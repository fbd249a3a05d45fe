// SPDX-License-Identifier: MIT
#include "engine/tune/search/space.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "engine/document/json.h"

namespace rpl::tune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

Space space_of(std::string_view json) {
  auto out = Space::parse(json);
  EXPECT_TRUE(out) << out.error().message;
  return out ? *out : Space();
}

std::string refusal(std::string_view json) {
  const auto out = Space::parse(json);
  EXPECT_FALSE(out) << json;
  return out ? "" : out.error().message;
}

TEST(Space, TakesTheOlderToolsList) {
  const Space space =
      space_of(R"([{"BLOCK_M": 64, "BLOCK_N": 64, "BLOCK_K": 32, "num_warps": 4, "num_stages": 2},
                                   {"BLOCK_M": 128, "BLOCK_N": 64, "BLOCK_K": 32, "num_warps": 8, "num_stages": 2}])");
  EXPECT_EQ(space.size(), 2U);
  EXPECT_EQ(space.label(1), "BLOCK_M=128 BLOCK_N=64 BLOCK_K=32 num_warps=8 num_stages=2");
  EXPECT_EQ(space.default_point(), 0U);
}

TEST(Space, TakesParametersAndConstraints) {
  const Space space = space_of(
      R"({"parameters": {"TILE": [8, 16, 32], "UNROLL": [1, 2, 4], "MODE": ["plain", "tiled"]},
                                   "constraints": ["TILE * UNROLL <= 64", "MODE == 'tiled' or UNROLL == 1"], "default": {"TILE": 16, "UNROLL": 1, "MODE": "plain"}})");
  // tiled: 3 x 3 without (32, 4); plain: 3 x 1.
  EXPECT_EQ(space.size(), 11U);
  EXPECT_EQ(space.label(space.default_point()), "TILE=16 UNROLL=1 MODE=plain");
  for (std::size_t i = 0; i < space.size(); ++i) EXPECT_EQ(*space.find(space.configuration(i)), i);
}

TEST(Space, OpensAndCountsAHundredThousandPoints) {
  std::vector<Parameter> parameters;
  for (int i = 0; i < 5; ++i) {
    Parameter parameter{"P" + std::to_string(i), {}};
    for (int v = 0; v < 10; ++v) parameter.values.emplace_back(v);
    parameters.push_back(std::move(parameter));
  }
  const auto space = Space::product(parameters, {"P0 + P1 + P2 + P3 + P4 >= 0"});
  ASSERT_TRUE(space);
  EXPECT_EQ(space->size(), 100'000U);
  EXPECT_EQ(space->label(99'999), "P0=9 P1=9 P2=9 P3=9 P4=9");
}

TEST(Space, LooksNoFurtherWhereAConstraintFailsEarly) {
  // 2^60 combinations, of which the first constraints leave one.
  std::vector<Parameter> parameters;
  std::vector<std::string> constraints;
  for (int i = 0; i < 60; ++i) {
    parameters.push_back({"P" + std::to_string(i), {0, 1}});
    constraints.push_back("P" + std::to_string(i) + " == 1");
  }
  const auto space = Space::product(parameters, constraints);
  ASSERT_TRUE(space) << space.error().message;
  EXPECT_EQ(space->size(), 1U);
}

TEST(Space, AsksAPredicate) {
  const auto even = [](const Record& configuration) -> Result<bool> {
    return *configuration[0].second.as<std::int64_t>() % 2 == 0;
  };
  const auto space = Space::product({Parameter{"N", {1, 2, 3, 4}}}, {}, even);
  ASSERT_TRUE(space);
  EXPECT_EQ(space->size(), 2U);
  // What a predicate chose is written as points: reading it asks nobody.
  const auto again = Space::from_value(space->to_value());
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->digest(), space->digest());
  EXPECT_EQ(again->label(1), "N=4");
}

TEST(Space, ReadsWhatItWrites) {
  const Space space = space_of(
      R"({"parameters": {"TILE": [8, 16.5, 32], "MODE": ["a", "b"], "ON": [true, false]}, "constraints": "TILE > 8", "default": {"TILE": 32, "MODE": "b", "ON": false}})");
  const Space again = space_of(to_json(space.to_value()));
  EXPECT_EQ(again.digest(), space.digest());
  EXPECT_EQ(again.default_point(), space.default_point());
  const Space part = space.restricted_to({1, 5, 6});
  EXPECT_EQ(part.size(), 3U);
  EXPECT_EQ(part.label(2), space.label(6));
  EXPECT_NE(part.digest(), space.digest());
}

TEST(Space, SamplesDifferentPointsRepeatably) {
  const Space space =
      space_of(R"({"parameters": {"A": [1,2,3,4,5,6,7,8,9,10], "B": [1,2,3,4,5,6,7,8,9,10]}})");
  const auto points = space.sample(30, 3);
  EXPECT_EQ(points, space.sample(30, 3));
  EXPECT_NE(points, space.sample(30, 4));
  EXPECT_EQ(std::set(points.begin(), points.end()).size(), 30U);
  EXPECT_EQ(space.sample(1000, 3).size(), 100U);
}

TEST(Space, FindsNeighboursByValueNotByPlace) {
  const Space space =
      space_of(R"({"parameters": {"TILE": [64, 8, 32, 16], "MODE": ["a", "b", "c"]}})");
  const auto start = space.find(Record{{"TILE", Value(16)}, {"MODE", Value("b")}});
  ASSERT_TRUE(start);
  std::vector<std::string> labels;
  for (const std::size_t point : space.neighbours(*start)) labels.push_back(space.label(point));
  EXPECT_THAT(labels, UnorderedElementsAre("TILE=8 MODE=b", "TILE=32 MODE=b", "TILE=16 MODE=a",
                                           "TILE=16 MODE=c"));
}

TEST(Space, RefusesWhatIsNoSpace) {
  EXPECT_THAT(refusal("3"), HasSubstr("list of configurations"));
  EXPECT_THAT(refusal("[]"), HasSubstr("empty"));
  EXPECT_THAT(refusal("[3]"), HasSubstr("configuration 1"));
  EXPECT_THAT(refusal(R"([{"A": 1}, {"B": 1}])"), HasSubstr("configuration 2"));
  EXPECT_THAT(refusal(R"([{"A": 1}, {"A": 1.0}])"), HasSubstr("A=1 appears twice"));
  EXPECT_THAT(refusal(R"({"parameters": {}})"), HasSubstr("no parameters"));
  EXPECT_THAT(refusal(R"({"parameters": {"A": []}})"), HasSubstr("A has no values"));
  EXPECT_THAT(refusal(R"({"parameters": {"A": [1, 1.0]}})"), HasSubstr("twice"));
  EXPECT_THAT(refusal(R"({"parameters": {"A": [[1]]}})"), HasSubstr("[1]"));
  EXPECT_THAT(refusal(R"({"parameters": {"A": [null]}})"), HasSubstr("null"));
  EXPECT_THAT(refusal(R"({"parameters": {"A": [1]}, "constraints": ["A > 1"]})"),
              HasSubstr("no configuration meets"));
  EXPECT_THAT(refusal(R"({"parameters": {"A": [1]}, "constraints": [3]})"),
              HasSubstr("not a text"));
  EXPECT_THAT(refusal(R"({"parameters": {"A": [1]}, "default": {"A": 2}})"), HasSubstr("no A=2"));
  EXPECT_THAT(refusal(R"({"parameters": {"A": [1]}, "points": [[1]]})"), HasSubstr("point 1"));
  EXPECT_THAT(refusal(R"({"parameters": {"A": [1]}, "points": []})"), HasSubstr("empty"));
  EXPECT_THAT(refusal(R"({"parameters": {"A{": [1]}})"), HasSubstr("not a name"));
  EXPECT_EQ(Space::parse("{").error().code, Errc::corrupt);
}

TEST(Space, RefusesTextThatDocumentsCannotSay) {
  for (const char* text :
       {"[{\"a\xff\": 1, \"a\xfe\": 2}]", "{\"parameters\": {\"A\": [\"\xff\"]}}",
        "{\"parameters\": {\"A\": [1]}, \"constraints\": [\"A == '\xff'\"]}"}) {
    const auto space = Space::parse(text);
    ASSERT_FALSE(space.has_value()) << text;
    EXPECT_THAT(space.error().message, HasSubstr("not UTF-8"));
  }
}

TEST(Space, SaysWhyAConfigurationIsNone) {
  const Space space =
      space_of(R"({"parameters": {"A": [1, 2], "B": [1, 2]}, "constraints": ["A <= B"]})");
  EXPECT_THAT(space.find(Record{{"A", Value(1)}}).error().message,
              HasSubstr("lacks the parameter B"));
  EXPECT_THAT(space.find(Record{{"A", Value(2)}, {"B", Value(1)}}).error().message,
              HasSubstr("constraints"));
  EXPECT_THAT(space.find(Record{{"A", Value(1)}, {"B", Value(1)}, {"C", Value(1)}}).error().message,
              HasSubstr("the space lacks"));
  EXPECT_TRUE(space.find(Record{{"B", Value(2.0)}, {"A", Value(1)}}));
}

TEST(Space, WritesChoicesAsCommandLinesTakeThem) {
  EXPECT_EQ(choice_text(Value(16)), "16");
  EXPECT_EQ(choice_text(Value(16.0)), "16");
  EXPECT_EQ(choice_text(Value(0.5)), "0.5");
  EXPECT_EQ(choice_text(Value("-O2 -g")), "-O2 -g");
  EXPECT_EQ(choice_text(Value(true)), "true");
}

}  // namespace
}  // namespace rpl::tune
