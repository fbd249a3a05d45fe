// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/trace/import/open.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing_support::kNoSharedData;
using testing_support::shared_data;
using testing_support::TempDir;

using TracePtr = std::shared_ptr<const Trace>;

Result<TracePtr> open(const std::string& path) { return open_trace(std::vector{path}); }

/// The message of the failure to open a kernel trace with this text; "" when it opens.
std::string complaint(std::string_view text) {
  const TempDir folder;
  const auto trace = open(folder.write("a_kernel_trace.csv", text));
  return trace ? "" : trace.error().message.substr(folder.path().size() + 1);
}

constexpr std::string_view kHeader =
    "\"Guid\",\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Stream_Id\",\"Thread_Id\",\"Dispatch_Id\","
    "\"Kernel_Name\",\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\"\n";

TEST(RealCsv, OpensWithItsSiblings) {
  const std::string path = shared_data("rocpd/csv/kernel_trace.csv");
  if (path.empty()) GTEST_SKIP() << kNoSharedData;
  const TracePtr trace = open(path).value();
  ASSERT_EQ(trace->size(), 9U);
  EXPECT_EQ(trace->start_ns(0), 1550151853029637);
  EXPECT_EQ(trace->end_ns(0), 1550151853042437);
  EXPECT_EQ(trace->kernels().size(), 4U);
  EXPECT_EQ(trace->launch(0).grid, (Dim3{1024, 1024, 1}));
  EXPECT_EQ(trace->launch(0).workgroup, (Dim3{64, 1, 1}));
  EXPECT_EQ(trace->entities().agents[trace->lane(0).agent].recorded_id, 4);
  EXPECT_EQ(trace->entities().streams.size(), 4U);
  EXPECT_EQ(trace->entities().files[0].format, TraceFormat::csv);
}

TEST(RealCsv, ReadsCopiesApiMarkersAndCounters) {
  const std::string path = shared_data("rocpd/csv/kernel_trace.csv");
  if (path.empty()) GTEST_SKIP() << kNoSharedData;
  const TracePtr trace = open(path).value();
  const CopyTable& copies = *trace->copies().value();
  ASSERT_EQ(copies.rows.size(), 4U);
  EXPECT_EQ(copies.names[copies.rows[0].name], "MEMORY_COPY_HOST_TO_DEVICE");
  EXPECT_EQ(copies.rows[0].bytes, kUnknownBytes);
  EXPECT_EQ(trace->api().value()->rows.size(), 18U);
  const auto& markers = trace->markers().value()->rows;
  ASSERT_EQ(markers.size(), 5U);
  EXPECT_EQ(markers[0].text, "before hipLaunchKernel");
  const CounterTable& counters = *trace->counters().value();
  EXPECT_THAT(counters.names, ElementsAre("SQ_WAVES"));
  ASSERT_EQ(counters.rows.size(), 4U);
  EXPECT_EQ(counters.rows[0].sum, 16384);
}

TEST(RealCsv, FindsBlockingCalls) {
  const std::string path = shared_data("rocpd/csv/kernel_trace.csv");
  if (path.empty()) GTEST_SKIP() << kNoSharedData;
  const TracePtr trace = open(path).value();
  const auto& syncs = trace->syncs().value()->rows;
  ASSERT_EQ(syncs.size(), 2U);
  EXPECT_EQ(syncs[0].kind, SyncKind::blocking_copy);
  EXPECT_EQ(syncs[0].source, SyncSource::api_name);
  EXPECT_EQ(syncs[0].correlation, 4U);
}

TEST(RealCsv, OpensACounterFileAloneAndSaysSo) {
  const std::string path = shared_data("rocpd/rocprof_compute/vcopy_MI300X_A1_rocpd/pmc_perf.csv");
  const std::string counters = shared_data("rocpd/csv/counter_collection.csv");
  if (path.empty()) GTEST_SKIP() << kNoSharedData;
  const TracePtr trace = open(counters).value();
  EXPECT_EQ(trace->size(), 4U);
  EXPECT_EQ(trace->counters().value()->rows.size(), 4U);
  EXPECT_THAT(trace->entities().notes, testing::Contains(HasSubstr("serialised")));
}

TEST(CsvReader, KeepsProcessesApartByGuid) {
  const TempDir folder;
  const std::string path =
      folder.write("x_kernel_trace.csv",
                   fmt::format("{}{}", kHeader,
                               "g1,KERNEL_DISPATCH,4,1,0,7,1,\"a<b, \"\"c\"\">\",1,10,20\r\n"
                               "g2,KERNEL_DISPATCH,4,1,0,7,1,k,1,15,12\r\n"));
  const TracePtr trace = open(path).value();
  ASSERT_EQ(trace->size(), 2U);
  EXPECT_EQ(trace->entities().processes.size(), 2U);
  EXPECT_EQ(trace->kernels()[trace->kernel_of(0)].name, "a<b, \"c\">");
  EXPECT_EQ(trace->duration_ns(1), -3);
  EXPECT_THAT(trace->entities().notes, testing::Contains(HasSubstr("end before they start")));
}

TEST(CsvReader, TakesAgentDetailsFromTheirFile) {
  const TempDir folder;
  folder.write("7_agent_info.csv",
               "Node_Id,Agent_Type,Cu_Count,Name,Product_Name\n"
               "0,CPU,0,EPYC,EPYC\n2,GPU,304,gfx942,\"MI \"\"300\"\"\"\n");
  const std::string path =
      folder.write("7_kernel_trace.csv",
                   "Agent_Id,Kernel_Name,Start_Timestamp,End_Timestamp\n\"Agent 2\",k,1,2\n");
  const TracePtr trace = open(path).value();
  const Agent& agent = trace->entities().agents[trace->lane(0).agent];
  EXPECT_EQ(agent.arch, "gfx942");
  EXPECT_EQ(agent.type_index, 0);
  EXPECT_THAT(agent.details, HasSubstr("\"cu_count\":304"));
  EXPECT_THAT(agent.details, HasSubstr("\"product_name\":\"MI \\\"300\\\"\""));
  EXPECT_EQ(trace->entities().processes[0].pid, 7);
}

TEST(CsvReader, LeavesOutALastLineThatIsCutShortAndSaysSo) {
  const TempDir folder;
  const TracePtr trace = open(folder.write("a_kernel_trace.csv",
                                           "Kernel_Name,Start_Timestamp,End_Timestamp\nk,1,2\nk,3"))
                             .value();
  EXPECT_EQ(trace->size(), 1U);
  EXPECT_THAT(trace->entities().notes, ElementsAre(HasSubstr("line 3 is cut short")));
}

TEST(CsvReader, NamesFileLineAndColumnOfWhatIsWrong) {
  const std::string start = "Kernel_Name,Start_Timestamp,End_Timestamp,Grid_Size_X\n";
  EXPECT_EQ(complaint(start + "k,1,2,3\nk,x,2,3\n"),
            "a_kernel_trace.csv:3: Start_Timestamp: 'x' is not a 64-bit number");
  EXPECT_EQ(complaint(start + "k,1,99999999999999999999,3\n"),
            "a_kernel_trace.csv:2: End_Timestamp: '99999999999999999999' is not a 64-bit number");
  EXPECT_EQ(
      complaint(start + "k,1,2,4294967296\n"),
      "a_kernel_trace.csv:2: Grid_Size_X: '4294967296' is not a whole number from 0 to 4294967295");
  EXPECT_EQ(complaint(start + "k,1,2\nk,1,2,3\n"),
            "a_kernel_trace.csv:2: 3 fields where the header has 4");
  EXPECT_THAT(complaint("Name,Start_Timestamp\nk,1\n"),
              HasSubstr("a_kernel_trace.csv:1: there is no column 'Kernel_Name' among Name"));
}

TEST(CsvReader, FailsOnABrokenSiblingOnlyWhenItIsNeeded) {
  const TempDir folder;
  folder.write("a_memory_copy_trace.csv", "Direction,Start_Timestamp,End_Timestamp\nX,1,\"\n");
  const TracePtr trace =
      open(folder.write("a_kernel_trace.csv", "Kernel_Name,Start_Timestamp,End_Timestamp\nk,1,2\n"))
          .value();
  EXPECT_TRUE(trace->presence().copies);
  const auto copies = trace->copies();
  ASSERT_FALSE(copies.has_value());
  EXPECT_THAT(copies.error().message, HasSubstr("a_memory_copy_trace.csv:2"));
}

TEST(CsvReader, FoldsInstancesOfACounter) {
  const TempDir folder;
  folder.write("a_counter_collection.csv",
               "Dispatch_Id,Counter_Name,Counter_Value\n1,A,2\n1,B,1\n1,A,5.5\n9,A,1\n");
  const TracePtr trace =
      open(folder.write("a_kernel_trace.csv",
                        "Dispatch_Id,Kernel_Name,Start_Timestamp,End_Timestamp\n1,k,1,2\n"))
          .value();
  const CounterTable& counters = *trace->counters().value();
  ASSERT_EQ(counters.rows.size(), 2U);
  EXPECT_EQ(counters.rows[0].sum, 7.5);
  EXPECT_EQ(counters.rows[0].max, 5.5);
  EXPECT_EQ(counters.rows[0].instances, 2U);
  EXPECT_THAT(counters.notes, ElementsAre(HasSubstr("1 counter values belong to no dispatch")));
}

}  // namespace
}  // namespace rpl
