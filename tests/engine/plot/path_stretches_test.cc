// SPDX-License-Identifier: MIT
#include "engine/plot/path_stretches.h"

#include <gtest/gtest.h>

#include "tests/support/tiny_trace.h"

namespace rpl {
namespace {

std::shared_ptr<const Graph> alternating() {
  rpl::testing::TinyTrace tiny;
  // Kernels of 6 ns with copies of 4 ns between them, then one copy of 100 ns.
  for (std::int64_t i = 0; i < 50; ++i) {
    tiny.ops.push_back({"a", 0, 0, i * 10, i * 10 + 6});
    tiny.copies.push_back({0, i * 10 + 6, i * 10 + 10});
  }
  tiny.copies.push_back({0, 500, 600});
  auto graph = Graph::build(tiny.build());
  EXPECT_TRUE(graph.has_value());
  return *graph;
}

TEST(PathStretches, AreOfWhatMostOfThemIs) {
  const auto stretches = path_stretches(*alternating(), 0, 600, 20).value();
  std::int64_t at = 0, kernels = 0;
  for (const PathStretch& one : stretches) {
    EXPECT_EQ(one.start_ns, at) << "nothing is left out";
    at = one.end_ns;
    if (one.kind == SegmentKind::kernel) kernels += one.end_ns - one.start_ns;
  }
  EXPECT_EQ(at, 600);
  EXPECT_GE(kernels, 450) << "many short copies between them do not hide the kernels";
  EXPECT_EQ(stretches.back().kind, SegmentKind::copy);
}

TEST(PathStretches, AreTheSegmentsWhereAllAreLong) {
  const auto stretches = path_stretches(*alternating(), 0, 600, 0).value();
  // The last copy goes on where the one before ends.
  EXPECT_EQ(stretches.size(), 100U);
}

}  // namespace
}  // namespace rpl
