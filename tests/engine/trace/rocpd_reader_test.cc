// SPDX-License-Identifier: MIT
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include "engine/store/database.h"
#include "engine/trace/core/stats.h"
#include "engine/trace/import/open.h"
#include "tests/support/generate.h"
#include "tests/support/recordings.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using test::GenerateOptions;
using ::testing::Contains;
using ::testing::HasSubstr;
using testing_support::TempDir;
using TracePtr = std::shared_ptr<const Trace>;

Result<TracePtr> open(const std::string& path) { return open_trace(std::span(&path, 1)); }

GenerateOptions options_for(const TempDir& folder, std::string_view name = "a.db") {
  GenerateOptions options;
  options.path = folder / name;
  return options;
}

std::string dispatch_table_of(const std::string& path) {
  Database database = *Database::create_plain(path);
  Statement names = *database.prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'rocpd_kernel_dispatch%'");
  return *names.step() ? std::string(names.text(0)) : std::string();
}

/// Changes a generated recording by SQL, $T standing for the dispatch table and $S for what follows its name.
void change(const std::string& path, std::string sql) {
  const std::string table = dispatch_table_of(path);
  const std::string suffix = table.substr(std::string_view("rocpd_kernel_dispatch").size());
  for (const auto& [word, with] : {std::pair("$T", table), std::pair("$S", suffix)}) {
    for (std::size_t at; (at = sql.find(word)) != std::string::npos;)
      sql.replace(at, std::string_view(word).size(), with);
  }
  // Views may name what is renamed or dropped.
  const auto changed =
      Database::create_plain(path)->execute("PRAGMA legacy_alter_table = ON; " + sql);
  ASSERT_TRUE(changed) << changed.error().message;
}

TEST(RocpdReader, GivesTheOracleNumbersOfARealRecording) {
  RPL_RECORDING_OR_SKIP(path, "rocpd/mi350x_train.db");
  const TracePtr trace = *open(path);
  const TraceStats stats = *trace_stats(*trace);
  EXPECT_EQ(stats.totals.dispatches, 43915U);
  EXPECT_EQ(stats.totals.kernels, 80U);
  EXPECT_EQ(stats.totals.streams, 567U);
  EXPECT_EQ(stats.totals.queues, 5U);
  EXPECT_EQ(stats.totals.threads, 4U);
  EXPECT_EQ(stats.totals.agents, 1U);
  EXPECT_EQ(stats.totals.span_ns, 15'122'023'494);
  EXPECT_EQ(stats.totals.gpu_time_ns, 4'441'741'378);
  EXPECT_EQ(stats.totals.busy_ns, 4'233'112'334);
  EXPECT_TRUE(trace->entities().files[0].direct_decoder);
}

TEST(RocpdReader, FindsTheLongestKernelOfARealRecording) {
  RPL_RECORDING_OR_SKIP(path, "rocpd/mi350x_train.db");
  const TracePtr trace = *open(path);
  const TraceStats stats = *trace_stats(*trace);
  const KernelStats& first = stats.kernels.at(0);
  EXPECT_THAT(trace->kernels()[first.kernel].name, testing::StartsWith("ncclDevKernel_Generic_1("));
  EXPECT_EQ(first.duration.calls, 1310U);
  EXPECT_EQ(first.duration.total_ns, 4'158'756'678);
  EXPECT_NEAR(first.share, 0.93629, 0.00001);
  EXPECT_EQ(first.duration.max_ns, 733'003'332);
  EXPECT_EQ(trace->entities().agents.size(), 10U);
}

TEST(RocpdReader, OpensARecordingWithoutRowsAndSaysSo) {
  RPL_RECORDING_OR_SKIP(path, "rocpd/empty_schema.db");
  const auto trace = open(path);
  ASSERT_TRUE(trace) << trace.error().message;
  EXPECT_EQ((*trace)->size(), 0U);
  EXPECT_EQ((*trace)->extent_ns(), std::pair(std::int64_t{0}, std::int64_t{0}));
  EXPECT_THAT((*trace)->entities().notes, Contains(HasSubstr("no dispatch was recorded")));
  EXPECT_THAT((*trace)->entities().notes, Contains(HasSubstr("no agent was recorded")));
}

TEST(RocpdReader, ReadsEverySchemaVersionAlike) {
  const TempDir folder;
  for (const char* version : {"3", "3.0.1", "3.0.2", "3.0.3", "3.0.4", "3.0.5", "4.1"}) {
    SCOPED_TRACE(version);
    GenerateOptions options = options_for(folder);
    options.version = version;
    options.event_operations = true;
    ASSERT_TRUE(test::generate_rocpd(options));
    const auto trace = open(options.path);
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_EQ((*trace)->size(), 1000U);
    EXPECT_EQ((*trace)->entities().files[0].schema_version, version);
    const TraceTotals totals = trace_stats(**trace)->totals;
    EXPECT_EQ(std::tuple(totals.queues, totals.streams, totals.threads, totals.agents),
              std::tuple(4U, 4U, 2U, 1U));
    EXPECT_THAT((*trace)->entities().notes, testing::IsEmpty());
  }
}

TEST(RocpdReader, RefusesVersionsAndTablesThatItCannotReadByName) {
  const TempDir folder;
  GenerateOptions options = options_for(folder);
  ASSERT_TRUE(test::generate_rocpd(options));
  change(options.path, "UPDATE rocpd_metadata$S SET value = '5.0' WHERE tag = 'schema_version'");
  EXPECT_THAT(open(options.path).error().message, HasSubstr("schema version 5.0"));
  ASSERT_TRUE(test::generate_rocpd(options));
  change(options.path,
         "DROP VIEW IF EXISTS kernels; DROP VIEW IF EXISTS top_kernels; ALTER TABLE \"$T\" "
         "RENAME COLUMN \"end\" TO finish");
  const auto refused = open(options.path);
  EXPECT_EQ(refused.error().code, Errc::unsupported);
  EXPECT_THAT(refused.error().message, HasSubstr("has no column end"));
}

TEST(RocpdReader, MergesSeveralRecordingsInOneFile) {
  const TempDir folder;
  GenerateOptions options = options_for(folder);
  options.processes = 3;
  ASSERT_TRUE(test::generate_rocpd(options));
  const TracePtr trace = *open(options.path);
  EXPECT_EQ(trace->size(), 3000U);
  EXPECT_EQ(trace->entities().processes.size(), 3U);
  EXPECT_EQ(trace_stats(*trace)->totals.queues, 12U);
  EXPECT_THAT(trace->entities().notes, Contains(HasSubstr("3 recordings")));
}

TEST(RocpdReader, ReadsTablesWithoutASuffix) {
  const TempDir folder;
  GenerateOptions options = options_for(folder);
  options.suffix = false;
  ASSERT_TRUE(test::generate_rocpd(options));
  EXPECT_EQ((*open(options.path))->size(), 1000U);
}

TEST(RocpdReader, HandlesAbove2To63AreUnsigned) {
  const TempDir folder;
  GenerateOptions options = options_for(folder);
  options.wide_handles = true;
  ASSERT_TRUE(test::generate_rocpd(options));
  const TracePtr trace = *open(options.path);
  const Lane& lane = trace->lane(0);
  EXPECT_GE(trace->entities().queues[lane.queue].handle, 0x8000'0000'0000'0000U);
  EXPECT_GE(trace->entities().streams[lane.stream].handle, 0xffff'8000'0000'0000U);
}

struct Crash {
  const char* name;
  const char* sql;
  const char* note;
};

TEST(RocpdReader, KeepsEveryDispatchOfACrashedRunAndNotesWhatIsMissing) {
  const std::array crashes = {
      Crash{"agents", "DELETE FROM rocpd_info_agent$S", "1 agent is not in the file"},
      Crash{"processes", "DELETE FROM rocpd_info_process$S", "1 process is not in the file"},
      Crash{"queues", "DELETE FROM rocpd_info_queue$S", "4 queues are not in the file"},
      Crash{"streams", "DELETE FROM rocpd_info_stream$S", "4 streams are not in the file"},
      Crash{"threads", "DELETE FROM rocpd_info_thread$S", "2 threads are not in the file"},
      Crash{"symbols", "DELETE FROM rocpd_info_kernel_symbol$S",
            "1000 dispatches are of kernels without a symbol"},
      Crash{"one symbol", "DELETE FROM rocpd_info_kernel_symbol$S WHERE id = 1",
            "1 kernel symbol is not in the file"},
      Crash{"strings", "DELETE FROM rocpd_string$S; DELETE FROM rocpd_event$S", ""},
      Crash{"metadata", "DELETE FROM rocpd_metadata$S", "no schema version"},
      Crash{"backwards", "UPDATE \"$T\" SET \"end\" = start - 10 WHERE id <= 7",
            "7 dispatches end before they start"},
      Crash{"time 0", "UPDATE \"$T\" SET start = 0 WHERE id = 3", "1 dispatches start at time 0"},
      Crash{"real", "UPDATE \"$T\" SET kernel_id = 1.5 WHERE id <= 5",
            "5 dispatch rows hold values that are not integers"},
      Crash{"text", "UPDATE \"$T\" SET grid_size_x = 'wide' WHERE id = 5",
            "1 dispatch rows hold values"},
      Crash{"huge", "UPDATE \"$T\" SET grid_size_x = 1 << 40 WHERE id = 5",
            "1 launch sizes do not fit"},
  };
  for (const Crash& crash : crashes) {
    SCOPED_TRACE(crash.name);
    const TempDir folder;
    GenerateOptions options = options_for(folder);
    ASSERT_TRUE(test::generate_rocpd(options));
    change(options.path, crash.sql);
    const auto trace = open(options.path);
    ASSERT_TRUE(trace) << trace.error().message;
    EXPECT_EQ((*trace)->size(), 1000U);
    const auto notes = fmt::format("{}", fmt::join((*trace)->entities().notes, "\n"));
    EXPECT_THAT(notes, HasSubstr(crash.note));
  }
}

TEST(RocpdReader, NotesPcSamplesBesideTheDispatches) {
  const TempDir folder;
  ASSERT_TRUE(test::generate_rocpd(options_for(folder)));
  change(folder / "a.db", "CREATE TABLE \"rocpd_pc_sampling_host_trap$S\" (id INTEGER)");
  EXPECT_THAT((*open(folder / "a.db"))->entities().notes,
              ::testing::Not(Contains(HasSubstr("PC samples"))));
  change(folder / "a.db", "INSERT INTO \"rocpd_pc_sampling_host_trap$S\" VALUES (1)");
  EXPECT_THAT((*open(folder / "a.db"))->entities().notes, Contains(HasSubstr("holds PC samples")));
}

TEST(RocpdReader, NotesTheMissingDispatchTable) {
  const TempDir folder;
  GenerateOptions options = options_for(folder);
  options.views = false;
  ASSERT_TRUE(test::generate_rocpd(options));
  change(options.path, "DROP TABLE \"$T\"");
  const TracePtr trace = *open(options.path);
  EXPECT_EQ(trace->size(), 0U);
  EXPECT_THAT(trace->entities().notes, Contains(HasSubstr("rocpd_kernel_dispatch is missing")));
}

TEST(RocpdReader, KernelsAreTheSameInEveryRun) {
  const TempDir folder;
  GenerateOptions options = options_for(folder), other = options_for(folder, "b.db");
  other.workload.seed = 99;
  ASSERT_TRUE(test::generate_rocpd(options));
  ASSERT_TRUE(test::generate_rocpd(other));
  std::map<std::string, std::string> ids;
  for (const std::string& path : {options.path, other.path}) {
    const TracePtr trace = *open(path);
    for (const Kernel& kernel : trace->kernels()) {
      EXPECT_EQ(ids.try_emplace(kernel.mangled, kernel.id).first->second, kernel.id);
      EXPECT_EQ(kernel.id.size(), 7U);
    }
  }
}

}  // namespace
}  // namespace rpl
