// SPDX-License-Identifier: MIT
#include "engine/base/numbers.h"

#include <gtest/gtest.h>

namespace rpl {
namespace {

TEST(Units, WriteTimesWithFourDigits) {
  const std::pair<std::int64_t, const char*> cases[] = {
      {0, "0 ns"},
      {-5, "-5 ns"},
      {999, "999 ns"},
      {1000, "1.000 us"},
      {12'345, "12.35 us"},
      {999'999, "1.000 ms"},
      {701'200'000, "701.2 ms"},
      {15'122'023'494, "15.12 s"},
      {3'600'000'000'000, "3600 s"},
      {-1'500'000, "-1.500 ms"},
  };
  for (const auto& [ns, text] : cases) EXPECT_EQ(format_ns(ns), text);
  EXPECT_EQ(format_ns(560.5), "560.5 ns");
  EXPECT_EQ(format_ns(560.0), "560 ns");
}

TEST(Units, WriteSizesCountsAndShares) {
  EXPECT_EQ(format_bytes(512), "512 B");
  EXPECT_EQ(format_bytes(8u << 20), "8.000 MiB");
  EXPECT_EQ(format_count(7), "7");
  EXPECT_EQ(format_count(43915), "43,915");
  EXPECT_EQ(format_count(1234567), "1,234,567");
  EXPECT_EQ(format_share(0.93629), "93.6 %");
  EXPECT_EQ(format_share(0.0001), "<0.1 %");
  EXPECT_EQ(format_share(0.0), "0.0 %");
}

TEST(Units, ReadTimesBack) {
  const std::pair<const char*, std::int64_t> cases[] = {
      {"12ms", 12'000'000}, {"1.5 s", 1'500'000'000}, {"40us", 40'000},
      {"40µs", 40'000},     {"700ns", 700},           {"700", 700},
      {"-2us", -2000},
  };
  for (const auto& [text, ns] : cases) EXPECT_EQ(parse_ns(text).value_or(-1), ns) << text;
}

TEST(Units, RefuseWhatIsNoTime) {
  for (const char* text : {"", "ms", "12 parsecs", "nan", "inf", "1e40s"}) {
    const auto result = parse_ns(text);
    ASSERT_FALSE(result.has_value()) << text;
    EXPECT_EQ(result.error().code, Errc::usage);
  }
}

TEST(Units, TimesAlongAnAxisAreInOneUnit) {
  const auto labels = [](std::int64_t from, std::int64_t step, int count) {
    std::vector<std::int64_t> ticks;
    for (int i = 0; i < count; ++i) ticks.push_back(from + i * step);
    return axis_times(ticks);
  };
  EXPECT_EQ(labels(0, 200'000, 6),
            (std::vector<std::string>{"0 ms", "0.2 ms", "0.4 ms", "0.6 ms", "0.8 ms", "1.0 ms"}));
  EXPECT_EQ(labels(80'000'000, 10'000'000, 3),
            (std::vector<std::string>{"80 ms", "90 ms", "100 ms"}));
  EXPECT_EQ(labels(10'889'000'000, 1'000, 2),
            (std::vector<std::string>{"10.889000 s", "10.889001 s"}))
      << "where four digits would be the same";
  EXPECT_EQ(labels(0, 20, 2), (std::vector<std::string>{"0 ns", "20 ns"}));
  EXPECT_EQ(labels(0, 1, 1), std::vector<std::string>{"0 ns"});
  EXPECT_TRUE(axis_times({}).empty());
}

}  // namespace
}  // namespace rpl
