// SPDX-License-Identifier: MIT
#include "engine/target/local/recorder_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "engine/store/database.h"
#include "engine/target/local/counter_join.h"
#include "tests/support/generate.h"
#include "tests/support/temp_dir.h"

namespace rpl::profile {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::IsEmpty;
namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  std::string database(const std::string& name, unsigned counters = 0,
                       const std::string& version = "3", unsigned process = 0) {
    test::GenerateOptions options;
    options.path = folder_ / name;
    fs::create_directories(fs::path(options.path).parent_path());
    options.version = version;
    options.workload.dispatches = 40;
    options.counters = counters;
    options.first_process = process;
    const auto written = test::generate_rocpd(options);
    EXPECT_TRUE(written.has_value()) << written.error().message;
    return options.path;
  }
  testing_support::TempDir folder_;
};

TEST_F(Files, WhatWasThereBeforeIsOfAnotherRun) {
  folder_.write("out/host/1_results.db", "old");
  folder_.write("out/host/ui_output_agent_1_dispatch_1/filenames.json", "{}");
  const RecordedFiles before = RecordedFiles::in(folder_ / "out");
  EXPECT_THAT(RecordedFiles::in(folder_ / "out").databases_since(before), IsEmpty());
  folder_.write("out/host/2_results.db", "new");
  folder_.write("out/host/1_results.db", "the same process id again");
  folder_.write("out/host/notes.db", "none of it");
  folder_.write("out/att/ui_output_agent_1_dispatch_2/code.json", "{}");
  folder_.write("out/host/3_pc_sampling_host_trap.csv", "x");
  folder_.write("out/host/3_results.json", "{}");
  const RecordedFiles after = RecordedFiles::in(folder_ / "out");
  EXPECT_THAT(after.databases_since(before),
              ElementsAre(EndsWith("/1_results.db"), EndsWith("/2_results.db")));
  EXPECT_THAT(after.thread_traces_since(before),
              ElementsAre(EndsWith("/ui_output_agent_1_dispatch_2")));
  EXPECT_THAT(after.samples_since(before),
              ElementsAre(EndsWith("/3_results.json"), EndsWith("/3_pc_sampling_host_trap.csv")));
  EXPECT_THAT(RecordedFiles::in(folder_ / "no such folder").databases_since(before), IsEmpty());
}

TEST_F(Files, DatabasesComeInTheOrderOfTheirProcesses) {
  const std::string later = database("a_results.db", 0, "3", 1), earlier = database("b_results.db"),
                    broken = folder_.write("0_results.db", "SQLite format 3");
  const auto all = look_at_all({broken, later, earlier});
  ASSERT_EQ(all.size(), 3U);
  EXPECT_LE(std::pair(all[0].start_ns, all[0].pid), std::pair(all[1].start_ns, all[1].pid));
  EXPECT_EQ(all[0].state, RecordedDatabase::State::complete);
  EXPECT_EQ(all[0].dispatches, 40U);
  EXPECT_GT(all[0].kernel_ns, 0);
  EXPECT_EQ(all[2].path, broken);
  EXPECT_EQ(all[2].state, RecordedDatabase::State::cut_short);
}

TEST_F(Files, CountersComeOnlyOnceAndKeepTheirInstances) {
  const std::string base = database("host/1_results.db"), counted = database("2_results.db", 3);
  const auto once = join_counters({base}, {{1, {counted}}}, folder_ / "once"),
             twice = join_counters({base}, {{1, {counted}}, {2, {counted}}}, folder_ / "twice");
  ASSERT_TRUE(once && twice);
  EXPECT_THAT(once->databases, ElementsAre(EndsWith("/once/host/1_results.db")));
  // 40 dispatches, 3 counters, 2 instances.
  EXPECT_EQ(once->values, 240U);
  EXPECT_EQ(twice->values, 240U);
  EXPECT_THAT(once->notes, IsEmpty());
}

TEST_F(Files, AnotherSchemaIsRefusedAndTheBaseStays) {
  const std::string base = database("1_results.db"), counted = database("2_results.db", 1, "4.1");
  const auto size = fs::file_size(base);
  const auto joined = join_counters({base}, {{1, {counted}}}, folder_ / "joined");
  ASSERT_FALSE(joined.has_value());
  EXPECT_THAT(joined.error().message, testing::HasSubstr("2_results.db"));
  EXPECT_EQ(fs::file_size(base), size);
}

TEST_F(Files, ProcessesWithoutPartnersAreToldOf) {
  const std::string first = database("1_results.db"), second = database("2_results.db", 0, "3", 1),
                    counted = database("3_results.db", 1);
  const auto joined = join_counters({first, second}, {{4, {counted}}}, folder_ / "joined");
  ASSERT_TRUE(joined.has_value()) << joined.error().message;
  EXPECT_THAT(joined->notes, ElementsAre("pass 4: processes with counters: 1, without: 2; they are "
                                         "matched by command line and start"));
  EXPECT_EQ(joined->databases.size(), 2U);
}

TEST_F(Files, ProcessesAreMatchedByTheirCommandLines) {
  const auto named = [&](const std::string& path, const std::string& command) {
    auto opened = Database::open_copy(path);
    auto table = opened->prepare(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'rocpd_info_process%'");
    EXPECT_TRUE(table->step().value_or(false));
    EXPECT_TRUE(
        opened->execute(fmt::format("UPDATE \"{}\" SET command = '{}'", table->text(0), command))
            .has_value());
    return path;
  };
  const std::string a = named(database("a.db"), "app a"),
                    b = named(database("b.db", 0, "3", 1), "app b");
  // In the pass b came first, and only it counted.
  const std::string counted_b = named(database("cb.db", 1, "3", 1), "app b"),
                    counted_a = named(database("ca.db"), "app a");
  const auto joined = join_counters({a, b}, {{1, {counted_b, counted_a}}}, folder_ / "joined");
  ASSERT_TRUE(joined.has_value()) << joined.error().message;
  const auto values = [](const std::string& path) {
    return *Database::open_foreign(path, true)->scalar("SELECT count(*) FROM rocpd_pmc_event");
  };
  EXPECT_EQ(values(joined->databases[0]), 0);
  EXPECT_EQ(values(joined->databases[1]), 80);
}

TEST_F(Files, DamagedDatabasesAreReadWithoutTrust) {
  const std::string base = database("1_results.db"), whole = database("2_results.db", 2);
  const std::string bytes = folder_.read("2_results.db");
  ASSERT_GT(bytes.size(), 10'000U);
  for (std::size_t i = 0; i < 64; ++i) {
    std::string damaged = bytes;
    // Cut at 32 places, and with a run of other bytes at 32 others.
    const std::size_t at = bytes.size() / 33 * (i % 32 + 1);
    if (i < 32) {
      damaged.resize(at);
    } else {
      damaged.replace(at, 64, std::string(64, static_cast<char>(i * 7)));
    }
    const std::string path = folder_.write("damaged.db", damaged);
    const RecordedDatabase seen = look_at(path);
    EXPECT_TRUE(i >= 32 || seen.state == RecordedDatabase::State::cut_short) << at;
    EXPECT_LE(seen.dispatches, 1'000'000U);
    const auto joined = join_counters({base}, {{1, {path}}}, folder_ / "joined");
    EXPECT_TRUE(joined.has_value() || !joined.error().message.empty());
  }
}

}  // namespace
}  // namespace rpl::profile
