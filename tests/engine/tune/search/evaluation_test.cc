// SPDX-License-Identifier: MIT
#include "engine/tune/search/evaluation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rpl::tune {
namespace {

using ::testing::HasSubstr;

CacheFile small_cache() {
  CacheFile out{.space = *Space::product({Parameter{"A", {1, 2, 3}}}, {}),
                .cache = {},
                .about = {{"what", Value("test")}}};
  Evaluation fine{.point = 2, .ok = true};
  fine.samples_ns = {30, 10, 20};
  fine.time_source = "modelled";
  fine.verified = "exit status";
  fine.facts = {{"vgprs", Value(64)}};
  fine.wall_ns = 5;
  fine.requeued = 1;
  out.cache.add(fine);
  out.cache.add({.point = 0, .ok = false, .stage = "build", .reason = "a.hip:3: no such thing"});
  return out;
}

TEST(Evaluation, HasTheMedianOfItsSamples) {
  Evaluation one{.point = 0, .ok = true};
  EXPECT_FALSE(one.time_ns());
  one.samples_ns = {3, 1, 2};
  EXPECT_EQ(one.time_ns(), 2.0);
  one.samples_ns.push_back(10);
  EXPECT_EQ(one.time_ns(), 2.5);
  one.ok = false;
  EXPECT_FALSE(one.time_ns());
}

TEST(Cache, KeepsEachConfigurationOnce) {
  Cache cache;
  EXPECT_TRUE(cache.add({.point = 1, .ok = false, .stage = "run", .reason = "first"}));
  EXPECT_FALSE(cache.add({.point = 1, .ok = true}));
  EXPECT_EQ(cache.size(), 1U);
  EXPECT_EQ(cache.find(1)->reason, "first");
  EXPECT_EQ(cache.failures(), 1U);
  EXPECT_EQ(cache.best(), nullptr);
}

TEST(Cache, IsReadAsItWasWritten) {
  const CacheFile file = small_cache();
  const std::string text = cache_text(file).string();
  const auto again = read_cache(text);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(cache_text(*again), text);
  ASSERT_NE(again->cache.best(), nullptr);
  EXPECT_EQ(again->cache.best()->point, 2U);
  EXPECT_EQ(again->cache.best()->requeued, 1);
  EXPECT_EQ(again->cache.find(0)->reason, "a.hip:3: no such thing");
}

TEST(Cache, RefusesWhatIsNoCache) {
  const std::string head =
      R"({"schema": "rpl.tune.cache/1", "space": {"parameters": {"A": [1, 2]}}, "evaluations": [)";
  const auto refusal = [](const std::string& text) {
    const auto read = read_cache(text);
    EXPECT_FALSE(read) << text;
    EXPECT_TRUE(read || read.error().code == Errc::corrupt) << text;
    return read ? std::string() : read.error().message;
  };
  EXPECT_THAT(refusal("[]"), HasSubstr("not a cache"));
  EXPECT_THAT(refusal(head), HasSubstr("line"));
  EXPECT_THAT(refusal(head + "3]}"), HasSubstr("evaluation 1"));
  EXPECT_THAT(refusal(head + R"({"configuration": {"A": 9}, "ok": false}]})"), HasSubstr("no A=9"));
  EXPECT_THAT(refusal(head + R"({"configuration": {"A": 1}, "ok": true, "samples_ns": [-1]}]})"),
              HasSubstr("evaluation 1: samples_ns[0]: expected a time"));
  EXPECT_THAT(refusal(head + R"({"configuration": {"A": 1}, "ok": true, "samples_ns": []}]})"),
              HasSubstr("samples_ns"));
  EXPECT_THAT(
      refusal(
          head +
          R"({"configuration": {"A": 1}, "ok": false}, {"configuration": {"A": 1}, "ok": false}]})"),
      HasSubstr("twice"));
  EXPECT_THAT(
      refusal(R"({"schema": "rpl.tune.cache/1", "space": {"parameters": {}}, "evaluations": []})"),
      HasSubstr("space"));
}

TEST(Cache, TellsWhatTheFirstIncompleteEvaluationLacks) {
  const auto read = read_cache(
      R"({"schema": "rpl.tune.cache/1", "space": {"parameters": {"A": [1, 2]}}, "evaluations": [)"
      R"({"configuration": {"A": 1}, "ok": true, "samples_ns": [5]},)"
      R"({"configuration": {"A": 2}, "ok": true, "samples_ns": [6]}]})");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_THAT(read->notes,
              testing::Contains("evaluation 1: time_source is missing; its default holds"));
  EXPECT_THAT(read->notes, testing::Each(testing::StartsWith("evaluation 1: ")));
}

}  // namespace
}  // namespace rpl::tune
