// SPDX-License-Identifier: MIT
#include "engine/optimize/loop/other_inputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rpl {
namespace {

InputTiming timed(InputClass kind, double ratio) {
  return {.kind = kind, .baseline_ns = 1000 * ratio, .candidate_ns = 1000, .band = 0.25};
}

std::vector<std::string> rules_against(const OtherInputs& of, double ratio) {
  std::vector<std::string> out;
  const auto reasons = held_elsewhere(of, ratio, {});
  EXPECT_TRUE(reasons.has_value());
  if (!reasons) return out;
  for (const Reason& reason : *reasons) out.push_back(reason.rule);
  return out;
}

TEST(OtherInputs, AGainMustBeThereWithOtherValues) {
  using enum InputClass;
  EXPECT_THAT(rules_against({.timings = {timed(again, 2)}}, 2), testing::IsEmpty());
  EXPECT_THAT(rules_against({.timings = {timed(again, 1)}}, 2),
              testing::ElementsAre("captured-values-alone"));
  // Within the model's error, but most of a gain that lies little above it.
  EXPECT_THAT(rules_against({.timings = {timed(again, 1.2)}}, 1.3), testing::IsEmpty());
  EXPECT_THAT(rules_against({.timings = {timed(again, 1)}, .assumed = true}, 2),
              testing::IsEmpty());
}

TEST(OtherInputs, NextToTheCapturedArgumentsItMayNotBeSlowerFartherAwayItMay) {
  using enum InputClass;
  EXPECT_THAT(rules_against({.timings = {timed(sizes, 0.5)}}, 2),
              testing::ElementsAre("slower-elsewhere"));
  EXPECT_THAT(rules_against({.timings = {timed(sizes, 0.9)}}, 2), testing::IsEmpty());
  EXPECT_THAT(
      rules_against({.timings = {timed(sizes, 1.5), timed(sizes, 0.3), timed(launch, 0.3)}}, 2),
      testing::IsEmpty());
}

TEST(OtherInputs, TheTextSaysHowMuchIsLeft) {
  using enum InputClass;
  EXPECT_EQ(text_of({}, 2), "");
  EXPECT_EQ(text_of({.timings = {timed(again, 1.9), timed(sizes, 1.5)}}, 2),
            "on other inputs, too");
  EXPECT_EQ(text_of({.timings = {timed(again, 1.9), timed(sizes, 1.1)}}, 2),
            "less with other scalar arguments");
  EXPECT_EQ(text_of({.timings = {timed(again, 1.9), timed(launch, 0.6)}}, 2),
            "slower with another launch");
}

TEST(OtherInputs, EvidenceIsReadAgainAndNothingElseIs) {
  using enum InputClass;
  const OtherInputs of{.timings = {timed(again, 1.9), timed(sizes, 1.1)}, .held = false};
  const auto again_read = other_inputs_from(to_value(of));
  ASSERT_TRUE(again_read.has_value());
  EXPECT_EQ(to_value(*again_read), to_value(of));
  EXPECT_FALSE(other_inputs_from(Value()).has_value());
  EXPECT_FALSE(other_inputs_from(Record{{"assumed_like_captured", false}}).has_value());
  OtherInputs never = of;
  never.timings.front().candidate_ns = 0;
  EXPECT_FALSE(other_inputs_from(to_value(never)).has_value());
}

}  // namespace
}  // namespace rpl
