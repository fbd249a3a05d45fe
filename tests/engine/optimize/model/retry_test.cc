// SPDX-License-Identifier: MIT
#include "engine/optimize/model/client.h"

#include <gtest/gtest.h>

namespace rpl::llm {
namespace {

using std::chrono::milliseconds;

HttpReply with(std::string after, std::string after_ms = "") {
  HttpReply out;
  out.retry_after = std::move(after);
  out.retry_after_ms = std::move(after_ms);
  return out;
}

TEST(AskedWait, IsSecondsADateOrMilliseconds) {
  constexpr std::int64_t kNow = 784111777;  // Sun, 06 Nov 1994 08:49:37 GMT
  EXPECT_EQ(asked_wait(with("7"), kNow), milliseconds(7000));
  EXPECT_EQ(asked_wait(with("1.5"), kNow), milliseconds(1500));
  EXPECT_EQ(asked_wait(with("Sun, 06 Nov 1994 08:49:57 GMT"), kNow), milliseconds(20'000));
  EXPECT_EQ(asked_wait(with("Sunday, 06-Nov-94 08:49:47 GMT"), kNow), milliseconds(10'000));
  EXPECT_EQ(asked_wait(with("Sun, 06 Nov 1994 08:00:00 GMT"), kNow), milliseconds(0))
      << "in the past";
  EXPECT_EQ(asked_wait(with("9", "250"), kNow), milliseconds(250)) << "the finer one counts";
  for (const char* nonsense : {"", "soon", "-5", "1e999", "nan"})
    EXPECT_FALSE(asked_wait(with(nonsense), kNow)) << nonsense;
}

TEST(BackOff, IsFullJitterBelowADoublingCeiling) {
  const RetryRule rule;
  EXPECT_EQ(back_off(1, rule, 0.5), milliseconds(500));
  EXPECT_EQ(back_off(3, rule, 0.5), milliseconds(2000));
  EXPECT_EQ(back_off(60, rule, 0.5), milliseconds(30'000));
  EXPECT_EQ(back_off(4, rule, 0.0), milliseconds(0));
}

}  // namespace
}  // namespace rpl::llm
