// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/trace/import/open.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing_support::TempDir;

using TracePtr = std::shared_ptr<const Trace>;

constexpr std::string_view kAgents = R"("agents": [
  {"id": {"handle": 900}, "node_id": 0, "type": 1, "name": "EPYC", "product_name": "EPYC"},
  {"id": {"handle": 901}, "node_id": 4, "type": 2, "name": "gfx942", "product_name": "MI300X",
   "cu_count": 304}])";
constexpr std::string_view kStrings = R"("strings": {
  "callback_records": [],
  "buffer_records": [{"kind": "NONE", "operations": []},
    {"kind": "KERNEL_DISPATCH", "operations": ["none"]},
    {"kind": "HIP_RUNTIME_API_EXT", "operations": ["hipLaunchKernel", "hipDeviceSynchronize",
                                                   "hipEventRecord"]},
    {"kind": "MEMORY_COPY", "operations": ["MEMORY_COPY_NONE", "MEMORY_COPY_HOST_TO_DEVICE"]},
    {"kind": "MARKER_CORE_API", "operations": ["roctxMarkA"]},
    {"kind": "HIP_EVENT", "operations": ["NONE", "HIP_EVENT_RECORD", "HIP_EVENT_WAIT"]}],
  "marker_api": [{"key": 5, "value": "epoch \"1\""}]})";
constexpr std::string_view kSymbols = R"json("kernel_symbols": [{"kernel_id": 0}, {"kernel_id": 17,
  "kernel_name": "_Z4gemmPf.kd", "formatted_kernel_name": "gemm(float*)", "arch_vgpr_count": 32,
  "accum_vgpr_count": 0, "sgpr_count": 16, "group_segment_size": 64, "private_segment_size": 0,
  "kernarg_segment_size": 8}])json";
constexpr std::string_view kDispatch = R"({"kind": 1, "operation": 0, "thread_id": 77,
  "correlation_id": {"internal": 3, "external": 0}, "start_timestamp": 1000, "end_timestamp": 1500,
  "dispatch_info": {"agent_id": {"handle": 901}, "queue_id": {"handle": 2}, "kernel_id": 17,
    "dispatch_id": 1, "private_segment_size": 0, "group_segment_size": 128,
    "workgroup_size": {"x": 64, "y": 2, "z": 1}, "grid_size": {"x": 640, "y": 2, "z": 1}},
  "stream_id": {"handle": 6}})";

std::string document(const std::string& records, std::string_view more = "\"counters\": []") {
  return std::string(R"({"rocprofiler-sdk-tool": [{"metadata": {"pid": 42, "init_time": 1,
    "fini_time": 9999, "node": {"hostname": "box"}, "command": ["./app", "-n", "1"]}, )") +
         std::string(kStrings) + ", \"buffer_records\": {" + records + "}, " +
         std::string(kAgents) + ", " + std::string(more) + ", " + std::string(kSymbols) + "}]}";
}

std::string dispatches(std::string_view rows = kDispatch) {
  return "\"kernel_dispatch\": [" + std::string(rows) + "]";
}

class Json : public testing::Test {
 protected:
  Result<TracePtr> open(std::string_view text) {
    return open_trace(std::vector{folder_.write("a_results.json", text)});
  }
  /// The message of the failure to open, without the folder.
  std::string complaint(std::string_view text) {
    const auto trace = open(text);
    return trace ? "" : trace.error().message.substr(folder_.path().size() + 1);
  }

  TempDir folder_;
};

TEST_F(Json, NotesThatPcSamplesWereTaken) {
  const auto notes = [&](std::string_view samples) {
    return open(document(dispatches() + std::string(samples))).value()->entities().notes;
  };
  EXPECT_THAT(notes(R"(, "pc_sample_host_trap": [])"), ::testing::IsEmpty());
  EXPECT_THAT(notes(R"(, "pc_sample_host_trap": [{"record": {}}])"),
              ::testing::Contains(::testing::HasSubstr("took PC samples")));
}

TEST_F(Json, ReadsDispatchesWhateverTheOrderOfSections) {
  const TracePtr trace = open(document(dispatches())).value();
  ASSERT_EQ(trace->size(), 1U);
  EXPECT_EQ(trace->start_ns(0), 1000);
  EXPECT_EQ(trace->duration_ns(0), 500);
  EXPECT_EQ(trace->launch(0).grid, (Dim3{640, 2, 1}));
  EXPECT_EQ(trace->launch(0).lds_bytes, 128U);
  const Kernel& kernel = trace->kernels()[trace->kernel_of(0)];
  EXPECT_EQ(kernel.mangled, "_Z4gemmPf");
  EXPECT_EQ(kernel.name, "gemm(float*)");
  EXPECT_EQ(kernel.arch_vgprs, 32U);
  EXPECT_EQ(trace->lane(0).thread, 77);
}

TEST_F(Json, ReadsWhoAndWhere) {
  const TracePtr trace = open(document(dispatches())).value();
  const TraceEntities& entities = trace->entities();
  EXPECT_EQ(entities.processes[0].pid, 42);
  EXPECT_EQ(entities.processes[0].command, "./app -n 1");
  EXPECT_EQ(entities.processes[0].hostname, "box");
  const Agent& agent = entities.agents[trace->lane(0).agent];
  EXPECT_EQ(agent.recorded_id, 4);
  EXPECT_EQ(agent.arch, "gfx942");
  EXPECT_THAT(agent.details, HasSubstr("\"cu_count\": 304"));
  EXPECT_EQ(entities.streams[trace->lane(0).stream].handle, 6U);
  EXPECT_EQ(entities.queues[trace->lane(0).queue].handle, 2U);
}

TEST_F(Json, LinksApiCallsAndCopies) {
  const TracePtr trace =
      open(document(dispatches() + R"(, "hip_api": [{"kind": 2, "operation": 0, "thread_id": 77,
        "correlation_id": {"internal": 3}, "start_timestamp": 900, "end_timestamp": 950}],
        "memory_copy": [{"kind": 3, "operation": 1, "correlation_id": {"internal": 4},
        "start_timestamp": 1, "end_timestamp": 2, "dst_agent_id": {"handle": 901},
        "src_agent_id": {"handle": 900}, "bytes": 4096, "thread_id": 77}])"))
          .value();
  const ApiTable& api = *trace->api().value();
  ASSERT_EQ(api.rows.size(), 1U);
  EXPECT_EQ(api.names[api.rows[0].name], "hipLaunchKernel");
  EXPECT_EQ(api.names[api.rows[0].category], "HIP_RUNTIME_API_EXT");
  ASSERT_EQ(api.dispatch_correlation.size(), 1U);
  EXPECT_EQ(api.dispatch_correlation[0], api.rows[0].correlation);
  const CopyTable& copies = *trace->copies().value();
  ASSERT_EQ(copies.rows.size(), 1U);
  EXPECT_EQ(copies.names[copies.rows[0].name], "MEMORY_COPY_HOST_TO_DEVICE");
  EXPECT_EQ(copies.rows[0].bytes, 4096U);
  EXPECT_EQ(copies.rows[0].dst_agent, trace->lane(0).agent);
}

TEST_F(Json, ReadsMarkersWithTheirText) {
  const TracePtr trace =
      open(document(dispatches() + R"(, "marker_api": [{"kind": 4, "operation": 0, "thread_id": 1,
        "correlation_id": {"internal": 5}, "start_timestamp": 7, "end_timestamp": 7}])"))
          .value();
  const auto& markers = trace->markers().value()->rows;
  ASSERT_EQ(markers.size(), 1U);
  EXPECT_EQ(markers[0].text, "epoch \"1\"");
  EXPECT_EQ(markers[0].start_ns, 7);
}

TEST_F(Json, PrefersEventsRecordedOnTheDevice) {
  const TracePtr trace = open(document(dispatches() + R"(, "hip_event": [{"kind": 5, "operation": 2,
        "correlation_id": {"internal": 8}, "start_timestamp": 20, "end_timestamp": 30,
        "queue_id": {"handle": 2}, "source_queue_id": {"handle": 2}, "stream_id": {"handle": 6},
        "hip_event_handle": 4660}], "hip_api": [
        {"kind": 2, "operation": 2, "correlation_id": {"internal": 7}, "start_timestamp": 1,
         "end_timestamp": 2, "thread_id": 77},
        {"kind": 2, "operation": 1, "correlation_id": {"internal": 9}, "start_timestamp": 40,
         "end_timestamp": 50, "thread_id": 77}])"))
                             .value();
  const auto& rows = trace->syncs().value()->rows;
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].kind, SyncKind::event_wait);
  EXPECT_EQ(rows[0].source, SyncSource::hip_event_table);
  EXPECT_EQ(rows[0].event, 4660U);
  EXPECT_EQ(rows[0].source_queue, trace->lane(0).queue);
  EXPECT_EQ(rows[1].kind, SyncKind::device_synchronize);
}

TEST_F(Json, SumsCounterInstances) {
  const std::string counters = R"("counters": [{"id": {"handle": 31}, "name": "SQ_WAVES"}],
    "callback_records": {"counter_collection": [{"dispatch_data": {"correlation_id":
      {"internal": 3}, "start_timestamp": 5, "end_timestamp": 9, "dispatch_info": {"dispatch_id": 1,
      "kernel_id": 17}}, "records": [{"counter_id": {"handle": 31}, "value": 3.5},
      {"counter_id": {"handle": 31}, "value": 4}]}]})";
  for (const std::string& records : {dispatches(), dispatches("")}) {
    const TracePtr trace = open(document(records, counters)).value();
    ASSERT_EQ(trace->size(), 1U);
    const CounterTable& table = *trace->counters().value();
    ASSERT_EQ(table.rows.size(), 1U);
    EXPECT_EQ(table.rows[0].sum, 7.5);
    EXPECT_EQ(table.rows[0].instances, 2U);
  }
}

TEST_F(Json, MergesTheProcessesOfOneFile) {
  const std::string one = document(dispatches());
  std::string other = one;
  other.replace(other.find("\"pid\": 42"), 9, "\"pid\": 43");
  const std::string both = one.substr(0, one.size() - 2) + ", " + other.substr(other.find('[') + 1);
  const TracePtr trace = open(both).value();
  EXPECT_EQ(trace->size(), 2U);
  EXPECT_EQ(trace->entities().processes.size(), 2U);
  EXPECT_EQ(trace->kernels().size(), 1U);
}

TEST_F(Json, NamesThePathOfAWrongType) {
  std::string rows(kDispatch);
  rows.replace(rows.find("\"kernel_id\": 17"), 15, "\"kernel_id\": []");
  EXPECT_EQ(complaint(document(dispatches(std::string(kDispatch) + "," + rows))),
            "a_results.json: rocprofiler-sdk-tool[0].buffer_records.kernel_dispatch[1]."
            "dispatch_info.kernel_id: expected a whole number or a hexadecimal string");
  rows = kDispatch;
  rows.replace(rows.find("\"end_timestamp\""), 15, "\"end_timestamq\"");
  EXPECT_THAT(complaint(document(dispatches(rows))),
              HasSubstr("kernel_dispatch[0].end_timestamp: is missing"));
}

TEST_F(Json, SaysWhereATruncatedFileEnds) {
  const std::string whole = document(dispatches());
  for (std::size_t length = 1; length < whole.size(); length += 7) {
    const std::string message = complaint(std::string_view(whole).substr(0, length));
    ASSERT_THAT(message, HasSubstr("a_results.json: byte ")) << length;
  }
}

TEST_F(Json, RefusesOtherJson) {
  EXPECT_THAT(complaint(R"({"traceEvents": []})"), HasSubstr("is a Chrome trace"));
  EXPECT_THAT(complaint(R"({"events": []})"), HasSubstr("has no key 'rocprofiler-sdk-tool'"));
  EXPECT_THAT(complaint("[1, 2]"), HasSubstr("is not a rocprofv3 results JSON"));
}

TEST_F(Json, ReplacesBytesThatAreNotUtf8AndSaysSo) {
  std::string text = document(dispatches());
  text.replace(text.find("gemm(float*)"), 4, "g\x8dmm");
  const TracePtr trace = open(text).value();
  EXPECT_EQ(trace->kernels()[0].name, "g?mm(float*)");
  EXPECT_THAT(trace->entities().notes, ElementsAre(HasSubstr("not UTF-8")));
}

TEST_F(Json, ReadsHugeNumbersAndTimesThatGoBackwards) {
  std::string rows(kDispatch);
  rows.replace(rows.find("\"handle\": 6"), 11, "\"handle\": 18446744073709551600");
  rows.replace(rows.find("1500"), 4, "10");
  const TracePtr trace = open(document(dispatches(rows))).value();
  EXPECT_EQ(trace->entities().streams[trace->lane(0).stream].handle, 18446744073709551600U);
  EXPECT_EQ(trace->duration_ns(0), -990);
}

}  // namespace
}  // namespace rpl
