// SPDX-License-Identifier: MIT
// The SVG timeline and the DOT graph.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/plot/dot.h"
#include "engine/plot/svg.h"
#include "tests/support/tiny_trace.h"

namespace rpl {
namespace {

using rpl::testing::tiny_trace;
using rpl::testing::TinyOp;
using ::testing::HasSubstr;
using ::testing::Not;

struct Pictured {
  std::shared_ptr<const Graph> graph;
  CriticalPath path;
};

Pictured pictured(std::vector<TinyOp> ops) {
  auto graph = *Graph::build(tiny_trace(std::move(ops)));
  const auto slack = Slack::compute(*graph);
  return {graph, *critical_path(*graph, *slack)};
}

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string_view::npos; at += part.size())
    ++found;
  return found;
}

std::string svg(const Pictured& of) {
  std::string text;
  const auto timeline = build_timeline(*of.graph, nullptr, {});
  const auto status = write_svg_timeline(*of.graph, &of.path, *timeline, TimelineBy::stream, {},
                                         [&](const XmlText& part) -> Status {
                                           text += part.bytes();
                                           return {};
                                         });
  EXPECT_TRUE(status.has_value());
  return text;
}

std::string dot(const Pictured& of, DotOptions options, DotSummary* summary = nullptr) {
  std::string text;
  options.path = &of.path;
  const auto written = write_dot(*of.graph, options, [&](const DotText& part) -> Status {
    text += part.bytes();
    return {};
  });
  EXPECT_TRUE(written.has_value());
  if (summary) *summary = *written;
  return text;
}

TEST(SvgTimeline, DrawsEachOperationAndEscapesItsName) {
  const std::string text = svg(pictured({{"a<b>&\"c\"", 0, 0, 0, 500}, {"d", 1, 1, 600, 1000}}));
  EXPECT_THAT(text, HasSubstr("<title>a&lt;b&gt;&amp;&quot;c&quot;: 500 ns</title>"));
  EXPECT_THAT(text, HasSubstr("<title>d: 400 ns</title>"));
  EXPECT_TRUE(text.starts_with("<svg ") && text.ends_with("</svg>\n"));
}

TEST(SvgTimeline, MergesWhatIsTooCloseToBeToldApart) {
  std::vector<TinyOp> ops;
  for (int i = 0; i < 100'000; ++i) ops.push_back({"k", 0, 0, i * 10, i * 10 + 9});
  const std::string text = svg(pictured(std::move(ops)));
  EXPECT_LT(text.size(), 400'000U);
  EXPECT_THAT(text, HasSubstr("operations, longest k"));
}

TEST(SvgTimeline, IsTheSameForTheSameTrace) {
  EXPECT_EQ(svg(pictured({{"a", 0, 0, 0, 9}})), svg(pictured({{"a", 0, 0, 0, 9}})));
}

TEST(Dot, DrawsOperationsAndTheirEdges) {
  const std::string text = dot(pictured({{"a", 0, 0, 0, 10}, {"b \"q\"", 0, 0, 20, 30}}), {});
  EXPECT_THAT(text, HasSubstr("d1 -> d2"));
  EXPECT_THAT(text, HasSubstr("stream_order 10 ns"));
  EXPECT_THAT(text, HasSubstr("b \\\"q\\\"\\n10 ns"));
  EXPECT_EQ(count(text, "{"), count(text, "}"));
}

TEST(Dot, CountsWhatItLeavesOut) {
  DotOptions options;
  options.limit = 1;
  DotSummary summary;
  const std::string text =
      dot(pictured({{"a", 0, 0, 0, 10}, {"b", 0, 0, 20, 30}}), options, &summary);
  EXPECT_EQ(summary.operations, 1U);
  EXPECT_EQ(summary.left_out, 1U);
  EXPECT_THAT(text, Not(HasSubstr("d2")));
}

TEST(Dot, CountsEdgesFromBeforeItsWindow) {
  DotOptions options;
  options.from_ns = 15;
  DotSummary summary;
  dot(pictured({{"a", 0, 0, 0, 10}, {"b", 0, 0, 20, 30}}), options, &summary);
  EXPECT_EQ(summary.from_outside, 1U);
}

}  // namespace
}  // namespace rpl
