// SPDX-License-Identifier: MIT
// The recorded vector copies, from the file to the bound.
#include <gtest/gtest.h>

#include "engine/metrics/roofline/points.h"
#include "engine/trace/import/open.h"
#include "tests/support/shared_data.h"

namespace rpl {
namespace {

KernelRoofline roofline_of(const std::string& path) {
  const auto trace = open_trace(std::vector{path}).value();
  auto kernels = measure_kernels(*trace).value();
  const Agent& agent = trace->entities().agents.at(kernels.at(0).agent);
  const arch::RecordedAgent recorded{"a0", agent.arch, agent.product, agent.details};
  const arch::Gpu gpu = arch::resolve(arch::Catalogue::builtin(), recorded, {}).value();
  MetricInputs inputs = metric_inputs(kernels[0].counters, gpu, "test", Provenance::recorded);
  return kernel_roofline(kernels[0], std::move(inputs), spec_ceilings(gpu));
}

class VcopyRoofline : public testing::TestWithParam<const char*> {};

TEST_P(VcopyRoofline, IsMemoryBoundWithoutFlops) {
  const std::string path = testing_support::shared_data("rocpd/rocprof_compute/" +
                                                        std::string(GetParam()) + "/pmc_perf.csv");
  if (path.empty()) GTEST_SKIP() << testing_support::kNoSharedData;
  const KernelRoofline kernel = roofline_of(path);
  EXPECT_EQ(kernel.flops, 0);
  EXPECT_TRUE(kernel.missing.empty());
  const bool infinity_cache = std::string_view(GetParam()).find("MI300") != std::string_view::npos;
  ASSERT_EQ(kernel.points.size(), infinity_cache ? 5U : 4U);
  for (std::size_t level = 0; level < 3; ++level) {
    EXPECT_EQ(kernel.points[level].bound, RooflineBound::memory);
    EXPECT_EQ(kernel.points[level].arithmetic_intensity, 0);
    EXPECT_EQ(kernel.points[level].remark, "");
    if (kernel.points[level].roof_share) {
      EXPECT_LT(*kernel.points[level].roof_share, 1);
    }
  }
  EXPECT_EQ(kernel.points[1].bytes, 16777216);
}

INSTANTIATE_TEST_SUITE_P(Recorded, VcopyRoofline,
                         testing::Values("vcopy_MI200", "vcopy_MI300X_A1",
                                         "vcopy_MI300X_A1_rocpd"));

}  // namespace
}  // namespace rpl
