// SPDX-License-Identifier: MIT
#include "engine/plot/event_trace.h"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/support/tiny_trace.h"

namespace rpl {
namespace {

using nlohmann::json;
using rpl::testing::TinyTrace;

/// Two streams, one with operations that overlap, a copy, calls that launch, and a name that JSON must escape.
TinyTrace recording() {
  TinyTrace tiny;
  tiny.ops = {{"gemm \"x\"", 0, 0, 1'000, 2'000, 1},
              {"soft\xffmax", 0, 1, 1'500, 3'000, 2},
              {"relu", 1, 2, 3'500, 4'000, 3}};
  tiny.copies = {{0, 4'000, 5'000, 4}};
  tiny.calls = {{7, 100, 200, 1}, {7, 300, 400, 2}, {8, 3'100, 3'200, 3}, {8, 3'300, 3'400, 4}};
  return tiny;
}

json exported(const std::shared_ptr<const Trace>& trace, bool with_path) {
  const auto graph = Graph::build(trace);
  const auto slack = Slack::compute(**graph);
  const auto path = critical_path(**graph, *slack);
  EventOptions options;
  options.path = with_path ? &*path : nullptr;
  std::string text;
  const auto summary = write_chrome_trace(**graph, options, [&](OutputBytes part) -> Status {
    text += part.bytes();
    return {};
  });
  EXPECT_TRUE(summary.has_value());
  return json::parse(text);
}

std::vector<json> events(const json& document, const std::string& phase) {
  std::vector<json> out;
  for (const json& event : document["traceEvents"]) {
    if (event["ph"] == phase) out.push_back(event);
  }
  return out;
}

TEST(ChromeTrace, HasASliceForEveryOperationAndCall) {
  std::multiset<std::string> names;
  for (const json& slice : events(exported(recording().build(), false), "X")) {
    names.insert(slice["cat"].get<std::string>());
    EXPECT_TRUE(slice["ts"].is_number() && slice["dur"].is_number());
    EXPECT_GE(slice["ts"].get<double>(), 0);
  }
  EXPECT_EQ(names.count("kernel"), 3U);
  EXPECT_EQ(names.count("copy"), 1U);
  EXPECT_EQ(names.size(), 8U);
}

TEST(ChromeTrace, NeverOverlapsSlicesOfAThread) {
  std::map<std::pair<int, int>, double> ends;
  auto slices = events(exported(recording().build(), false), "X");
  std::ranges::sort(slices, {}, [](const json& slice) { return slice["ts"].get<double>(); });
  for (const json& slice : slices) {
    double& end = ends[{slice["pid"].get<int>(), slice["tid"].get<int>()}];
    EXPECT_GE(slice["ts"].get<double>(), end);
    end = slice["ts"].get<double>() + slice["dur"].get<double>();
  }
}

TEST(ChromeTrace, NamesEveryThreadThatHasSlices) {
  const json document = exported(recording().build(), false);
  std::set<std::pair<int, int>> named;
  for (const json& meta : events(document, "M")) {
    if (meta["name"] == "thread_name")
      named.insert({meta["pid"].get<int>(), meta["tid"].get<int>()});
  }
  for (const json& slice : events(document, "X")) {
    EXPECT_TRUE(named.contains({slice["pid"].get<int>(), slice["tid"].get<int>()}));
  }
}

TEST(ChromeTrace, ArrowsBeginAndEndWithinSlices) {
  const json document = exported(recording().build(), true);
  const auto slices = events(document, "X");
  const auto inside = [&](const json& end) {
    return std::ranges::any_of(slices, [&](const json& slice) {
      const double from = slice["ts"].get<double>(), at = end["ts"].get<double>();
      return slice["pid"] == end["pid"] && slice["tid"] == end["tid"] && from <= at &&
             at <= from + slice["dur"].get<double>();
    });
  };
  std::map<std::string, std::pair<int, int>> ends;
  for (const json& start : events(document, "s")) {
    EXPECT_TRUE(inside(start)) << start;
    ++ends[start["id"].get<std::string>()].first;
  }
  for (const json& finish : events(document, "f")) {
    EXPECT_TRUE(inside(finish)) << finish;
    ++ends[finish["id"].get<std::string>()].second;
  }
  EXPECT_GE(ends.size(), 4U);
  for (const auto& [id, pair] : ends) EXPECT_EQ(pair, std::pair(1, 1)) << id;
}

TEST(ChromeTrace, KeepsNanoseconds) {
  for (const json& slice : events(exported(recording().build(), false), "X")) {
    if (slice["name"] != "relu") continue;
    EXPECT_DOUBLE_EQ(slice["ts"].get<double>(), 3.4);
  }
}

TEST(ChromeTrace, OfNothingIsStillADocument) {
  EXPECT_TRUE(events(exported(rpl::testing::tiny_trace({}), true), "X").empty());
}

}  // namespace
}  // namespace rpl
