// SPDX-License-Identifier: MIT
#include "engine/metrics/counters/user_file.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace rpl {
namespace {

using ::testing::HasSubstr;

/// Takes a user's definitions back when a test ends: they are the program's.
class UserCounters : public testing::Test {
 protected:
  ~UserCounters() override { EXPECT_TRUE(use_counter_files({})); }

  static Status use(const std::string& text) {
    return use_counter_files({TRY(parse_counter_file(text, "mine.counters"))});
  }
  /// What is wrong with a text.
  static std::string refusal(const std::string& text) {
    const Status taken = use(text);
    return taken ? "taken" : taken.error().message;
  }
};

constexpr const char* kOwn =
    "# mine\n"
    "SQ_MY_STALLS | SQ | 1 | cycles | max | gfx942 | - | stalls of my own\n"
    "\n"
    "my_rate | ratio | gfx942 | - | SQ_MY_STALLS / SQ_WAVES | stalls of a wave\n"
    "my_double | ratio | gfx942 | SQ_WAVES = 2 | 2 * my_rate | twice that\n";

MetricInputs inputs() {
  MetricInputs out;
  out.arch = "gfx942";
  out.counters = {{"SQ_MY_STALLS", 10}, {"SQ_WAVES", 2}};
  out.counters_source = "a test";
  return out;
}

TEST_F(UserCounters, AreKnownLikeThoseOfTheProgram) {
  ASSERT_TRUE(use(kOwn));
  const CounterInfo* counter = CounterCatalogue::current().find("gfx942", "SQ_MY_STALLS");
  ASSERT_NE(counter, nullptr);
  EXPECT_EQ(counter->source, "mine.counters:2");
  EXPECT_EQ(CounterCatalogue::reduction("SQ_MY_STALLS"), InstanceReduction::max);
  EXPECT_EQ(CounterCatalogue::built_in().find("gfx942", "SQ_MY_STALLS"), nullptr);
  EXPECT_THAT(metric_names("gfx942"), testing::Contains("my_rate"));
  EXPECT_EQ(metric("my_rate", inputs()).value, 5);
  EXPECT_EQ(metric("my_double", inputs()).value, 10);
  const ExplainedMetric found = explain_metric("my_double", inputs());
  EXPECT_EQ(found.ours.source, "mine.counters:5");
}

TEST_F(UserCounters, GoBeforeThoseOfTheProgram) {
  ASSERT_TRUE(use("flops | FLOP | gfx942 | - | SQ_WAVES * 3 | other flops\n"));
  EXPECT_EQ(metric("flops", inputs()).value, 6);
  ASSERT_TRUE(use_counter_files({}));
  EXPECT_EQ(metric("flops", inputs()).value, std::nullopt);
}

TEST_F(UserCounters, ReplaceACounterInTheList) {
  const std::size_t before = CounterCatalogue::built_in().of("gfx942").size();
  ASSERT_TRUE(use("SQ_WAVES | SQ | 2 | waves | sum | gfx942 | - | mine\n"));
  EXPECT_EQ(CounterCatalogue::current().of("gfx942").size(), before);
  EXPECT_EQ(CounterCatalogue::current().find("gfx942", "SQ_WAVES")->slots, 2U);
}

TEST_F(UserCounters, FallBackToTheProgramsRuleWhenTheirCountersLack) {
  ASSERT_TRUE(use("hbm_read_bytes | B | gfx942 | - | TCC_READ_sum * 64 | all of 64 B\n"));
  MetricInputs given = inputs();
  given.counters = {{"TCC_BUBBLE_sum", 0}, {"TCC_EA0_RDREQ_32B_sum", 1}, {"TCC_EA0_RDREQ_sum", 1}};
  EXPECT_EQ(metric("hbm_read_bytes", given).value, 32);
}

TEST_F(UserCounters, NameFileAndLineOfWhatIsWrong) {
  EXPECT_EQ(refusal("# c\n\nA | B\n"), "mine.counters:3: 2 fields between '|'");
  EXPECT_EQ(refusal("1x | SQ | 1 | c | sum | gfx942 | - | d\n"),
            "mine.counters:1: '1x' is not a name");
  EXPECT_EQ(refusal("A | SQ | x | c | sum | gfx942 | - | d\n"),
            "mine.counters:1: 'x' is not a number of slots");
  EXPECT_THAT(refusal("A | SQ | 1 | c | mean | gfx942 | - | d\n"), HasSubstr("'mean'"));
  EXPECT_THAT(refusal("A | SQ | 1 | c | sum | mi300 | - | d\n"), HasSubstr("not an architecture"));
  EXPECT_THAT(refusal("A | SQ | 1 | c | sum |  | - | d\n"), HasSubstr("no architecture"));
  EXPECT_THAT(refusal("m | ratio | gfx942 | - | 2 * ( | d\n"),
              HasSubstr("mine.counters:1: in the formula"));
  EXPECT_THAT(refusal("m | ratio | gfx942 | ) | 2 | d\n"), HasSubstr("in the condition"));
  EXPECT_THAT(refusal("CUS | ratio | gfx942 | - | 2 | d\n"), HasSubstr("constant"));
  EXPECT_EQ(
      refusal("m | ratio | gfx942 | - | SQ_NOTHING | d\n"),
      "mine.counters:1: 'SQ_NOTHING' is neither a counter of gfx942 nor a metric nor a constant");
}

TEST_F(UserCounters, AreRefusedInACircle) {
  EXPECT_THAT(refusal("m | ratio | gfx942 | - | m + 1 | d\n"), HasSubstr("refers to itself"));
  EXPECT_THAT(refusal("m | ratio | gfx942 | - | n | d\nn | ratio | gfx942 | - | m | d\n"),
              HasSubstr("refers to itself"));
}

TEST_F(UserCounters, AreRefusedWhenTheyTakeTooLong) {
  std::string text;
  for (int level = 0; level < 7; ++level) {
    for (int i = 0; i < 8; ++i) {
      text += fmt::format("m{}_{} | ratio | gfx942 | - | 1", level, i);
      for (int j = 0; level > 0 && j < 8; ++j) text += fmt::format(" + m{}_{}", level - 1, j);
      text += " | d\n";
    }
  }
  EXPECT_THAT(refusal(text), HasSubstr("evaluations"));
}

TEST_F(UserCounters, ThatAreWrongChangeNothing) {
  ASSERT_TRUE(use(kOwn));
  EXPECT_NE(refusal("m | ratio | gfx942 | - | m | d\n"), "taken");
  EXPECT_NE(CounterCatalogue::current().find("gfx942", "SQ_MY_STALLS"), nullptr);
}

TEST_F(UserCounters, HaveLimits) {
  EXPECT_EQ(parse_counter_file(std::string((1 << 20) + 1, '#'), "f").error().code, Errc::limit);
  std::string many;
  for (int i = 0; i <= 1000; ++i) many += "m | ratio | gfx942 | - | 1 | d\n";
  EXPECT_EQ(parse_counter_file(many, "f").error().code, Errc::limit);
  EXPECT_EQ(read_counter_file("/no such file").error().code, Errc::not_found);
}

}  // namespace
}  // namespace rpl
