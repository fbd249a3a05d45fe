// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/store/database.h"
#include "engine/trace/import/open.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using ::testing::HasSubstr;
using testing_support::kNoSharedData;
using testing_support::shared_data;
using testing_support::TempDir;

using TracePtr = std::shared_ptr<const Trace>;

class RealRpd : public testing::Test {
 protected:
  void SetUp() override {
    const std::string path = shared_data("rocpd/rpd/matmul_result.rpd");
    if (path.empty()) GTEST_SKIP() << kNoSharedData;
    trace_ = open_trace(std::vector{path}).value();
  }
  TracePtr trace_;
};

TEST_F(RealRpd, HasItsKernelsAsDispatches) {
  ASSERT_EQ(trace_->size(), 29U);
  EXPECT_EQ(trace_->entities().files[0].schema_version, "2");
  EXPECT_EQ(trace_->entities().files[0].format, TraceFormat::rpd);
  EXPECT_EQ(trace_->start_ns(0), 8306020565922417);
  EXPECT_EQ(trace_->duration_ns(0), 26211956);
  EXPECT_THAT(trace_->kernels()[trace_->kernel_of(0)].name, testing::StartsWith("Cijk_Ailk_Bljk"));
  EXPECT_EQ(trace_->entities().agents[trace_->lane(0).agent].recorded_id, 2);
  EXPECT_EQ(trace_->entities().processes[0].pid, 1087077);
}

TEST_F(RealRpd, GivesGridsInWorkItemsForBothKindsOfLaunch) {
  EXPECT_EQ(trace_->launch(0).grid, (Dim3{1792, 782, 1})) << "hipExtModuleLaunchKernel";
  EXPECT_EQ(trace_->launch(0).workgroup, (Dim3{256, 1, 1}));
  EXPECT_EQ(trace_->launch(1).grid, (Dim3{128, 2, 1})) << "hipLaunchKernel";
  EXPECT_EQ(trace_->launch(1).workgroup, (Dim3{128, 1, 1}));
}

TEST_F(RealRpd, HasCopiesAndFillsAsCopies) {
  const CopyTable& copies = *trace_->copies().value();
  ASSERT_EQ(copies.rows.size(), 56U);
  EXPECT_EQ(copies.names[copies.rows[0].name], "CopyHostToDevice");
  EXPECT_EQ(copies.rows[0].bytes, 2000000000U);
  EXPECT_EQ(copies.rows[0].src_agent, kNone);
  EXPECT_EQ(copies.rows[0].dst_agent, trace_->lane(0).agent);
  EXPECT_EQ(
      std::ranges::count_if(copies.rows, [](const Copy& c) { return c.bytes == kUnknownBytes; }),
      1);
}

TEST_F(RealRpd, LinksEveryDispatchToItsLaunch) {
  const ApiTable& api = *trace_->api().value();
  EXPECT_EQ(api.rows.size(), 125U);
  for (const std::uint64_t correlation : api.dispatch_correlation) {
    const auto call = std::ranges::find(api.rows, correlation, &ApiCall::correlation);
    ASSERT_NE(call, api.rows.end());
    EXPECT_THAT(api.names[call->name], HasSubstr("LaunchKernel"));
  }
}

TEST_F(RealRpd, KnowsThatItsCopiesBlock) {
  const auto& syncs = trace_->syncs().value()->rows;
  EXPECT_EQ(syncs.size(), 55U);
  EXPECT_EQ(syncs[0].kind, SyncKind::blocking_copy);
}

/// An RPD of the same tables, small, with what the real file lacks.
class MadeRpd : public testing::Test {
 protected:
  void SetUp() override {
    database_ = Database::open(path_).value();
    const auto made = database_.execute(R"(
      CREATE TABLE rocpd_metadata(id INTEGER PRIMARY KEY, tag, value);
      CREATE TABLE rocpd_string(id INTEGER PRIMARY KEY, string);
      CREATE TABLE rocpd_op(id INTEGER PRIMARY KEY, gpuId, queueId, sequenceId, start, "end",
        description_id, opType_id);
      CREATE TABLE rocpd_api(id INTEGER PRIMARY KEY, pid, tid, start, "end", apiName_id, args_id);
      CREATE TABLE rocpd_api_ops(id INTEGER PRIMARY KEY, api_id, op_id);
      CREATE TABLE rocpd_op_inputSignals(id INTEGER PRIMARY KEY, from_op_id, to_op_id);
      INSERT INTO rocpd_metadata VALUES (1, 'schema_version', '2');
      INSERT INTO rocpd_string VALUES (1, ''), (2, 'KernelExecution'), (3, 'gemm'), (4, 'UserMarker'),
        (5, 'epoch 1'), (6, 'hipStreamWaitEvent'), (7, 'stream=0x0 | event=0x7f10'), (8, 'Barrier');
      INSERT INTO rocpd_op VALUES (1, 0, 1, 0, 100, 200, 3, 2), (2, 0, 2, 0, 210, 300, 3, 2),
        (3, 0, 2, 0, 1, 2, 1, 8);
      INSERT INTO rocpd_api VALUES (1, 9, 9, 50, 60, 4, 5), (2, 9, 9, 61, 70, 6, 7);
      INSERT INTO rocpd_op_inputSignals VALUES (1, 2, 1);)");
    ASSERT_TRUE(made.has_value()) << made.error().message;
    ASSERT_TRUE(database_.execute("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode=DELETE"));
    database_ = Database();
  }

  TempDir folder_;
  std::string path_ = folder_ / "made.rpd";
  Database database_;
};

TEST_F(MadeRpd, ReadsMarkersArgumentsAndSignals) {
  const TracePtr trace = open_trace(std::vector{path_}).value();
  ASSERT_EQ(trace->size(), 2U);
  EXPECT_EQ(trace->markers().value()->rows.at(0).text, "epoch 1");
  const auto& syncs = trace->syncs().value()->rows;
  ASSERT_EQ(syncs.size(), 3U);
  EXPECT_EQ(syncs[0].kind, SyncKind::event_record);
  EXPECT_EQ(syncs[0].end_ns, 200) << "the operation that ended first is what was waited for";
  EXPECT_EQ(syncs[1].kind, SyncKind::event_wait);
  EXPECT_EQ(syncs[1].event, syncs[0].event);
  EXPECT_EQ(syncs[2].event, 0x7f10U);
  EXPECT_EQ(syncs[2].source, SyncSource::api_arguments);
}

TEST_F(MadeRpd, SaysWhatItLeftOut) {
  const TracePtr trace = open_trace(std::vector{path_}).value();
  EXPECT_THAT(trace->entities().notes,
              testing::Contains(HasSubstr("1 operations of type 'Barrier'")));
  EXPECT_THAT(trace->entities().notes,
              testing::Contains(HasSubstr("2 dispatches have no launch record")));
}

}  // namespace
}  // namespace rpl
