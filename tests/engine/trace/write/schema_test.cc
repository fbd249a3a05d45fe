// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "engine/store/database.h"
#include "engine/trace/write/schema.h"
#include "tests/support/shared_data.h"
#include "tests/support/temp_dir.h"

namespace rpl::rocpd {
namespace {

constexpr std::string_view kSuffix = "_0000003a_1f2b_7f2b_8a01_5c0ffee00001";

/// A copy of the real recorder's database in a folder of its own: open_copy() takes the file that it is given as its own.
struct Copied {
  explicit Copied(const std::string& path) {
    const std::string copy = folder / "copy.db";
    std::filesystem::copy_file(path, copy);
    std::filesystem::permissions(copy, std::filesystem::perms::owner_write,
                                 std::filesystem::perm_options::add);
    database = *Database::open_copy(copy);
    // Foreign views may not call functions before this is said, and some of these call json_extract().
    EXPECT_TRUE(database.execute("PRAGMA trusted_schema = ON").has_value());
  }
  testing_support::TempDir folder;
  Database database;
};

Database ours() {
  Database database = *Database::open_memory();
  const auto tables = tables_of({3, 0, 0}, false);
  EXPECT_TRUE(
      database.execute(create_tables_sql(tables, kSuffix, "0000003a-1f2b-7f2b-8a01-5c0ffee00001"))
          .has_value());
  EXPECT_TRUE(database.execute(create_views_sql(tables, kSuffix, {3, 0, 0})).has_value());
  return database;
}

std::vector<std::string> names(Database& database, std::string_view type) {
  std::vector<std::string> out;
  Statement rows = *database.prepare(fmt::format(
      "SELECT name FROM sqlite_master WHERE type = '{}' AND name NOT LIKE 'sqlite%' ORDER BY name",
      type));
  while (*rows.step()) out.emplace_back(rows.text(0));
  return out;
}

/// One line for each column: name, type, whether it may be null, default, key. A default in single quotes is one in double quotes.
std::vector<std::string> columns(Database& database, const std::string& table) {
  std::vector<std::string> out;
  Statement rows = *database.prepare(fmt::format(
      "SELECT name, type, \"notnull\", dflt_value, pk FROM pragma_table_info('{}')", table));
  while (*rows.step()) {
    std::string preset(rows.text(3));
    std::ranges::replace(preset, '"', '\'');
    out.push_back(fmt::format("{} {} {} {} {}", rows.text(0), rows.text(1), rows.int64(2), preset,
                              rows.int64(4)));
  }
  return out;
}

std::vector<std::string> foreign_keys(Database& database, const std::string& table) {
  std::vector<std::string> out;
  Statement rows = *database.prepare(fmt::format(
      "SELECT \"from\", \"table\", \"to\", on_update FROM pragma_foreign_key_list('{}') ORDER BY 1",
      table));
  while (*rows.step())
    out.push_back(
        fmt::format("{} {} {} {}", rows.text(0), rows.text(1), rows.text(2), rows.text(3)));
  return out;
}

TEST(RocpdSchema, IsThatOfTheRealRecorderTableByTableAndViewByView) {
  const std::string path = testing_support::shared_data("rocpd/empty_schema.db");
  if (path.empty()) GTEST_SKIP() << testing_support::kNoSharedData;
  Copied copied(path);
  Database& real = copied.database;
  Database made = ours();
  const auto tables = names(real, "table"), views = names(real, "view");
  EXPECT_EQ(tables.size(), 20U);
  EXPECT_EQ(views.size(), 41U);
  EXPECT_EQ(names(made, "table"), tables);
  EXPECT_EQ(names(made, "view"), views);
  for (const std::string& table : tables) {
    EXPECT_EQ(columns(made, table), columns(real, table)) << table;
    EXPECT_EQ(foreign_keys(made, table), foreign_keys(real, table)) << table;
  }
  for (const std::string& view : views) {
    const auto only_names = [&](Database& database) {
      std::vector<std::string> out;
      for (const std::string& column : columns(database, view))
        out.push_back(column.substr(0, column.find(' ')));
      return out;
    };
    EXPECT_EQ(only_names(made), only_names(real)) << view;
  }
}

/// The text of each row of every view.
std::map<std::string, std::vector<std::string>> everything(Database& database) {
  std::map<std::string, std::vector<std::string>> out;
  for (const std::string& view : names(database, "view")) {
    auto prepared = database.prepare(fmt::format("SELECT * FROM \"{}\"", view));
    EXPECT_TRUE(prepared.has_value()) << view << ": " << prepared.error().message;
    if (!prepared) continue;
    auto& rows = out[view];
    while (*prepared->step()) {
      std::string row;
      for (int i = 0; i < prepared->column_count(); ++i)
        row += fmt::format("{}|", prepared->is_null(i) ? "null" : prepared->text(i));
      rows.push_back(std::move(row));
    }
    std::ranges::sort(rows);
  }
  return out;
}

constexpr const char* kRows = R"(
INSERT INTO "rocpd_string@" (id, string) VALUES (1, ''), (2, 'KERNEL_DISPATCH'), (3, 'hipLaunchKernel'), (4, 'MEMORY_COPY_HOST_TO_DEVICE');
INSERT INTO "rocpd_info_node@" (id, hash, machine_id, hostname) VALUES (7, 77, 'm', 'h');
INSERT INTO "rocpd_info_process@" (id, nid, ppid, pid, init, start, "end", fini, command) VALUES (42, 7, 41, 42, 1, 1, 99, 99, 'app');
INSERT INTO "rocpd_info_thread@" (id, nid, ppid, pid, tid, name) VALUES (43, 7, 41, 42, 43, 'main');
INSERT INTO "rocpd_info_agent@" (id, nid, pid, type, absolute_index, logical_index, type_index, name) VALUES
  (0, 7, 42, 'CPU', 0, 0, 0, 'cpu'), (1, 7, 42, 'GPU', 1, 1, 0, 'gfx942');
INSERT INTO "rocpd_info_queue@" (id, nid, pid, name) VALUES (1, 7, 42, 'Queue 1');
INSERT INTO "rocpd_info_stream@" (id, nid, pid, name) VALUES (0, 7, 42, 'Default Stream'), (5, 7, 42, 'Stream 5');
INSERT INTO "rocpd_info_code_object@" (id, nid, pid, agent_id, uri, extdata) VALUES (1, 7, 42, 1, 'memory://', '{"size": 3}');
INSERT INTO "rocpd_info_kernel_symbol@" (id, nid, pid, code_object_id, kernel_name, display_name, group_segment_size, extdata) VALUES
  (1, 7, 42, 1, 'k.kd', 'k()', 16, '{"kernel_id": 1, "kernel_address": {"handle": 9}}'), (2, 7, 42, 1, 'l.kd', 'l()', 0, '{}');
INSERT INTO "rocpd_event@" (id, category_id, stack_id, parent_stack_id, correlation_id) VALUES (1, 2, 10, 10, 0), (2, 3, 10, 10, 0),
  (3, 2, 11, 11, 0), (4, 4, 12, 12, 0), (5, 4, 13, 13, 0);
INSERT INTO "rocpd_kernel_dispatch@" (nid, pid, tid, agent_id, kernel_id, dispatch_id, queue_id, stream_id, start, "end", group_segment_size,
  private_segment_size, workgroup_size_x, workgroup_size_y, workgroup_size_z, grid_size_x, grid_size_y, grid_size_z, region_name_id, event_id)
  VALUES (7, 42, 43, 1, 1, 1, 1, 5, 10, 30, 32, 0, 64, 1, 1, 128, 2, 1, 1, 1), (7, 42, 43, 1, 2, 2, 1, 5, 40, 47, 0, 0, 64, 1, 1, 64, 1, 1, 1, 3);
INSERT INTO "rocpd_region@" (nid, pid, tid, start, "end", name_id, event_id) VALUES (7, 42, 43, 2, 9, 3, 2);
INSERT INTO "rocpd_arg@" (event_id, position, type, name, value, extdata) VALUES (2, 0, 'hipStream_t', 'stream', '5', '{"stream_id": 5}');
INSERT INTO "rocpd_memory_copy@" (nid, pid, tid, start, "end", name_id, dst_agent_id, src_agent_id, size, stream_id, event_id)
  VALUES (7, 42, 43, 50, 61, 4, 1, 0, 400, 0, 4);
INSERT INTO "rocpd_memory_allocate@" (nid, pid, tid, agent_id, type, level, start, "end", address, size, event_id, extdata)
  VALUES (7, 42, 43, 1, 'ALLOC', 'SCRATCH', 3, 4, 4096, 64, 5, '{"flags": "1"}');
INSERT INTO "rocpd_info_pmc@" (id, nid, pid, agent_id, target_arch, name, symbol, component, value_type, block) VALUES
  (1, 7, 42, 1, 'GPU', 'SQ_WAVES', 'SQ_WAVES', 'rocm', 'ABS', 'SQ');
INSERT INTO "rocpd_pmc_event@" (event_id, pmc_id, value) VALUES (1, 1, 3), (1, 1, 4), (3, 1, 1);
INSERT INTO "rocpd_track@" (id, nid, pid, tid, name_id) VALUES (1, 7, 42, 43, 3);
INSERT INTO "rocpd_sample@" (track_id, timestamp, event_id) VALUES (1, 8, 2);
)";

TEST(RocpdSchema, ItsViewsSayWhatTheRealOnesSay) {
  const std::string path = testing_support::shared_data("rocpd/empty_schema.db");
  if (path.empty()) GTEST_SKIP() << testing_support::kNoSharedData;
  Copied copied(path);
  Database& real = copied.database;
  Database made = ours();
  std::string rows = kRows;
  for (std::size_t at = rows.find('@'); at != std::string::npos; at = rows.find('@', at))
    rows.replace(at, 1, kSuffix);
  for (Database* database : {&real, &made}) {
    const auto filled = database->execute(rows);
    ASSERT_TRUE(filled.has_value()) << filled.error().message;
  }
  const auto expected = everything(real), found = everything(made);
  for (const auto& [view, lines] : expected) {
    if (view == "rocpd_metadata") continue;
    EXPECT_FALSE(lines.empty()) << view << " is not tried";
    ASSERT_TRUE(found.contains(view)) << view;
    EXPECT_EQ(found.at(view), lines) << view;
  }
}

TEST(RocpdSchema, ReadsVersionsAsTheyAreWritten) {
  EXPECT_EQ(SchemaVersion::parse("3"), (SchemaVersion{3, 0, 0}));
  EXPECT_EQ(SchemaVersion::parse("3.0.4"), (SchemaVersion{3, 0, 4}));
  EXPECT_TRUE(SchemaVersion::parse("4.1.0").tracks());
}

}  // namespace
}  // namespace rpl::rocpd
