// SPDX-License-Identifier: MIT
// Traces of PyTorch's profiler. All files are written here.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/trace/import/kineto/json_cursor.h"
#include "engine/trace/import/kineto/kineto_event.h"
#include "engine/trace/import/open.h"
#include "tests/support/kineto_writer.h"
#include "tests/support/packed.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing_support::TempDir;

using KinetoTrace = std::shared_ptr<const Trace>;

constexpr std::string_view kHead =
    R"("schemaVersion": 1, "deviceProperties": [{"id": 2, "name": "AMD Instinct MI300X", "numSms": 304}],
 "distributedInfo": {"backend": "nccl", "rank": 3, "world_size": 8}, "trace_id": "ABC",)";
constexpr std::int64_t kBase = 1'735'632'360'000'000'000;

std::string x(std::string_view category, std::string_view name, std::string_view times,
              std::string_view arguments, std::string_view row = R"("pid": 42, "tid": 43)") {
  return fmt::format(R"({{"ph": "X", "cat": "{}", "name": "{}", {}, {}, "args": {{{}}}}})",
                     category, name, row, times, arguments);
}
std::string kernel(std::string_view name, std::string_view times, std::string_view arguments) {
  return x("kernel", name, times, arguments, R"("pid": 2, "tid": 7)");
}
std::string call(std::string_view name, std::string_view times, std::string_view arguments) {
  return x("cuda_runtime", name, times, arguments);
}

template <class... Events>
std::string document_of(const Events&... events) {
  std::string list;
  ((list += (list.empty() ? "" : ",\n") + std::string(events)), ...);
  return fmt::format(
      "{{{} \"traceEvents\": [{}],\n \"traceName\": \"a\", \"baseTimeNanoseconds\": {}}}", kHead,
      list, kBase);
}

class Kineto : public testing::Test {
 protected:
  Result<KinetoTrace> open(std::string_view text, std::string_view name = "a.pt.trace.json") {
    return open_trace(std::vector{folder_.write(name, text)});
  }
  std::vector<std::string> notes(std::string_view text) {
    const auto trace = open(text);
    return trace ? (*trace)->entities().notes : std::vector{trace.error().message};
  }

  TempDir folder_;
};

TEST_F(Kineto, StreamsHaveTheNamesThatAreShownToPeople) {
  const auto named = [](int pid, int tid, const char* name) {
    return fmt::format(
        R"({{"name": "thread_name", "ph": "M", "ts": 0.0, "pid": {}, "tid": {}, "args": {{"name": "{}"}}}})",
        pid, tid, name);
  };
  const KinetoTrace trace =
      open(document_of(named(2, 7, "stream 7 "), named(42, 7, "thread 7 (python3)"),
                       kernel("gemm", R"("ts": 1.0, "dur": 2.0)", R"("device": 2, "stream": 7)")))
          .value();
  EXPECT_EQ(trace->entities().streams[trace->lane(0).stream].name, "stream 7");
}

TEST_F(Kineto, ReadsAKernelWithAllThatIsSaidOfIt) {
  const KinetoTrace trace =
      open(document_of(kernel("gemm(float*)", R"("ts": 4203669603771.648, "dur": 3.679)",
                              R"("External id": 8, "device": 2, "stream": 7, "correlation": 117,
                         "registers per thread": 96, "shared memory": 2048,
                         "grid": [10, 2, 1], "block": [64, 4, 1], "warps per SM": NaN)"),
                       call("hipLaunchKernel", R"("ts": 4203669603700.001, "dur": 6.619)",
                            R"("cid": 107, "correlation": 117)")))
          .value();
  ASSERT_EQ(trace->size(), 1U);
  EXPECT_EQ(trace->start_ns(0), kBase + 4'203'669'603'771'648);
  EXPECT_EQ(trace->duration_ns(0), 3679);
  EXPECT_EQ(trace->launch(0).grid, (Dim3{640, 8, 1}));
  EXPECT_EQ(trace->launch(0).workgroup, (Dim3{64, 4, 1}));
  EXPECT_EQ(trace->launch(0).lds_bytes, 2048U);
  EXPECT_EQ(trace->kernels()[0].name, "gemm(float*)");
  EXPECT_EQ(trace->kernels()[0].arch_vgprs, 96U);
  EXPECT_EQ(trace->lane(0).thread, 43);
  const TraceEntities& all = trace->entities();
  EXPECT_EQ(all.streams[trace->lane(0).stream].handle, 7U);
  const Agent& agent = all.agents[trace->lane(0).agent];
  EXPECT_TRUE(agent.gpu);
  EXPECT_EQ(agent.recorded_id, 2);
  EXPECT_EQ(agent.arch, "gfx942");
  EXPECT_EQ(agent.product, "AMD Instinct MI300X");
  EXPECT_EQ(all.processes[0].pid, 42);
  EXPECT_EQ(all.processes[0].rank, 3);
  EXPECT_EQ(all.processes[0].world_size, 8);
  EXPECT_EQ(all.files[0].schema_version, "1");
  EXPECT_THAT(all.notes, IsEmpty());
  const ApiTable& api = *trace->api().value();
  ASSERT_EQ(api.rows.size(), 1U);
  EXPECT_EQ(api.rows[0].start_ns, kBase + 4'203'669'603'700'001);
  EXPECT_EQ(api.names[api.rows[0].name], "hipLaunchKernel");
  EXPECT_EQ(api.dispatch_correlation[0], 117U);
}

TEST_F(Kineto, GeometryAndAmountsMayStandAtTheCallAlone) {
  const KinetoTrace trace =
      open(
          document_of(
              kernel("a", R"("ts": 100, "dur": 1)",
                     R"("device": 2, "stream": 0, "correlation": 1)"),
              kernel("b", R"("ts": 200, "dur": 1)",
                     R"("device": 2, "stream": 0, "correlation": 2)"),
              x("gpu_memcpy", "Memcpy HtoD (Host -> Device)", R"("ts": 300, "dur": 2)",
                R"("device": 2, "stream": 0, "correlation": 3)", R"("pid": 2, "tid": 0)"),
              call(
                  "hipLaunchKernel", R"("ts": 10, "dur": 1)",
                  R"("correlation": 1, "grid": [3, 1, 1], "block": [256, 1, 1], "shared memory": 64)"),
              call("hipExtModuleLaunchKernel", R"("ts": 20, "dur": 1)",
                   R"("correlation": 2, "grid": [1024, 1, 1], "block": [256, 1, 1])"),
              call("hipMemcpyWithStream", R"("ts": 30, "dur": 1)",
                   R"("correlation": 3, "size": "2560", "kind": "1")")))
          .value();
  EXPECT_EQ(trace->launch(0).grid, (Dim3{768, 1, 1}));
  EXPECT_EQ(trace->launch(0).lds_bytes, 64U);
  EXPECT_EQ(trace->launch(1).grid, (Dim3{1024, 1, 1}));  // given in work-items
  const Copy copy = trace->copies().value()->rows[0];
  EXPECT_EQ(copy.bytes, 2560U);
  EXPECT_EQ(copy.thread, 43);
  EXPECT_EQ(copy.src_agent, kNone);
  EXPECT_EQ(trace->entities().agents[copy.dst_agent].recorded_id, 2);
  // hipMemcpyWithStream waits.
  const SyncTable& syncs = *trace->syncs().value();
  ASSERT_EQ(syncs.rows.size(), 1U);
  EXPECT_EQ(syncs.rows[0].kind, SyncKind::blocking_copy);
}

TEST_F(Kineto, AGpuOfAnUnknownProductKeepsItsName) {
  const KinetoTrace trace =
      open(R"({"deviceProperties": [{"id": 2, "name": "AMD Radeon Graphics"}], "traceEvents": [)" +
           kernel("k", R"("ts": 1, "dur": 1)", R"("device": 2, "stream": 0, "correlation": 1)") +
           "], \"baseTimeNanoseconds\": 7}")
          .value();
  ASSERT_EQ(trace->entities().agents.size(), 1U);
  EXPECT_EQ(trace->entities().agents[0].product, "AMD Radeon Graphics");
  EXPECT_EQ(trace->entities().agents[0].arch, "");
}

TEST_F(Kineto, TimesAreExact) {
  for (const auto& [text, ns] : std::vector<std::pair<std::string_view, std::int64_t>>{
           {"1712195495519689.001", 1'712'195'495'519'689'001},
           {"4203669604595.407", 4'203'669'604'595'407},
           {"0.001", 1},
           {"5", 5000},
           {"5.1", 5100},
           {"5.0004", 5000},
           {"5.0005", 5001},
           {"-0.250", -250},
           {"1.712195495e15", 1'712'195'495'000'000'000},
           {"9007199254740993.217", 9'007'199'254'740'993'217}})
    EXPECT_EQ(nanoseconds_of(text), ns) << text;
  for (const std::string_view text :
       {"", "-", ".", "1..2", "x", "1e99", "99999999999999999999", "null"})
    EXPECT_EQ(nanoseconds_of(text), std::nullopt) << text;
}

TEST_F(Kineto, WhatStandsAroundTheEventsMayComeInAnyOrder) {
  const std::string events =
      "\"traceEvents\": [" +
      kernel("k", R"("ts": 5.5, "dur": 1)", R"("device": 0, "stream": 1, "correlation": 1)") + "]";
  const std::string base = fmt::format("\"baseTimeNanoseconds\": {}", kBase);
  const std::string rank =
      R"("distributedInfo": {"rank": 1, "world_size": 2, "pg_config": [{"a": []}]})";
  for (const std::string& text :
       {events + "," + base + "," + rank, base + "," + rank + "," + events,
        std::string(R"("deep": {"a": [[{"traceEvents": 1}]]}, )") + rank + "," + events + "," +
            base}) {
    const KinetoTrace trace = open("{" + text + "}").value();
    ASSERT_EQ(trace->size(), 1U) << text;
    EXPECT_EQ(trace->start_ns(0), kBase + 5500) << text;
    EXPECT_EQ(trace->entities().processes[0].rank, 1) << text;
  }
}

TEST_F(Kineto, TextsAreReadWithTheirEscapes) {
  const KinetoTrace trace =
      open(document_of(
               kernel(R"(void k<\"a\\b\", \u00e9\ud83d\ude00\ud800>(int))", R"("ts": 1, "dur": 1)",
                      R"("device": 2, "stream": 0, "correlation": 1)"),
               x("user_annotation", R"(step\t1)", R"("ts": 1, "dur": 1)", "")))
          .value();
  EXPECT_EQ(trace->kernels()[0].name, "void k<\"a\\b\", \xc3\xa9\xf0\x9f\x98\x80?>(int)");
  EXPECT_EQ(trace->markers().value()->rows[0].text, "step\t1");
}

TEST_F(Kineto, RangesOfTheProgramAreMarkersAndThoseOfTheGpuSayWhere) {
  const KinetoTrace trace =
      open(
          document_of(
              R"({"ph": "M", "name": "process_name", "pid": 42, "tid": 0, "ts": 1, "args": {"name": "python3"}})",
              R"({"ph": "s", "id": 1, "pid": 42, "tid": 43, "ts": 1, "cat": "ac2g", "name": "ac2g"})",
              R"({"ph": "i", "s": "g", "name": "Iteration Start", "pid": "Traces", "tid": "Trace", "ts": 1})",
              R"({"ph": "X", "cat": "Trace", "ts": 1, "dur": 9, "pid": "Spans", "tid": "P", "name": "P"})",
              x("user_annotation", "ProfilerStep#5", R"("ts": 10, "dur": 50.5)", R"("Ev Idx": 1)"),
              x("cpu_op", "aten::linear", R"("ts": 11, "dur": 2)", R"("Input Dims": [[1, 2], []])"),
              x("python_function", "train.py(3): main", R"("ts": 9, "dur": 60)", ""),
              x("gpu_user_annotation", "ProfilerStep#5", R"("ts": 20, "dur": 9)", "",
                R"("pid": 2, "tid": 7)")))
          .value();
  std::vector<std::string> texts;
  for (const Marker& marker : trace->markers().value()->rows) texts.push_back(marker.text);
  EXPECT_THAT(texts, ElementsAre("train.py(3): main", "ProfilerStep#5", "aten::linear",
                                 "ProfilerStep#5 [GPU 2, stream 7]"));
  EXPECT_EQ(trace->markers().value()->rows[1].thread, 43);
  EXPECT_EQ(trace->markers().value()->rows[1].end_ns, kBase + 60'500);
  EXPECT_EQ(trace->entities().processes[0].command, "python3");
  EXPECT_THAT(trace->entities().notes, IsEmpty());
}

TEST_F(Kineto, FunctionsOfAnUnknownProcessAreOfTheOneThatIsThere) {
  const KinetoTrace trace =
      open(document_of(x("python_function", "main.py(1): <module>", R"("ts": 1, "dur": 99)", "",
                         R"("pid": 0, "tid": 0)"),
                       x("cpu_op", "aten::add", R"("ts": 2, "dur": 1)", ""),
                       call("hipFree", R"("ts": 9, "dur": 1)", R"("correlation": 1)")))
          .value();
  ASSERT_EQ(trace->entities().processes.size(), 1U);
  EXPECT_EQ(trace->entities().processes[0].pid, 42);
  for (const Marker& marker : trace->markers().value()->rows) EXPECT_EQ(marker.process, 0U);
  EXPECT_THAT(trace->entities().notes, IsEmpty());
}

TEST_F(Kineto, FirstReleasesNamedCategoriesDifferently) {
  const KinetoTrace trace =
      open(R"({"schemaVersion": 1, "traceEvents": [)" +
           x("Kernel", "k", R"("ts": 1700000000000001, "dur": 3)",
             R"("device": 0, "stream": 7, "correlation": 5)", R"("pid": 0, "tid": "stream 7")") +
           "," +
           x("Runtime", "cudaLaunchKernel", R"("ts": 1700000000000000, "dur": 1)",
             R"("correlation": 5)") +
           "," + x("Operator", "aten::add", R"("ts": 1700000000000000, "dur": 1)", "") + "]}")
          .value();
  EXPECT_EQ(trace->start_ns(0), 1'700'000'000'000'001'000);
  EXPECT_EQ(trace->api().value()->rows.size(), 1U);
  EXPECT_EQ(trace->markers().value()->rows.size(), 1U);
  EXPECT_THAT(trace->entities().notes, ElementsAre(HasSubstr("1 kernels have neither grid")));
}

TEST_F(Kineto, WaitsAreKnownFromWhatCuptiTells) {
  const KinetoTrace trace =
      open(
          document_of(
              kernel("a", R"("ts": 100, "dur": 9)",
                     R"("device": 2, "stream": 7, "correlation": 1)"),
              x("kernel", "b", R"("ts": 200, "dur": 9)",
                R"("device": 2, "stream": 9, "correlation": 4)"),
              call("cudaEventRecord", R"("ts": 20, "dur": 1)", R"("correlation": 2)"),
              call("cudaStreamWaitEvent", R"("ts": 30, "dur": 1)", R"("correlation": 3)"),
              call("cudaStreamSynchronize", R"("ts": 40, "dur": 300)", R"("correlation": 5)"),
              x("cuda_sync", "Stream Wait Event", R"("ts": 31, "dur": 1)",
                R"("cuda_sync_kind": "Stream Wait Event", "wait_on_stream": 7, "stream": 9, "device": 2,
                    "wait_on_cuda_event_record_corr_id": 2, "wait_on_cuda_event_id": 9, "correlation": 3)"),
              x("cuda_sync", "Stream Sync", R"("ts": 41, "dur": 298)",
                R"("cuda_sync_kind": "Stream Sync", "stream": 9, "device": 2, "correlation": 5)")))
          .value();
  const SyncTable& syncs = *trace->syncs().value();
  ASSERT_EQ(syncs.rows.size(), 3U);
  const auto stream = [&](const SyncOp& op) { return trace->entities().streams[op.stream].handle; };
  EXPECT_EQ(syncs.rows[0].kind, SyncKind::event_record);
  EXPECT_EQ(stream(syncs.rows[0]), 7U);
  EXPECT_EQ(syncs.rows[1].kind, SyncKind::event_wait);
  EXPECT_EQ(stream(syncs.rows[1]), 9U);
  EXPECT_EQ(syncs.rows[0].event, syncs.rows[1].event);
  EXPECT_NE(syncs.rows[0].event, 0U);
  EXPECT_EQ(syncs.rows[2].kind, SyncKind::stream_synchronize);
  EXPECT_EQ(stream(syncs.rows[2]), 9U);
}

TEST_F(Kineto, StreamPointersAreKnownFromLaunches) {
  const KinetoTrace trace =
      open(document_of(kernel("a", R"("ts": 100, "dur": 9)",
                              R"("device": 2, "stream": 7, "correlation": 1)"),
                       call("hipLaunchKernel", R"("ts": 10, "dur": 1)",
                            R"("correlation": 1, "stream": "0x55aa")"),
                       call("hipStreamSynchronize", R"("ts": 20, "dur": 90)",
                            R"("correlation": 2, "stream": "0x55aa")"),
                       call("hipStreamSynchronize", R"("ts": 120, "dur": 1)",
                            R"("correlation": 3, "stream": "0x77")")))
          .value();
  const SyncTable& syncs = *trace->syncs().value();
  ASSERT_EQ(syncs.rows.size(), 2U);
  EXPECT_EQ(trace->entities().streams[syncs.rows[0].stream].handle, 7U);
  EXPECT_EQ(syncs.rows[0].source, SyncSource::api_arguments);
  EXPECT_EQ(syncs.rows[1].stream, kNone);
}

TEST_F(Kineto, AFileThatEndsEarlyIsReadAsFarAsItGoesWhereverThatIs) {
  const std::string whole = document_of(
      kernel("a", R"("ts": 100, "dur": 9)", R"("device": 2, "stream": 7, "correlation": 1)"),
      kernel("b", R"("ts": 200, "dur": 9)", R"("device": 2, "stream": 7, "correlation": 2)"));
  const std::size_t first = whole.find("}}") + 2, list = whole.find('[', whole.find("traceEvents"));
  std::size_t read = 0;
  for (std::size_t size = 1; size + 1 < whole.size(); ++size) {
    const auto trace = open(std::string_view(whole).substr(0, size));
    if (size <= list) {
      EXPECT_FALSE(trace.has_value()) << size;
      continue;
    }
    ASSERT_TRUE(trace.has_value()) << size << " " << trace.error().message;
    EXPECT_THAT((*trace)->entities().notes, Contains(HasSubstr("the file ends early, at byte")))
        << size;
    EXPECT_EQ((*trace)->size() > 0, size >= first) << size;
    read = std::max(read, (*trace)->size());
  }
  EXPECT_EQ(read, 2U);
}

TEST_F(Kineto, WhatIsOddIsSaid) {
  EXPECT_THAT(
      notes(document_of(
          kernel("a", R"("ts": 100, "dur": 9)", R"("device": 2, "stream": 7, "correlation": 1)"),
          kernel("b", R"("ts": 105, "dur": 9)", R"("device": 2, "stream": 7, "correlation": 2)"),
          kernel("c", R"("ts": 105, "dur": 9)", R"("device": 2, "stream": 8, "correlation": 2)"),
          kernel("d", R"("ts": 300, "dur": -2)", R"("device": 2, "stream": 8)"),
          kernel("e", R"("ts": "soon", "dur": 2)", ""),
          call("hipFree", R"("ts": 1, "dur": -1)", ""),
          x("mtia_ccp_events", "m", R"("ts": 1, "dur": 1)", ""))),
      ElementsAre(
          HasSubstr("1 kernels begin before those before them on their stream ended, by 4.000 us"),
          HasSubstr("1 events of the category 'mtia_ccp_events' are not read"),
          HasSubstr("1 events have no time that can be read"),
          HasSubstr("1 calls and ranges end before they start"),
          HasSubstr("4 kernels have neither grid nor workgroup"),
          HasSubstr("3 kernels name a call that the file does not have"),
          HasSubstr("1 kernels have no correlation id"),
          HasSubstr("1 dispatches end before they start")));
  EXPECT_THAT(notes(R"({"schemaVersion": 1, "traceEvents": [)" +
                    kernel("a", R"("ts": 5, "dur": 1)",
                           R"("grid": [1,1,1], "block": [1,1,1], "correlation": 0)") +
                    "]}"),
              Contains(HasSubstr("baseTimeNanoseconds is missing")));
}

TEST_F(Kineto, MalformedTextIsAnErrorThatNamesTheByte) {
  const std::string good = document_of(kernel("a", R"("ts": 1, "dur": 1)", ""));
  const std::size_t at = good.find("\"dur\": 1");
  std::string bad = good;
  bad.replace(at, 8, "\"dur\"; 1");
  const auto trace = open(bad);
  ASSERT_FALSE(trace.has_value());
  EXPECT_EQ(trace.error().code, Errc::corrupt);
  EXPECT_THAT(trace.error().message,
              HasSubstr(fmt::format("byte {}: traceEvents[0]: expected ':'", at + 5)));
  const std::string arguments =
      document_of(kernel("a", R"("ts": 1, "dur": 1)", R"("device": 2, "stream" 7)"));
  const auto inner = open(arguments);
  ASSERT_FALSE(inner.has_value());
  EXPECT_THAT(inner.error().message, HasSubstr(fmt::format("byte {}: traceEvents[0]: expected ':'",
                                                           arguments.find("\"stream\" 7") + 9)));
  const std::string deep(300, '[');
  const auto nested = open(document_of(
      x("cpu_op", "a", R"("ts": 1, "dur": 1)", "\"deep\": " + deep + std::string(300, ']'))));
  ASSERT_FALSE(nested.has_value());
  EXPECT_THAT(nested.error().message, HasSubstr("nested more than 256 deep"));
  EXPECT_EQ(open(document_of("7")).error().code, Errc::corrupt);
  EXPECT_EQ(open(R"({"schemaVersion": 1, "traceEvents": 7})").error().code, Errc::corrupt);
}

TEST_F(Kineto, OtherChromeTracesAreRefusedByName) {
  const auto trace = open(
      R"({"traceEvents": [{"ph": "X", "name": "k", "pid": "6", "tid": "0", "ts": "1", "dur": "2"}]})",
      "results.json");
  ASSERT_FALSE(trace.has_value());
  EXPECT_EQ(trace.error().code, Errc::unsupported);
  EXPECT_THAT(trace.error().message, HasSubstr("none that PyTorch's profiler wrote"));
  const KinetoTrace none = open(R"({"schemaVersion": 1, "traceEvents": []})").value();
  EXPECT_EQ(none->size(), 0U);
}

/// The workload that rocpd databases are generated of, as PyTorch's profiler would write it.
test::GenerateOptions workload(const std::string& path, unsigned process = 0) {
  test::GenerateOptions options;
  options.path = path;
  options.first_process = process;
  options.api = options.markers = true;
  return options;
}

TEST_F(Kineto, SaysTheSameAsTheDatabaseOfTheRun) {
  const std::string database = folder_ / "run.db", kineto = folder_ / "run.pt.trace.json";
  ASSERT_TRUE(test::generate_rocpd(workload(database)));
  ASSERT_TRUE(test::generate_kineto(workload(kineto)));
  const KinetoTrace one = open_trace(std::vector{database}).value(),
                    other = open_trace(std::vector{kineto}).value();
  ASSERT_EQ(one->size(), other->size());
  for (std::size_t row = 0; row < one->size(); ++row) {
    ASSERT_EQ(one->start_ns(row) + test::kKinetoBaseNs, other->start_ns(row));
    ASSERT_EQ(one->duration_ns(row), other->duration_ns(row));
    ASSERT_EQ(one->launch(row).grid, other->launch(row).grid);
    ASSERT_EQ(one->launch(row).workgroup, other->launch(row).workgroup);
    ASSERT_EQ(one->launch(row).lds_bytes, other->launch(row).lds_bytes);
    ASSERT_EQ(one->kernels()[one->kernel_of(row)].name,
              other->kernels()[other->kernel_of(row)].name);
    ASSERT_EQ(one->entities().streams[one->lane(row).stream].handle,
              other->entities().streams[other->lane(row).stream].handle);
    ASSERT_EQ(one->lane(row).thread, other->lane(row).thread);
  }
  const auto& copies = one->copies().value()->rows;
  const auto& same_copies = other->copies().value()->rows;
  ASSERT_EQ(copies.size(), same_copies.size());
  ASSERT_GT(copies.size(), 0U);
  for (std::size_t i = 0; i < copies.size(); ++i) {
    ASSERT_EQ(copies[i].bytes, same_copies[i].bytes);
    ASSERT_EQ(copies[i].end_ns + test::kKinetoBaseNs, same_copies[i].end_ns);
  }
  const ApiTable& api = *one->api().value();
  const ApiTable& same_api = *other->api().value();
  ASSERT_EQ(api.rows.size(), same_api.rows.size());
  for (std::size_t i = 0; i < api.rows.size(); ++i) {
    ASSERT_EQ(api.names[api.rows[i].name], same_api.names[same_api.rows[i].name]);
    ASSERT_EQ(api.rows[i].start_ns + test::kKinetoBaseNs, same_api.rows[i].start_ns);
  }
}

TEST_F(Kineto, PackedFilesSayTheSame) {
  const std::string text = test::kineto_text(workload(""));
  const KinetoTrace plain = open(text).value();
  for (const auto& [name, packed] :
       {std::pair(std::string("a.json.gz"), testing_support::gzipped(text)),
        std::pair(std::string("a.pt.trace.json.zst"), testing_support::zstd_packed(text))}) {
    const KinetoTrace trace = open(packed, name).value();
    ASSERT_EQ(trace->size(), plain->size());
    EXPECT_EQ(trace->extent_ns(), plain->extent_ns());
    EXPECT_EQ(trace->entities().files[0].bytes, packed.size());
    EXPECT_THAT(trace->entities().notes, IsEmpty());
    const auto cut = open(std::string_view(packed).substr(0, packed.size() / 2), name);
    ASSERT_TRUE(cut.has_value()) << cut.error().message;
    EXPECT_GT((*cut)->size(), 0U);
    EXPECT_LT((*cut)->size(), plain->size());
    EXPECT_THAT((*cut)->entities().notes, Contains(HasSubstr("as its packed stream does")));
  }
}

TEST_F(Kineto, AFolderOfRanksIsOneTrace) {
  const TempDir folder;
  const auto rank = [&](const std::string& name, unsigned number) {
    ASSERT_TRUE(test::generate_kineto(workload(folder / name, number), 3));
  };
  rank("node7_4242.17.pt.trace.json", 0);
  rank("node7_4243.17.pt.trace.json.gz", 1);
  rank("node8_4244.17.pt.trace.json.zst", 2);
  // The same file beside its packed form counts once; other JSON is no recording.
  rank("node7_4242.17.pt.trace.json.gz", 0);
  folder.write("settings.json", "{\"a\": 1}");
  const KinetoTrace trace = open_trace(std::vector{folder.path()}).value();
  EXPECT_EQ(trace->size(), 3000U);
  std::vector<std::int64_t> ranks;
  std::vector<std::string> hosts;
  for (const Process& process : trace->entities().processes) {
    ranks.push_back(process.rank);
    hosts.push_back(process.hostname);
  }
  EXPECT_THAT(ranks, ElementsAre(0, 1, 2));
  EXPECT_THAT(hosts, ElementsAre("node7", "node7", "node8"));
  EXPECT_THAT(trace->entities().notes,
              ElementsAre(HasSubstr("3 traces of PyTorch's profiler come from 2 hosts")));
}

TEST_F(Kineto, APackedDatabaseIsUnpackedBesideNothing) {
  const std::string database = folder_ / "run.db";
  ASSERT_TRUE(test::generate_rocpd(workload(database)));
  const std::string packed = testing_support::gzipped(folder_.read("run.db"));
  const KinetoTrace plain = open_trace(std::vector{database}).value(),
                    trace = open(packed, "packed.db.gz").value();
  EXPECT_EQ(trace->size(), plain->size());
  EXPECT_EQ(trace->extent_ns(), plain->extent_ns());
  EXPECT_EQ(trace->copies().value()->rows.size(), plain->copies().value()->rows.size());
  EXPECT_EQ(trace->entities().files[0].path, folder_ / "packed.db.gz");
  const auto cut = open(std::string_view(packed).substr(0, packed.size() / 2), "cut.db.gz");
  ASSERT_FALSE(cut.has_value());
  EXPECT_EQ(cut.error().code, Errc::corrupt);
  EXPECT_THAT(cut.error().message, HasSubstr("its packed stream does not end"));
  std::vector<std::string> left;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
    left.push_back(entry.path().filename());
  std::ranges::sort(left);
  EXPECT_THAT(left, ElementsAre("cut.db.gz", "packed.db.gz", "run.db"));
}

}  // namespace
}  // namespace rpl
