// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "engine/store/database.h"
#include "engine/trace/import/open.h"
#include "tests/support/generate.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using ::testing::HasSubstr;
using testing_support::kNoSharedData;
using testing_support::shared_data;
using testing_support::TempDir;

using TracePtr = std::shared_ptr<const Trace>;

std::int64_t count(const std::string& path, std::string_view sql) {
  Database database = Database::open_foreign(path, true).value();
  return database.scalar(sql).value().value_or(-1);
}

class Generated : public testing::Test {
 protected:
  test::GenerateOptions options() const {
    test::GenerateOptions made;
    made.path = path_;
    made.workload.dispatches = 2000;
    made.workload.event_share = 0.1;
    made.api = made.markers = true;
    return made;
  }
  TracePtr generate(const test::GenerateOptions& options) {
    const auto made = test::generate_rocpd(options);
    EXPECT_TRUE(made.has_value()) << made.error().message;
    const auto trace = open_trace(std::vector{path_});
    EXPECT_TRUE(trace.has_value()) << trace.error().message;
    return *trace;
  }

  TempDir folder_;
  std::string path_ = folder_ / "made.db";
};

TEST_F(Generated, EveryDispatchFindsItsLaunchCall) {
  const TracePtr trace = generate(options());
  const ApiTable& api = *trace->api().value();
  std::set<std::uint64_t> launches;
  for (const ApiCall& call : api.rows) {
    EXPECT_THAT(api.names[call.category], testing::StartsWith("HIP_RUNTIME_API"));
    if (api.names[call.name].find("Launch") != std::string::npos) launches.insert(call.correlation);
  }
  ASSERT_EQ(api.dispatch_correlation.size(), trace->size());
  for (const std::uint64_t correlation : api.dispatch_correlation) {
    ASSERT_TRUE(launches.contains(correlation)) << correlation;
  }
}

TEST_F(Generated, TablesHaveAllTheirRows) {
  test::GenerateOptions made = options();
  made.suffix = false;
  const TracePtr trace = generate(made);
  const auto rows = [&](std::string_view table) {
    return static_cast<std::size_t>(count(path_, fmt::format("SELECT count(*) FROM {}", table)));
  };
  EXPECT_EQ(trace->copies().value()->rows.size(), rows("rocpd_memory_copy"));
  EXPECT_EQ(trace->api().value()->rows.size() + trace->markers().value()->rows.size(),
            rows("rocpd_region") + rows("rocpd_sample"));
  EXPECT_GT(trace->markers().value()->rows.size(), 5U);
  for (const Copy& copy : trace->copies().value()->rows) {
    ASSERT_NE(copy.stream, kNone);
    ASSERT_NE(copy.correlation, 0U);
    ASSERT_GT(copy.bytes, 0U);
  }
}

TEST_F(Generated, MarkersCarryTheirTextAndNotTheFunction) {
  const TracePtr trace = generate(options());
  for (const Marker& marker : trace->markers().value()->rows) {
    EXPECT_THAT(marker.text, testing::Not(HasSubstr("roctx")));
    EXPECT_FALSE(marker.text.empty());
  }
}

/// "START END TEXT" of each.
std::vector<std::string> markers_of(const Trace& trace) {
  std::vector<std::string> out;
  for (const Marker& marker : trace.markers().value()->rows)
    out.push_back(fmt::format("{} {} {}", marker.start_ns, marker.end_ns, marker.text));
  return out;
}

constexpr std::string_view kMarkerEvents =
    "(SELECT e.id FROM rocpd_event e JOIN rocpd_string s ON s.id = e.category_id WHERE s.string "
    "LIKE 'MARKER%')";

TEST_F(Generated, RangesWhoseEventsHaveNoCategoryAreFoundByTheirNameWithTheirTexts) {
  test::GenerateOptions made = options();
  made.suffix = false;
  const std::vector<std::string> before = markers_of(*generate(made));
  ASSERT_GT(before.size(), 5U);
  {
    Database database = Database::open(path_).value();
    ASSERT_TRUE(database.execute(
        fmt::format("UPDATE rocpd_event SET category_id = NULL WHERE id IN {}", kMarkerEvents)));
    ASSERT_TRUE(database.execute("PRAGMA journal_mode=DELETE"));
  }
  EXPECT_EQ(markers_of(*open_trace(std::vector{path_}).value()), before);
}

TEST_F(Generated, MarkersAreFoundWhoseEventsAreNumberedFarFromTheOthers) {
  test::GenerateOptions made = options();
  made.suffix = false;
  const std::vector<std::string> before = markers_of(*generate(made));
  ASSERT_GT(before.size(), 5U);
  {
    Database database = Database::open(path_).value();
    ASSERT_TRUE(database.execute("PRAGMA foreign_keys=OFF"));
    for (const char* table : {"rocpd_region", "rocpd_sample"}) {
      ASSERT_TRUE(database.execute(
          fmt::format("UPDATE {} SET event_id = event_id + 1000000000000 WHERE event_id IN {}",
                      table, kMarkerEvents)));
    }
    ASSERT_TRUE(database.execute(fmt::format(
        "UPDATE rocpd_event SET id = id + 1000000000000 WHERE id IN {}", kMarkerEvents)));
    ASSERT_TRUE(database.execute("PRAGMA journal_mode=DELETE"));
  }
  EXPECT_EQ(markers_of(*open_trace(std::vector{path_}).value()), before);
}

TEST_F(Generated, TextsOfMarkersAreWhatJsonMakesOfThem) {
  test::GenerateOptions made = options();
  made.suffix = false;
  generate(made);
  const std::array<std::pair<const char*, const char*>, 6> written{{
      {R"({"message":"say \"yes\""})", R"(say "yes")"},
      {R"({"message":"","category":1})", ""},
      {R"({"message":"plain"})", "plain"},
      {R"({"message":"tab\t"})", "tab\t"},
      {R"({"message":"cut})", "roctxRangePushA"},
      {R"({"message":7})", "7"},
  }};
  {
    Database database = Database::open(path_).value();
    for (std::size_t i = 0; i < written.size(); ++i) {
      Statement change =
          database
              .prepare(
                  "UPDATE rocpd_event SET extdata = ? WHERE id = (SELECT event_id FROM "
                  "rocpd_region WHERE name_id = (SELECT id FROM rocpd_string WHERE string = "
                  "'roctxRangePushA') ORDER BY start LIMIT 1 OFFSET ?)")
              .value();
      ASSERT_TRUE(change.bind(std::string_view(written[i].first), static_cast<std::int64_t>(i)));
      ASSERT_TRUE(change.run());
    }
    ASSERT_TRUE(database.execute("PRAGMA journal_mode=DELETE"));
  }
  std::vector<std::string> texts;
  const TracePtr trace = open_trace(std::vector{path_}).value();
  for (const Marker& marker : trace->markers().value()->rows) {
    if (marker.end_ns > marker.start_ns) texts.push_back(marker.text);
  }
  ASSERT_GE(texts.size(), written.size());
  for (std::size_t i = 0; i < written.size(); ++i) EXPECT_EQ(texts[i], written[i].second) << i;
}

/// Records and waits by (kind, event, stream handle), which do not depend on where they were read.
std::multiset<std::string> event_ops(const Trace& trace, SyncSource source) {
  std::multiset<std::string> ops;
  for (const SyncOp& op : trace.syncs().value()->rows) {
    const bool event = op.kind == SyncKind::event_record || op.kind == SyncKind::event_wait;
    if (!event) continue;
    EXPECT_EQ(op.source, source);
    const auto& streams = trace.entities().streams;
    ops.insert(
        fmt::format("{} {:x} {}", static_cast<int>(op.kind), op.event,
                    op.stream == kNone ? "?" : fmt::format("{}", streams[op.stream].handle)));
  }
  return ops;
}

TEST_F(Generated, EventsAreTheSameFromTablesAndFromArguments) {
  test::GenerateOptions made = options();
  made.version = "3.0.4";
  const auto from_table = event_ops(*generate(made), SyncSource::hip_event_table);
  made.event_tables = false;
  const auto from_arguments = event_ops(*generate(made), SyncSource::api_arguments);
  made.event_tables = made.event_operations = true;
  made.version = "3.0.3";
  const auto from_operations = event_ops(*generate(made), SyncSource::event_operation_table);
  EXPECT_GT(from_table.size(), 100U);
  EXPECT_EQ(from_table, from_arguments);
  EXPECT_EQ(from_operations, from_arguments);
}

TEST_F(Generated, HostWaitsKeepTheirKindStreamAndEvent) {
  test::GenerateOptions made = options();
  made.workload.sync_share = 0.1;
  std::set<SyncKind> kinds;
  const TracePtr trace = generate(made);
  for (const SyncOp& op : trace->syncs().value()->rows) {
    kinds.insert(op.kind);
    ASSERT_TRUE(op.kind != SyncKind::stream_synchronize || op.stream != kNone);
    ASSERT_TRUE(op.kind != SyncKind::event_synchronize || op.event != 0);
    ASSERT_NE(op.thread, 0);
  }
  EXPECT_TRUE(kinds.contains(SyncKind::stream_synchronize));
  EXPECT_TRUE(kinds.contains(SyncKind::event_synchronize));
  EXPECT_TRUE(kinds.contains(SyncKind::device_synchronize));
}

TEST_F(Generated, ArgumentsNameTheirStreamByNumberWhereTheyCan) {
  test::GenerateOptions made = options();
  made.suffix = false;
  ASSERT_TRUE(test::generate_rocpd(made));
  const std::int64_t handle = test::stream_handle(made, 1);
  {
    Database database = Database::open(path_).value();
    ASSERT_TRUE(database.execute(fmt::format(
        "UPDATE rocpd_arg SET extdata = '{{\"stream_id\": {}}}' WHERE name = 'stream'", handle)));
    ASSERT_TRUE(database.execute("PRAGMA journal_mode=DELETE"));
  }
  const TracePtr trace = open_trace(std::vector{path_}).value();
  for (const SyncOp& op : trace->syncs().value()->rows) {
    if (op.stream == kNone) continue;
    ASSERT_EQ(trace->entities().streams[op.stream].handle, static_cast<std::uint64_t>(handle));
  }
}

TEST_F(Generated, WithoutArgumentsOnlyTheNamesOfCallsRemain) {
  test::GenerateOptions made = options();
  made.suffix = false;
  ASSERT_TRUE(test::generate_rocpd(made));
  {
    Database database = Database::open(path_).value();
    ASSERT_TRUE(database.execute("DELETE FROM rocpd_arg; PRAGMA journal_mode=DELETE"));
  }
  const TracePtr trace = open_trace(std::vector{path_}).value();
  ASSERT_FALSE(trace->syncs().value()->rows.empty());
  for (const SyncOp& op : trace->syncs().value()->rows) {
    ASSERT_EQ(op.source, SyncSource::api_name);
    ASSERT_EQ(op.stream, kNone);
  }
}

TEST_F(Generated, CountersAreSummedAndTheLargestInstanceIsKept) {
  test::GenerateOptions made = options();
  made.suffix = false;
  made.counters = 3;
  const TracePtr trace = generate(made);
  const CounterTable& counters = *trace->counters().value();
  EXPECT_EQ(counters.names.size(), 3U);
  ASSERT_EQ(counters.rows.size(), 3 * trace->size());
  double sum = 0;
  for (const CounterSample& sample : counters.rows) {
    sum += sample.sum;
    EXPECT_EQ(sample.instances, 2U);
    EXPECT_LE(sample.max, sample.sum);
  }
  EXPECT_EQ(static_cast<std::int64_t>(sum),
            count(path_, "SELECT CAST(sum(value) AS INTEGER) FROM rocpd_pmc_event"));
}

TEST_F(Generated, StreamingCounterSamplesAreLeftOutAndNoted) {
  test::GenerateOptions made = options();
  made.suffix = false;
  made.version = "3.0.3";
  made.counters = 1;
  ASSERT_TRUE(test::generate_rocpd(made));
  {
    Database database = Database::open(path_).value();
    ASSERT_TRUE(database.execute("UPDATE rocpd_pmc_event SET sample_id = 1 WHERE id <= 10"));
    ASSERT_TRUE(database.execute("PRAGMA journal_mode=DELETE"));
  }
  const TracePtr trace = open_trace(std::vector{path_}).value();
  EXPECT_THAT(trace->counters().value()->notes,
              testing::Contains(HasSubstr("10 streaming counter samples")));
}

TEST_F(Generated, EveryVersionGivesTheSameTables) {
  std::optional<std::vector<std::size_t>> expected;
  for (const char* version : {"3", "3.0.1", "3.0.2", "3.0.3", "3.0.4", "3.0.5", "4.1"}) {
    SCOPED_TRACE(version);
    test::GenerateOptions made = options();
    made.version = version;
    made.counters = 1;
    const TracePtr trace = generate(made);
    std::size_t on_streams = 0;
    for (const Copy& copy : trace->copies().value()->rows) on_streams += copy.stream != kNone;
    const std::vector<std::size_t> sizes{
        trace->copies().value()->rows.size(), on_streams,
        trace->api().value()->rows.size(),    trace->markers().value()->rows.size(),
        trace->syncs().value()->rows.size(),  trace->counters().value()->rows.size()};
    if (!expected) expected = sizes;
    EXPECT_EQ(sizes, *expected);
  }
}

TEST_F(Generated, ProcessesOfOneFileStayApart) {
  test::GenerateOptions made = options();
  made.processes = 3;
  made.workload.dispatches = 300;
  const TracePtr trace = generate(made);
  std::map<std::uint32_t, std::set<std::uint64_t>> launches;
  const ApiTable& api = *trace->api().value();
  for (const ApiCall& call : api.rows) launches[call.process].insert(call.correlation);
  EXPECT_EQ(launches.size(), 3U);
  for (std::size_t row = 0; row < trace->size(); ++row) {
    ASSERT_TRUE(launches[trace->lane(row).process].contains(api.dispatch_correlation[row]));
  }
}

TEST(RealRocpd, TrainingRunHasCorrelationsAndNothingElse) {
  const std::string path = shared_data("rocpd/mi350x_train.db");
  if (path.empty()) GTEST_SKIP() << kNoSharedData;
  const TracePtr trace = open_trace(std::vector{path}).value();
  const ApiTable& api = *trace->api().value();
  EXPECT_TRUE(api.rows.empty());
  EXPECT_EQ(std::ranges::count(api.dispatch_correlation, 0U), 0);
  EXPECT_TRUE(trace->copies().value()->rows.empty());
  EXPECT_TRUE(trace->markers().value()->rows.empty());
  EXPECT_TRUE(trace->syncs().value()->rows.empty());
  EXPECT_TRUE(trace->counters().value()->rows.empty());
}

TEST(RealRocpd, EmptySchemaHasEmptyTables) {
  const std::string path = shared_data("rocpd/empty_schema.db");
  if (path.empty()) GTEST_SKIP() << kNoSharedData;
  const TracePtr trace = open_trace(std::vector{path}).value();
  EXPECT_TRUE(trace->api().value()->rows.empty());
  EXPECT_TRUE(trace->syncs().value()->rows.empty());
  EXPECT_TRUE(trace->counters().value()->rows.empty());
}

}  // namespace
}  // namespace rpl
