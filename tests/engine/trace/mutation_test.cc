// SPDX-License-Identifier: MIT
// Recordings with random damage: reading them may fail, with a message, but must never crash or point nowhere.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "engine/store/database.h"
#include "tests/support/generate.h"
#include "tests/support/kineto_writer.h"
#include "tests/support/packed.h"
#include "tests/support/read_everything.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using testing_support::TempDir;

using Random = std::mt19937;

std::size_t below(Random& random, std::size_t limit) { return limit == 0 ? 0 : random() % limit; }

/// Flips, cuts, repeats or inserts a few bytes.
std::string damaged(std::string text, Random& random) {
  static const std::vector<std::string> kTokens{"\"",         ",",
                                                "{",          "}",
                                                "[",          "]",
                                                "\n",         "\\",
                                                "null",       "-1",
                                                "1e999",      "18446744073709551616",
                                                "\xff\xfe",   std::string(1, '\0'),
                                                "\"Agent -\""};
  for (std::size_t i = 1 + below(random, 4); i > 0 && !text.empty(); --i) {
    const std::size_t at = below(random, text.size());
    const std::size_t length = 1 + below(random, 40);
    switch (below(random, 5)) {
      case 0:
        text[at] = static_cast<char>(random());
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(below(random, text.size()), text.substr(at, length));
        break;
      case 3:
        text.insert(at, kTokens[below(random, kTokens.size())]);
        break;
      default:
        text.resize(below(random, 8) == 0 ? at : text.size());
        break;
    }
  }
  return text;
}

/// Overwrites bytes in place: a database keeps its size, or is cut.
std::string scratched(std::string bytes, Random& random) {
  for (std::size_t i = 1 + below(random, 12); i > 0; --i) {
    bytes[below(random, bytes.size())] = static_cast<char>(random());
  }
  if (below(random, 10) == 0) bytes.resize(below(random, bytes.size()));
  return bytes;
}

void read_damaged(const std::string& name, const std::string& text, unsigned tries,
                  std::string (*damage)(std::string, Random&)) {
  const TempDir folder;
  unsigned failed = 0;
  for (unsigned seed = 0; seed < tries; ++seed) {
    Random random(seed);
    const std::string path = folder.write(name, damage(text, random));
    const test::Outcome outcome = test::read_everything(path);
    ASSERT_EQ(outcome.violation, "") << name << " seed " << seed;
    failed += outcome.error.empty() ? 0 : 1;
  }
  EXPECT_GT(failed, 0U) << "no damage was ever noticed";
}

std::string csv() {
  std::string text =
      "\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Stream_Id\",\"Thread_Id\",\"Dispatch_Id\","
      "\"Kernel_Name\",\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\",\"Grid_Size_X\"\n";
  for (int i = 0; i < 20; ++i) {
    text +=
        fmt::format("\"KERNEL_DISPATCH\",\"Agent 4\",1,{},7,{},\"k<{}, \"\"x\"\">\",{},{},{},64\n",
                    i % 3, i, i % 4, i, 100 * i, 100 * i + 50);
  }
  return text;
}

std::string json() {
  std::string rows;
  for (int i = 0; i < 12; ++i) {
    rows += fmt::format(
        R"({}{{"thread_id": 7, "correlation_id": {{"internal": {}}}, "start_timestamp": {},
        "end_timestamp": {}, "dispatch_info": {{"agent_id": {{"handle": 901}}, "kernel_id": 17,
        "dispatch_id": {}, "grid_size": {{"x": 64, "y": 1, "z": 1}}}}, "stream_id": {{"handle": 1}}}})",
        i == 0 ? "" : ", ", i, i * 10, i * 10 + 5, i);
  }
  return fmt::format(
      R"({{"rocprofiler-sdk-tool": [{{"metadata": {{"pid": 1, "command": ["a"]}}, "agents":
      [{{"id": {{"handle": 901}}, "node_id": 4, "type": 2, "name": "gfx942"}}], "counters":
      [{{"id": {{"handle": 1}}, "name": "C"}}], "kernel_symbols": [{{"kernel_id": 17, "kernel_name":
      "k.kd"}}], "strings": {{"buffer_records": [{{"kind": "HIP_RUNTIME_API", "operations":
      ["hipMemcpy", "hipStreamWaitEvent"]}}], "marker_api": [{{"key": 1, "value": "m"}}]}},
      "callback_records": {{"counter_collection": [{{"dispatch_data": {{"dispatch_info":
      {{"dispatch_id": 1}}}}, "records": [{{"counter_id": {{"handle": 1}}, "value": 2}}]}}]}},
      "buffer_records": {{"kernel_dispatch": [{0}], "hip_api": [{{"kind": 0, "operation": 1,
      "start_timestamp": 1, "end_timestamp": 2}}], "marker_api": [{{"kind": 0, "operation": 0,
      "start_timestamp": 1, "end_timestamp": 2}}], "hip_event": [{{"kind": 0, "operation": 1,
      "start_timestamp": 1, "end_timestamp": 2, "hip_event_handle": 5}}], "memory_copy":
      [{{"kind": 0, "operation": 0, "start_timestamp": 3, "end_timestamp": 4}}]}}}}]}})",
      rows);
}

std::string kineto() {
  test::GenerateOptions options;
  options.workload.dispatches = 12;
  options.workload.copy_share = options.workload.sync_share = 0.2;
  options.api = options.markers = true;
  return test::kineto_text(options);
}

std::string rpd() {
  const TempDir folder;
  const std::string path = folder / "made.rpd";
  std::string sql = R"(
    CREATE TABLE rocpd_metadata(id INTEGER PRIMARY KEY, tag, value);
    CREATE TABLE rocpd_string(id INTEGER PRIMARY KEY, string);
    CREATE TABLE rocpd_op(id INTEGER PRIMARY KEY, gpuId, queueId, sequenceId, start, "end",
      description_id, opType_id);
    CREATE TABLE rocpd_api(id INTEGER PRIMARY KEY, pid, tid, start, "end", apiName_id, args_id);
    CREATE TABLE rocpd_api_ops(id INTEGER PRIMARY KEY, api_id, op_id);
    CREATE TABLE rocpd_kernelapi(api_ptr_id INTEGER PRIMARY KEY, stream, gridX, gridY, gridZ,
      workgroupX, workgroupY, workgroupZ, groupSegmentSize, privateSegmentSize, kernelName_id);
    CREATE TABLE rocpd_copyapi(api_ptr_id INTEGER PRIMARY KEY, stream, size);
    CREATE TABLE rocpd_op_inputSignals(id INTEGER PRIMARY KEY, from_op_id, to_op_id);
    INSERT INTO rocpd_metadata VALUES (1, 'schema_version', '2');
    INSERT INTO rocpd_string VALUES (1, ''), (2, 'KernelExecution'), (3, 'gemm'), (4, 'UserMarker'),
      (5, 'hipMemcpy'), (6, 'CopyHostToDevice'), (7, 'stream=0x0 | event=0x7f10');
    INSERT INTO rocpd_op_inputSignals VALUES (1, 1, 2), (2, 3, 1);)";
  for (int i = 1; i <= 60; ++i) {
    sql += fmt::format(
        "INSERT INTO rocpd_op VALUES ({0}, 0, {1}, 0, {2}, {3}, {4}, {5});"
        "INSERT INTO rocpd_api VALUES ({0}, 9, 9, {2}, {3}, {6}, 7);"
        "INSERT INTO rocpd_api_ops VALUES ({0}, {0}, {0});"
        "INSERT INTO rocpd_kernelapi VALUES ({0}, '0x{1}', 4, 4, 1, 64, 1, 1, 0, 0, 3);"
        "INSERT INTO rocpd_copyapi VALUES ({0}, '0x{1}', {2});",
        i, i % 3, i * 100, i * 100 + 50, i % 5 == 0 ? 1 : 3, i % 5 == 0 ? 6 : 2, 4 + i % 2);
  }
  Database database = Database::open(path).value();
  EXPECT_TRUE(database.execute(sql).has_value());
  EXPECT_TRUE(database.execute("PRAGMA journal_mode=DELETE").has_value());
  database = Database();
  return folder.read("made.rpd");
}

std::string rocpd() {
  const TempDir folder;
  test::GenerateOptions options;
  options.path = folder / "made.db";
  options.version = "3.0.4";
  options.workload.dispatches = 150;
  options.workload.event_share = 0.2;
  options.api = options.markers = true;
  options.views = false;
  options.counters = 1;
  EXPECT_TRUE(test::generate_rocpd(options).has_value());
  return folder.read("made.db");
}

TEST(Mutation, DamagedCsvIsRefusedOrRead) {
  read_damaged("a_kernel_trace.csv", csv(), 400, damaged);
}
TEST(Mutation, DamagedJsonIsRefusedOrRead) { read_damaged("a_results.json", json(), 800, damaged); }
TEST(Mutation, DamagedKinetoIsRefusedOrRead) {
  read_damaged("a.pt.trace.json", kineto(), 800, damaged);
}
TEST(Mutation, DamagedPackedFilesAreRefusedOrRead) {
  read_damaged("a.pt.trace.json.gz", testing_support::gzipped(kineto()), 300, scratched);
  read_damaged("a.pt.trace.json.zst", testing_support::zstd_packed(kineto()), 300, scratched);
}
TEST(Mutation, DamagedRpdIsRefusedOrRead) { read_damaged("a.rpd", rpd(), 300, scratched); }
TEST(Mutation, DamagedRocpdIsRefusedOrRead) { read_damaged("a.db", rocpd(), 200, scratched); }

TEST(Mutation, UndamagedInputsAreRead) {
  const TempDir folder;
  for (const auto& [name, text] :
       std::vector<std::pair<std::string, std::string>>{{"a_kernel_trace.csv", csv()},
                                                        {"a_results.json", json()},
                                                        {"a.pt.trace.json", kineto()},
                                                        {"a.rpd", rpd()},
                                                        {"a.db", rocpd()}}) {
    EXPECT_EQ(test::read_everything(folder.write(name, text)).error, "") << name;
  }
}

}  // namespace
}  // namespace rpl
