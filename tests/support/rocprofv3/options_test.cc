// SPDX-License-Identifier: MIT
#include "tests/support/rocprofv3/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/rocprofv3/counter_limits.h"

namespace rpl::stand_in {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Parsed {
  bool ok = false;
  Options options;
  Refusal refusal;
};

Parsed parsed(std::vector<std::string> words, bool with_app = true) {
  if (with_app) words.insert(words.end(), {"--", "./app", "--pmc", "x"});
  Parsed out;
  out.ok = parse(words, out.options, out.refusal);
  return out;
}

TEST(StandIn, WhatStandsBehindTheDashesIsTheProgrammes) {
  const Parsed result = parsed({"--kernel-trace", "-f", "csv", "json", "-d", "out"});
  ASSERT_TRUE(result.ok) << result.refusal.text;
  EXPECT_THAT(result.options.app, ElementsAre("./app", "--pmc", "x"));
  EXPECT_THAT(result.options.values("output-format"), ElementsAre("csv", "json"));
  EXPECT_TRUE(result.options.values("pmc").empty());
}

TEST(StandIn, WithoutAProgramItEnds) {
  EXPECT_THAT(parsed({"--kernel-trace"}, false).refusal.text,
              HasSubstr("Fatal error: no application"));
  EXPECT_EQ(parsed({"--kernel-trace", "--"}, false).refusal.status, 1);
}

TEST(StandIn, OptionsAreNotShortened) {
  const Parsed result = parsed({"--kernel-tr"});
  EXPECT_FALSE(result.ok);
  EXPECT_EQ(result.refusal.status, 2);
  EXPECT_THAT(result.refusal.text, HasSubstr("unrecognized arguments: --kernel-tr"));
}

TEST(StandIn, ATraceOfAnAggregateCanBeSwitchedOff) {
  const Options options = parsed({"--sys-trace", "--hsa-trace=no"}).options;
  EXPECT_TRUE(options.traces("kernel"));
  EXPECT_TRUE(options.traces("hip"));
  EXPECT_FALSE(options.traces("hsa"));
  EXPECT_FALSE(parsed({"--runtime-trace"}).options.traces("hsa"));
  EXPECT_FALSE(parsed({"--hip-trace"}).options.traces("kernel"));
}

TEST(StandIn, CountersComeWithBlanksOrCommas) {
  EXPECT_THAT(parsed({"--pmc", "A,B", "C"}).options.values("pmc"), ElementsAre("A", "B", "C"));
  EXPECT_THAT(parsed({"--pmc"}).refusal.text, HasSubstr("expected at least one argument"));
}

TEST(StandIn, ThreadTracesExcludeCountersAndKeepToTheirRanges) {
  EXPECT_THAT(parsed({"--att", "--pmc", "A"}).refusal.text, HasSubstr("pmc"));
  EXPECT_FALSE(parsed({"--att", "--att-target-cu", "16"}).ok);
  EXPECT_FALSE(parsed({"--att", "--att-buffer-size", "1000"}).ok);
  EXPECT_FALSE(parsed({"--att", "--att-activity", "8", "--att-perfcounter-ctrl", "3"}).ok);
  EXPECT_TRUE(parsed({"--att", "--att-target-cu", "15", "--att-shader-engine-mask", "0x11"}).ok);
}

TEST(StandIn, SamplingNeedsAllOfItsOptions) {
  const std::vector<std::string> all{"--pc-sampling-beta-enabled",
                                     "--pc-sampling-method",
                                     "stochastic",
                                     "--pc-sampling-unit",
                                     "cycles",
                                     "--pc-sampling-interval",
                                     "1024"};
  EXPECT_TRUE(parsed(all).ok);
  EXPECT_FALSE(parsed({all.begin() + 1, all.end()}).ok);
  EXPECT_FALSE(parsed({all.begin(), all.end() - 2}).ok);
  auto odd = all;
  odd.back() = "1000";
  EXPECT_THAT(parsed(odd).refusal.text, HasSubstr("power of 2"));
  auto counted = all;
  counted.insert(counted.end(), {"--pmc", "A"});
  EXPECT_FALSE(parsed(counted).ok);
}

TEST(StandIn, CountersOfABlockFitUpToItsLimit) {
  std::vector<std::string> which;
  EXPECT_EQ(fit_of({"TCC_A", "TCC_B", "TCC_C", "TCC_D", "SQ_WAVES"}, which), Fit::fits);
  EXPECT_EQ(fit_of({"TCC_A", "FETCH_SIZE", "WRITE_SIZE"}, which), Fit::too_many);
  which.clear();
  EXPECT_EQ(fit_of({"NO_SUCH"}, which), Fit::unknown);
  EXPECT_THAT(which, ElementsAre("NO_SUCH"));
}

}  // namespace
}  // namespace rpl::stand_in
