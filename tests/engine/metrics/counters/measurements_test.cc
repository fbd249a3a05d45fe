// SPDX-License-Identifier: MIT
#include "engine/metrics/counters/measurements.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/trace/import/open.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using testing_support::TempDir;
using TracePtr = std::shared_ptr<const Trace>;

constexpr std::string_view kCounterHeader =
    "Correlation_Id,Dispatch_Id,Agent_Id,Queue_Id,Process_Id,Thread_Id,Grid_Size,Kernel_Id,Kernel_"
    "Name,"
    "Workgroup_Size,LDS_Block_Size,Scratch_Size,VGPR_Count,Accum_VGPR_Count,SGPR_Count,Counter_"
    "Name,Counter_Value,"
    "Start_Timestamp,End_Timestamp\n";

std::string counter_row(int dispatch, int pid, std::string_view kernel, std::string_view counter,
                        double value, int start) {
  return fmt::format("{0},{0},Agent 4,1,{1},{1},64,7,{2},64,0,0,8,0,16,{3},{4},{5},{6}\n", dispatch,
                     pid, kernel, counter, value, start, start + 100);
}

TracePtr open(const std::string& path) { return open_trace(std::vector{path}).value(); }

const KernelMeasurement& of(const std::vector<KernelMeasurement>& kernels, const Trace& trace,
                            std::string_view name) {
  for (const KernelMeasurement& kernel : kernels) {
    if (trace.kernels()[kernel.kernel].name == name) return kernel;
  }
  throw std::runtime_error("no such kernel");
}

TEST(MeasurementsTest, MatchesPassesByKernelAndOrdinal) {
  const TempDir folder;
  std::string one(kCounterHeader), two(kCounterHeader);
  one += counter_row(1, 10, "a", "SQ_WAVES", 10, 1000) +
         counter_row(2, 10, "b", "SQ_WAVES", 1, 2000) +
         counter_row(3, 10, "a", "SQ_WAVES", 30, 3000);
  // The second run starts b first: ids differ, ordinals within a kernel do not.
  two += counter_row(1, 11, "b", "SQ_BUSY_CYCLES", 2, 91000) +
         counter_row(2, 11, "a", "SQ_BUSY_CYCLES", 5, 92000) +
         counter_row(3, 11, "a", "SQ_BUSY_CYCLES", 7, 93000);
  folder.write("pass_1/10_counter_collection.csv", one);
  folder.write("pass_2/11_counter_collection.csv", two);
  const TracePtr trace = open(folder.path());
  ASSERT_EQ(trace->size(), 6U);
  const auto kernels = measure_kernels(*trace).value();
  ASSERT_EQ(kernels.size(), 2U);
  const KernelMeasurement& a = of(kernels, *trace, "a");
  EXPECT_EQ(a.calls, 2U);
  EXPECT_EQ(a.passes, 2U);
  EXPECT_EQ(a.counters.at("SQ_WAVES").value, 20);
  EXPECT_EQ(a.counters.at("SQ_BUSY_CYCLES").value, 6);
  EXPECT_EQ(a.time.source, TimeSource::instrumented);
  const auto dispatches = measure_dispatches(*trace, a.kernel).value();
  ASSERT_EQ(dispatches.size(), 2U);
  EXPECT_EQ(dispatches[0].counters.at("SQ_WAVES").value, 10);
  EXPECT_EQ(dispatches[0].counters.at("SQ_BUSY_CYCLES").value, 5);
  EXPECT_EQ(dispatches[1].counters.at("SQ_BUSY_CYCLES").value, 7);
  EXPECT_EQ(dispatches[1].rows.size(), 2U);
}

TEST(MeasurementsTest, RanksWithTheSameCountersAreMoreCalls) {
  const TempDir folder;
  for (int pid : {10, 11}) {
    folder.write(
        fmt::format("{}_counter_collection.csv", pid),
        std::string(kCounterHeader) + counter_row(1, pid, "a", "SQ_WAVES", pid, 1000 + pid));
  }
  const TracePtr trace = open(folder.path());
  const auto kernels = measure_kernels(*trace).value();
  ASSERT_EQ(kernels.size(), 1U);
  EXPECT_EQ(kernels[0].calls, 2U);
  EXPECT_EQ(kernels[0].passes, 1U);
  EXPECT_EQ(kernels[0].counters.at("SQ_WAVES").value, 10.5);
  EXPECT_EQ(measure_dispatches(*trace, kernels[0].kernel).value().size(), 2U);
}

TEST(MeasurementsTest, APlainRunGivesTheTimes) {
  const TempDir folder;
  folder.write("pass_1/10_counter_collection.csv",
               std::string(kCounterHeader) + counter_row(1, 10, "a", "SQ_WAVES", 10, 1000));
  const std::string plain =
      "Kind,Agent_Id,Queue_Id,Dispatch_Id,Kernel_Name,Correlation_Id,Start_Timestamp,End_"
      "Timestamp\n"
      "KERNEL_DISPATCH,Agent 4,1,1,a,1,500,540\nKERNEL_DISPATCH,Agent 4,1,2,a,2,600,660\n";
  folder.write("times/9_kernel_trace.csv", plain);
  const TracePtr merged = open(folder.path());
  const auto kernels = measure_kernels(*merged).value();
  ASSERT_EQ(kernels.size(), 1U);
  EXPECT_EQ(kernels[0].time.source, TimeSource::plain);
  EXPECT_EQ(kernels[0].time.mean_ns, 50);
  EXPECT_EQ(kernels[0].time.dispatches, 2U);
  EXPECT_EQ(kernels[0].calls, 1U);

  const TracePtr counted = open(folder / "pass_1"), apart = open(folder / "times");
  auto alone = measure_kernels(*counted).value();
  EXPECT_EQ(alone[0].time.mean_ns, 100);
  EXPECT_EQ(use_times_of(*apart, *counted, alone), 1U);
  EXPECT_EQ(alone[0].time.mean_ns, 50);
  EXPECT_EQ(alone[0].time.source, TimeSource::plain);
}

TEST(MeasurementsTest, ATraceWithoutCountersHasNoMeasurements) {
  const TempDir folder;
  const std::string path = folder.write(
      "1_kernel_trace.csv",
      "Kind,Agent_Id,Dispatch_Id,Kernel_Name,Start_Timestamp,End_Timestamp\nK,4,1,a,5,6\n");
  EXPECT_TRUE(measure_kernels(*open(path)).value().empty());
}

TEST(MeasurementsTest, GrbmCountersOfACsvAreSums) {
  const TempDir folder;
  const std::string path = folder.write(
      "1_counter_collection.csv",
      std::string(kCounterHeader) + counter_row(1, 1, "a", "GRBM_GUI_ACTIVE", 800, 10));
  const auto kernels = measure_kernels(*open(path)).value();
  EXPECT_TRUE(kernels[0].counters.at("GRBM_GUI_ACTIVE").summed_over_xccs);
}

}  // namespace
}  // namespace rpl
