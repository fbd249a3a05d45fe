// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <numeric>

#include "engine/graph/gaps.h"
#include "engine/graph/overlap.h"
#include "engine/trace/import/open.h"
#include "tests/engine/graph/graph_of.h"
#include "tests/support/shared_data.h"

namespace rpl::testing {
namespace {

/// Numbers from the README of the shared recordings.
TEST(Recording, OfATrainingRunIsPartitionedExactly) {
  const std::string path = testing_support::shared_data("rocpd/mi350x_train.db");
  if (path.empty()) GTEST_SKIP() << testing_support::kNoSharedData;
  const auto graph = Graph::build(open_trace(std::span(&path, 1)).value()).value();
  const CriticalPath critical = path_of(*graph);
  EXPECT_EQ(critical.span_ns, 15'122'023'494);
  EXPECT_EQ(std::reduce(critical.segments_ns.begin(), critical.segments_ns.end()),
            critical.span_ns);
  ASSERT_TRUE(critical.dominant_kernel.has_value());
  EXPECT_THAT(graph->trace().kernels()[*critical.dominant_kernel].name,
              ::testing::HasSubstr("ncclDevKernel_Generic_1"));
  EXPECT_EQ(graph->edge_counts().concurrent, 0U);
  EXPECT_EQ(find_gaps(*graph).value().busy_ns, 4'233'112'334);
}

TEST(Recording, OfAnRpdFileHasLaunchesAndCopies) {
  const std::string path = testing_support::shared_data("rocpd/rpd/matmul_result.rpd");
  if (path.empty()) GTEST_SKIP() << testing_support::kNoSharedData;
  const auto graph = Graph::build(open_trace(std::span(&path, 1)).value()).value();
  const CriticalPath critical = path_of(*graph);
  EXPECT_EQ(graph->operations(), 85U);
  EXPECT_EQ(graph->edge_counts().evidenced, 85U);
  EXPECT_EQ(std::reduce(critical.segments_ns.begin(), critical.segments_ns.end()),
            critical.span_ns);
  EXPECT_GT(nanoseconds(critical, SegmentKind::host), nanoseconds(critical, SegmentKind::copy));
}

TEST(Recording, WithoutRowsHasNoPath) {
  const std::string path = testing_support::shared_data("rocpd/empty_schema.db");
  if (path.empty()) GTEST_SKIP() << testing_support::kNoSharedData;
  const auto graph = Graph::build(open_trace(std::span(&path, 1)).value()).value();
  EXPECT_EQ(path_of(*graph).span_ns, 0);
}

}  // namespace
}  // namespace rpl::testing
