// SPDX-License-Identifier: MIT
#include "engine/trace/import/csv/pmc_reader.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/trace/import/open.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using testing_support::TempDir;
using TracePtr = std::shared_ptr<const Trace>;

constexpr std::string_view kWide =
    "Dispatch_ID,GPU_ID,Grid_Size,Workgroup_Size,LDS_Per_Workgroup,Scratch_Per_Workitem,Arch_VGPR,"
    "Accum_VGPR,SGPR,wave_size,obj,Kernel_Name,SQ_WAVES,wave_size_1,TCC_HIT[0],TCC_HIT[1],TCC_MISS_"
    "sum,"
    "TCC_MISS[0],Start_Timestamp,End_Timestamp\n";
constexpr std::string_view kLong =
    "GPU_ID,Dispatch_ID,Grid_Size,Workgroup_Size,LDS_Per_Workgroup,Scratch_Per_Workitem,Arch_VGPR,"
    "Accum_VGPR,SGPR,Kernel_Name,Start_Timestamp,End_Timestamp,Kernel_ID,Counter_Name,Counter_"
    "Value\n";

std::string long_row(int dispatch, std::string_view kernel, int start, std::string_view counter,
                     double value) {
  return fmt::format("2,{},64,64,0,0,4,4,16,{},{},{},1,{},{}\n", dispatch, kernel, start,
                     start + 10, counter, value);
}

TracePtr opened(const std::string& path) { return open_trace(std::vector{path}).value(); }

double value_of(const Trace& trace, std::uint32_t row, std::string_view counter) {
  const CounterTable& table = *trace.counters().value();
  for (const CounterSample& sample : table.rows) {
    if (sample.dispatch == row && table.names[sample.counter] == counter) return sample.sum;
  }
  return -1;
}

TEST(PmcReader, ReadsTheWideForm) {
  const TempDir folder;
  const std::string path = folder.write(
      "pmc_perf.csv",
      std::string(kWide) +
          "0,2,1024,256,512,8,4,4,16,64,0,\"copy(int, int)\",16,64,3,4,9,5,1000,1600\n"
          "1,2,1024,256,512,8,4,4,16,64,0,\"copy(int, int)\",16,64,,4,9,5,2000,2600\n");
  const TracePtr trace = opened(path);
  ASSERT_EQ(trace->size(), 2U);
  EXPECT_EQ(trace->kernels()[0].name, "copy(int, int)");
  EXPECT_EQ(trace->kernels()[0].arch_vgprs, 4U);
  EXPECT_EQ(trace->duration_ns(0), 600);
  EXPECT_EQ(trace->launch(0).grid[0], 1024U);
  EXPECT_EQ(trace->launch(0).lds_bytes, 512U);
  EXPECT_TRUE(trace->presence().counters);
  EXPECT_THAT(trace->entities().notes, Contains(HasSubstr("serialised")));
  EXPECT_EQ(trace->counters().value()->names.size(),
            3U);  // no wave_size, no TCC_MISS[0] beside its sum
  EXPECT_EQ(value_of(*trace, 0, "SQ_WAVES"), 16);
  EXPECT_EQ(value_of(*trace, 0, "TCC_HIT_sum"), 7);
  EXPECT_EQ(value_of(*trace, 1, "TCC_HIT_sum"), 4);  // an empty field was not counted
  EXPECT_EQ(value_of(*trace, 0, "TCC_MISS_sum"), 9);
}

TEST(PmcReader, NamesAreWithoutDecoration) {
  const TempDir folder;
  const std::string path = folder.write(
      "pmc_perf.csv", std::string(kWide) +
                          "0,2,1,1,0,0,4,4,16,64,0,f(int) [clone .kd],1,64,3,4,9,5,1,2\n"
                          "1,2,1,1,0,0,4,4,16,64,0,f(int) (.kd),1,64,3,4,9,5,3,4\n");
  ASSERT_EQ(opened(path)->kernels().size(), 1U);
  EXPECT_EQ(opened(path)->kernels()[0].name, "f(int)");
}

TEST(PmcReader, KeepsFoldedInstancesApart) {
  const TempDir folder;
  const std::string path = folder.write(
      "pmc_perf.csv", std::string(kWide) + "0,2,1,1,0,0,4,4,16,64,0,k,1,64,3,4,9,5,1,2\n");
  const auto trace = opened(path);
  const CounterTable& table = *trace->counters().value();
  for (const CounterSample& sample : table.rows) {
    if (table.names[sample.counter] != "TCC_HIT_sum") continue;
    EXPECT_EQ(sample.instances, 2U);
    EXPECT_EQ(sample.max, 4);
  }
}

TEST(PmcReader, KnowsTimesThatASpreadsheetRounded) {
  const TempDir folder;
  const std::string path = folder.write(
      "pmc_perf.csv",
      std::string(kWide) + "0,2,1,1,0,0,4,4,16,64,0,k,1,64,3,4,9,5,8.1097E+14,8.1097E+14\n");
  const TracePtr trace = opened(path);
  EXPECT_EQ(trace->duration_ns(0), 0);
  EXPECT_THAT(trace->entities().notes, Contains(HasSubstr("1 of 1 rows have times with too few")));
}

std::string timed_row(std::string_view start, std::string_view end) {
  return fmt::format("0,2,1,1,0,0,4,4,16,64,0,k,1,64,3,4,9,5,{},{}\n", start, end);
}

TEST(PmcReader, ReadsTimesWithFractionsAndExponentsExactly) {
  const TempDir folder;
  const std::string path =
      folder.write("pmc_perf.csv", std::string(kWide) + timed_row("1.000e+3", "2.5e+3") +
                                       timed_row("3000.0", "4000.0") +
                                       timed_row("5000.25", "6000.75") + timed_row("7000", "8000") +
                                       timed_row("810970123456789.5", "810970123457789.5"));
  const TracePtr trace = opened(path);
  const std::int64_t expected[] = {1500, 1000, 1001, 1000, 1000};
  for (std::uint32_t row = 0; row < 5; ++row)
    EXPECT_EQ(trace->duration_ns(row), expected[row]) << row;
  EXPECT_EQ(trace->start_ns(4), 810970123456790);
  EXPECT_THAT(trace->entities().notes, Not(Contains(HasSubstr("digits"))));
}

TEST(PmcReader, LosesTheDurationsOfRoundedRowsAlone) {
  const TempDir folder;
  const std::string path =
      folder.write("pmc_perf.csv", std::string(kWide) + timed_row("7000", "8000") +
                                       timed_row("8.1097E+14", "8.1098E+14") +
                                       timed_row("8.10970123456789E+14", "8.1097012345777E+14"));
  const TracePtr trace = opened(path);
  EXPECT_EQ(trace->duration_ns(0), 1000);
  EXPECT_EQ(trace->duration_ns(1), 0);
  EXPECT_EQ(trace->duration_ns(2), 981);
  EXPECT_THAT(trace->entities().notes, Contains(HasSubstr("1 of 3 rows")));
}

TEST(PmcReader, ATimeThatIsNoNumberIsAnErrorWithItsPlace) {
  const TempDir folder;
  const std::string path =
      folder.write("pmc_perf.csv", std::string(kWide) + timed_row("7000", "soon"));
  const auto trace = open_trace(std::vector{path});
  ASSERT_FALSE(trace.has_value());
  EXPECT_THAT(trace.error().message,
              HasSubstr("pmc_perf.csv:2: End_Timestamp: 'soon' is not a 64-bit number"));
}

TEST(PmcReader, MatchesTheRunsOfTheLongForm) {
  const TempDir folder;
  // The second run dispatches b between the two a's, so that ids mean other dispatches.
  const std::string path =
      folder.write("pmc_perf.csv", std::string(kLong) + long_row(1, "a", 100, "SQ_WAVES", 1) +
                                       long_row(2, "a", 200, "SQ_WAVES", 2) +
                                       long_row(3, "b", 300, "SQ_WAVES", 3) +
                                       long_row(1, "a", 5100, "SQ_INSTS_VALU", 10) +
                                       long_row(2, "b", 5200, "SQ_INSTS_VALU", 30) +
                                       long_row(3, "a", 5300, "SQ_INSTS_VALU", 20));
  const TracePtr trace = opened(path);
  ASSERT_EQ(trace->size(), 3U);
  EXPECT_EQ(trace->start_ns(2), 300);
  EXPECT_EQ(value_of(*trace, 0, "SQ_INSTS_VALU"), 10);
  EXPECT_EQ(value_of(*trace, 1, "SQ_WAVES"), 2);
  EXPECT_EQ(value_of(*trace, 1, "SQ_INSTS_VALU"), 20);
  EXPECT_EQ(value_of(*trace, 2, "SQ_INSTS_VALU"), 30);
  EXPECT_THAT(trace->entities().notes, Contains(HasSubstr("2 runs")));
}

TEST(PmcReader, InstancesOfTheLongFormAreSummedOnce) {
  const TempDir folder;
  const std::string path =
      folder.write("pmc_perf.csv", std::string(kLong) + long_row(1, "a", 100, "TCC_HIT[0]", 1) +
                                       long_row(1, "a", 100, "TCC_HIT[1]", 2) +
                                       long_row(1, "a", 100, "TCC_MISS[0]", 4) +
                                       long_row(1, "a", 100, "TCC_HIT_sum", 3));
  const TracePtr trace = opened(path);
  EXPECT_EQ(value_of(*trace, 0, "TCC_HIT_sum"), 3);
  EXPECT_EQ(value_of(*trace, 0, "TCC_MISS_sum"), 4);
}

TEST(PmcReader, TakesTheGpuFromSysinfo) {
  const TempDir folder;
  const std::string path = folder.write(
      "pmc_perf.csv", std::string(kWide) + "0,2,1,1,0,0,4,4,16,64,0,k,1,64,3,4,9,5,1,2\n");
  EXPECT_EQ(opened(path)->entities().agents.at(0).arch, "");
  folder.write("sysinfo.csv",
               "gpu_model,gpu_arch,cu_per_gpu,num_xcd,max_sclk,gpu_chip_id,compute_partition\n"
               "MI300X_A1,gfx942,304,8,2100,29857,\"S\"\"PX\"\n");
  const Agent agent = opened(path)->entities().agents.at(0);
  EXPECT_EQ(agent.arch, "gfx942");
  EXPECT_EQ(agent.product, "MI300X_A1");
  EXPECT_EQ(agent.details,
            "{\"cu_count\":304,\"num_xcc\":8,\"max_engine_clk_fcompute\":2100,\"device_id\":29857,"
            "\"compute_partition\":\"S\\\"PX\",\"memory_partition\":\"\",\"rocm_version\":\"\"}");
}

TEST(PmcReader, FolderIsSearchedForCounterFiles) {
  const TempDir folder;
  folder.write("run/pmc_perf.csv",
               std::string(kWide) + "0,2,1,1,0,0,4,4,16,64,0,k,1,64,3,4,9,5,1,2\n");
  EXPECT_EQ(opened(folder.path())->size(), 1U);
}

constexpr std::string_view kFirst =
    "\"Index\",\"KernelName\",\"gpu-id\",\"queue-id\",\"queue-index\",\"pid\",\"tid\",\"grd\","
    "\"wgr\","
    "\"lds\",\"scr\",\"arch_vgpr\",\"accum_vgpr\",\"sgpr\",\"wave_size\",\"sig\",\"obj\",";

TEST(PmcReader, ReadsTheFirstRocprofsKernels) {
  const TempDir folder;
  const TracePtr trace = opened(folder.write(
      "results.csv", std::string(kFirst) +
                         "\"DispatchNs\",\"BeginNs\",\"EndNs\",\"CompleteNs\",\"DurationNs\"\n"
                         "0,\"fill(int) [clone "
                         ".kd]\",8,1,0,77,78,512,256,64,8,40,4,48,64,\"0x0\",\"0x7f\",900,1000,"
                         "1600,1700,600\n"
                         "1,\"work.kd\",8,2,1,77,79,512,256,0,0,12,0,16,64,\"0x0\",\"0x80\",1900,"
                         "2000,2100,2200,100\n"));
  ASSERT_EQ(trace->size(), 2U);
  EXPECT_EQ(trace->kernels()[trace->launch(0).kernel].name, "fill(int)");
  EXPECT_EQ(trace->kernels()[trace->launch(1).kernel].name, "work");
  EXPECT_EQ(trace->duration_ns(0), 600);
  EXPECT_EQ(trace->launch(0).grid[0], 512U);
  EXPECT_EQ(trace->launch(0).lds_bytes, 64U);
  EXPECT_EQ(trace->entities().processes[0].pid, 77);
  EXPECT_EQ(trace->entities().queues.size(), 2U);
  EXPECT_FALSE(trace->entities().presence.counters);
  EXPECT_THAT(trace->entities().notes, Contains(HasSubstr("rocprof version 1")));
  EXPECT_THAT(trace->entities().notes, Not(Contains(HasSubstr("counter file"))));
}

TEST(PmcReader, ReadsTheFirstRocprofsCountersWhateverTheyAreCalled) {
  const TempDir folder;
  const TracePtr trace = opened(folder.write(
      "results.csv",
      "Index,KernelName,gpu-id,queue-id,grd,wgr,vgpr,fbar,SQ_WAVES,VALUBusy,BeginNs,EndNs\n"
      "0,k,1,0,64,64,24,0,16,87.5,10,20\n"));
  EXPECT_EQ(trace->kernels()[0].arch_vgprs, 24U);
  EXPECT_EQ(value_of(*trace, 0, "SQ_WAVES"), 16);
  EXPECT_EQ(value_of(*trace, 0, "VALUBusy"), 87.5);
  EXPECT_EQ(value_of(*trace, 0, "fbar"), -1);
  EXPECT_THAT(trace->entities().notes, Contains(HasSubstr("counter file")));
}

TEST(PmcReader, RefusesOtherDatabasesByName) {
  const TempDir folder;
  const std::string path =
      folder.write("analysis.db", std::string("\x01\x02\x03\x04\x05\x06\x07\x08", 8) + "DUCK" +
                                      std::string(200, 'x'));
  const auto trace = open_trace(std::vector{path});
  ASSERT_FALSE(trace);
  EXPECT_EQ(trace.error().code, Errc::unsupported);
  EXPECT_THAT(trace.error().message, HasSubstr("DuckDB"));
}

TEST(PmcReader, SaysWhereAFileIsBroken) {
  const TempDir folder;
  const auto complaint = [&](const std::string& text) {
    const auto trace = open_trace(std::vector{folder.write("pmc_perf.csv", text)});
    return trace ? std::string() : trace.error().message;
  };
  EXPECT_THAT(complaint(std::string(kWide) + "x,2,1,1,0,0,4,4,16,64,0,k,1,64,3,4,9,5,1,2\n"),
              HasSubstr("pmc_perf.csv:2"));
  EXPECT_THAT(complaint(std::string(kWide) + "0,2,1,1\nx\n"), HasSubstr("4 fields"));
  EXPECT_EQ(complaint(std::string(kWide)), "");
}

}  // namespace
}  // namespace rpl
