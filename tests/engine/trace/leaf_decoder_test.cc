// SPDX-License-Identifier: MIT
#include "engine/trace/import/rocpd/rocpd_dispatches.h"

#include <fstream>

#include "engine/base/interrupt.h"
#include "tests/support/generate.h"
#include "tests/support/random.h"
#include "tests/support/recordings.h"
#include "tests/support/temp_dir.h"
#include "tests/support/trace_difference.h"

namespace rpl {
namespace {

using test::decoder_difference;
using test::GenerateOptions;
using test::Random;
using testing_support::TempDir;

struct Expect {
  bool decoded = true;
};

void expect_equal(const std::string& path, Expect expect = {}) {
  bool decoded = false;
  EXPECT_EQ(decoder_difference(path, decoded), "");
  EXPECT_EQ(decoded, expect.decoded);
}

/// A recording of only a dispatch table, declared and filled by the caller.
std::string make_table(const TempDir& folder, const std::string& sql, int page_bytes = 4096) {
  const std::string path = folder / "a.db";
  for (const char* side : {"", "-wal", "-journal"}) std::filesystem::remove(path + side);
  Database database = *Database::create_plain(path);
  const auto made = database.execute(fmt::format("PRAGMA page_size={}; {}", page_bytes, sql));
  EXPECT_TRUE(made) << made.error().message << " in " << sql;
  return path;
}

constexpr const char* kColumns =
    "pid INTEGER, tid INTEGER, agent_id INTEGER, kernel_id INTEGER, dispatch_id INTEGER, queue_id "
    "INTEGER, stream_id INTEGER, "
    "start BIGINT, \"end\" BIGINT, workgroup_size_x INTEGER, grid_size_x INTEGER, event_id INTEGER";
constexpr const char* kRows =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) "
    "INSERT INTO rocpd_kernel_dispatch (pid, tid, agent_id, kernel_id, dispatch_id, queue_id, "
    "stream_id, start, \"end\", "
    "workgroup_size_x, grid_size_x, event_id) SELECT 7, 7 + i % 3, i % 2, i % 300, i, i % 5, i % "
    "70000, i * 1000, i * 1000 + i % 900, "
    "64, 64 * (i % 400), i * 2 FROM n;";

TEST(LeafDecoder, EqualsTheApiOnARealRecording) {
  RPL_RECORDING_OR_SKIP(path, "rocpd/mi350x_train.db");
  expect_equal(path);
}

TEST(LeafDecoder, EqualsTheApiForEveryPageSizeWithHolesAndWithout) {
  const TempDir folder;
  for (unsigned page = 512; page <= 65536; page *= 2) {
    for (const double deleted : {0.0, 0.3}) {
      SCOPED_TRACE(fmt::format("page {} deleted {}", page, deleted));
      GenerateOptions options;
      options.path = folder / "a.db";
      options.page_bytes = page;
      options.deleted_share = deleted;
      options.vacuum = page % 1024 == 0 && deleted > 0;
      options.wal = page == 2048;
      options.processes = 2;
      options.workload.dispatches = 3000;
      ASSERT_TRUE(test::generate_rocpd(options));
      expect_equal(options.path);
    }
  }
}

TEST(LeafDecoder, EqualsTheApiForEveryTable) {
  const TempDir folder;
  for (const char* version : {"3", "3.0.3", "3.0.4", "4.1"}) {
    for (const double share : {0.0005, 0.2}) {
      SCOPED_TRACE(fmt::format("version {} share {}", version, share));
      GenerateOptions options;
      options.path = folder / "a.db";
      options.version = version;
      options.workload.dispatches = 4000;
      options.workload.event_share = options.workload.sync_share = share;
      options.api = options.markers = true;
      options.event_tables = options.workload.event_share > 0.1;
      options.event_operations = options.event_tables && options.version == "3.0.3";
      options.counters = 2;
      options.processes = options.version == "3.0.3" ? 2 : 1;
      ASSERT_TRUE(test::generate_rocpd(options));
      expect_equal(options.path);
    }
  }
}

/// 12 000 rows on so many pages that two threads read them.
std::string make_large_table(const TempDir& folder, const std::string& sql) {
  std::string rows = kRows;
  rows.replace(rows.find("3000"), 4, "12000");
  return make_table(folder,
                    fmt::format("CREATE TABLE rocpd_kernel_dispatch (id INTEGER PRIMARY KEY, {}); "
                                "{} {}",
                                kColumns, rows, sql),
                    512);
}

TEST(LeafDecoder, EqualsTheApiWhereOneThreadFindsMoreRowsThanTheOther) {
  const TempDir folder;
  const std::vector<std::string> changes{
      "",
      // Fewer rows than ids, first here and there, then in the half of one thread.
      "DELETE FROM rocpd_kernel_dispatch WHERE id % 500 = 3;",
      "DELETE FROM rocpd_kernel_dispatch WHERE id > 6000 AND id % 2;",
      "DELETE FROM rocpd_kernel_dispatch WHERE id < 6000 AND id % 2;",
      // Values that their columns do not hold, and rows that SQLite reads, in both.
      "UPDATE rocpd_kernel_dispatch SET dispatch_id = id << 40, event_id = -id WHERE id % 300 = 3;"
      "UPDATE rocpd_kernel_dispatch SET \"end\" = start - 7 WHERE id % 200 = 5;"
      "UPDATE rocpd_kernel_dispatch SET grid_size_x = 'x' WHERE id % 900 = 4;"
      "DELETE FROM rocpd_kernel_dispatch WHERE id > 3000 AND id % 2;"};
  for (const std::string& change : changes) {
    SCOPED_TRACE(change);
    expect_equal(make_large_table(folder, change));
  }
}

/// Changes a recording whose tables have no suffix.
void change(const std::string& path, const std::string& sql) {
  Database database = *Database::open(path);
  ASSERT_TRUE(database.execute("PRAGMA foreign_keys=OFF"));
  ASSERT_TRUE(database.execute(sql)) << sql;
  ASSERT_TRUE(database.execute("PRAGMA journal_mode=DELETE"));
}

TEST(LeafDecoder, EqualsTheApiForOddRowsOfEveryTable) {
  const TempDir folder;
  const std::vector<std::string> changes{
      // Texts in number columns, numbers in text columns, missing values, overflow pages.
      "UPDATE rocpd_region SET name_id = '7' WHERE id % 400 = 3",
      "UPDATE rocpd_region SET event_id = NULL WHERE id % 50 = 3",
      "UPDATE rocpd_region SET start = start + 0.5 WHERE id % 500 = 3",
      "UPDATE rocpd_event SET stack_id = NULL WHERE id % 90 = 3",
      "UPDATE rocpd_event SET stack_id = 1 << 40 WHERE id % 90 = 3",
      "UPDATE rocpd_event SET extdata = '{\"message\": \"' || hex(zeroblob(9000)) || '\"}' "
      "WHERE extdata <> '{}'",
      "UPDATE rocpd_event SET extdata = '{broken' WHERE extdata <> '{}' AND id % 2",
      "UPDATE rocpd_memory_copy SET src_agent_id = NULL WHERE id % 3 = 0",
      "UPDATE rocpd_pmc_event SET value = 7 WHERE id % 3 = 0",
      "UPDATE rocpd_pmc_event SET event_id = 1 << 50 WHERE id % 300 = 0",
      "UPDATE rocpd_arg SET value = 5 WHERE id % 700 = 0",
      "UPDATE rocpd_arg SET value = hex(zeroblob(5000)) WHERE id % 700 = 0 AND name = 'args'",
      "UPDATE rocpd_arg SET event_id = (SELECT max(event_id) FROM rocpd_arg) + 1 - event_id",
      "DELETE FROM rocpd_arg WHERE id % 40 = 0",
      "DELETE FROM rocpd_string WHERE id % 2",
      "DELETE FROM rocpd_event WHERE id % 7 = 0"};
  for (const std::string& sql : changes) {
    SCOPED_TRACE(sql);
    GenerateOptions options;
    options.path = folder / "a.db";
    options.suffix = false;
    options.workload.dispatches = 3000;
    options.workload.event_share = options.workload.sync_share = 0.001;
    options.api = options.markers = true;
    options.event_tables = false;
    options.counters = 1;
    ASSERT_TRUE(test::generate_rocpd(options));
    change(options.path, sql);
    expect_equal(options.path);
  }
}

struct Shape {
  const char* name;
  std::string sql;
  bool decoded;
};

TEST(LeafDecoder, EqualsTheApiForTablesOfEveryShape) {
  const std::string plain = fmt::format(
      "CREATE TABLE rocpd_kernel_dispatch (id INTEGER PRIMARY KEY, {}); {}", kColumns, kRows);
  const std::string update = plain + "UPDATE rocpd_kernel_dispatch SET ";
  const std::vector<Shape> shapes = {
      {"plain", plain, true},
      {"empty",
       fmt::format("CREATE TABLE rocpd_kernel_dispatch (id INTEGER PRIMARY KEY, {})", kColumns),
       true},
      {"no id", fmt::format("CREATE TABLE rocpd_kernel_dispatch ({}); {}", kColumns, kRows), true},
      {"nulls", update + "event_id = NULL, stream_id = NULL, tid = NULL WHERE id % 3 = 0", true},
      {"null kernel", update + "kernel_id = NULL WHERE id % 50 = 0", true},
      {"null times", update + "start = NULL WHERE id % 100 = 0", true},
      {"many null times", update + "start = NULL WHERE id % 2 = 0", false},
      {"real", update + "kernel_id = kernel_id + 0.5 WHERE id % 100 = 0", true},
      {"text", update + "queue_id = 'q' WHERE id % 100 = 0", true},
      {"all text", update + "queue_id = 'q'", false},
      {"negative", update + "start = -start, \"end\" = -\"end\" - 5, queue_id = -queue_id", true},
      {"extreme",
       update + "start = -9223372036854775808, \"end\" = 9223372036854775807, event_id = 1 << 40 "
                "WHERE id % 9 = 0",
       true},
      {"long", update + "\"end\" = start + 5000000000 WHERE id % 7 = 0", true},
      {"sizes", update + "grid_size_x = 1 << (id % 62), workgroup_size_x = -id", true},
      {"overflow",
       plain + "ALTER TABLE rocpd_kernel_dispatch ADD COLUMN extdata TEXT; UPDATE "
               "rocpd_kernel_dispatch SET extdata = "
               "hex(zeroblob(9000)) WHERE id % 100 = 0",
       true},
      {"added column",
       plain +
           "ALTER TABLE rocpd_kernel_dispatch ADD COLUMN private_segment_size INTEGER DEFAULT "
           "77; " +
           kRows,
       false},
      {"few short rows",
       fmt::format("CREATE TABLE rocpd_kernel_dispatch (id INTEGER PRIMARY KEY, {}); INSERT INTO "
                   "rocpd_kernel_dispatch "
                   "(start, \"end\") VALUES (1, 2); ALTER TABLE rocpd_kernel_dispatch ADD COLUMN "
                   "private_segment_size "
                   "INTEGER DEFAULT 77; {}",
                   kColumns, kRows),
       true},
      {"dropped column",
       fmt::format("CREATE TABLE rocpd_kernel_dispatch (id INTEGER PRIMARY KEY, gone TEXT DEFAULT "
                   "'x', {}); {} ALTER TABLE "
                   "rocpd_kernel_dispatch DROP COLUMN gone",
                   kColumns, kRows),
       true},
      {"without rowid",
       fmt::format("CREATE TABLE rocpd_kernel_dispatch (id INTEGER, {}, PRIMARY KEY (dispatch_id)) "
                   "WITHOUT ROWID; {}",
                   kColumns, kRows),
       false},
      {"dispatch_id is rowid",
       "CREATE TABLE rocpd_kernel_dispatch (dispatch_id INTEGER PRIMARY KEY, pid INTEGER, "
       "kernel_id INTEGER, start "
       "BIGINT, \"end\" BIGINT); INSERT INTO rocpd_kernel_dispatch VALUES (5, 1, 1, 10, 20), (9, "
       "1, 2, 5, 6)",
       false},
      {"real affinity",
       "CREATE TABLE rocpd_kernel_dispatch (pid INTEGER, kernel_id INTEGER, start DOUBLE, \"end\" "
       "REAL); INSERT INTO "
       "rocpd_kernel_dispatch VALUES (1, 1, 10, 20)",
       false},
      {"generated",
       "CREATE TABLE rocpd_kernel_dispatch (pid INTEGER, kernel_id INTEGER, start BIGINT, \"end\" "
       "AS (start + 5)); INSERT INTO "
       "rocpd_kernel_dispatch VALUES (1, 1, 10)",
       false},
      {"auto vacuum",
       "PRAGMA auto_vacuum=FULL; " + plain + "DELETE FROM rocpd_kernel_dispatch WHERE id % 4 = 0",
       true},
      {"utf16", "PRAGMA encoding='UTF-16'; " + plain, false},
      {"random ids",
       fmt::format("CREATE TABLE rocpd_kernel_dispatch (id INTEGER PRIMARY KEY, {}); {} UPDATE "
                   "rocpd_kernel_dispatch SET id = "
                   "random() WHERE id % 2",
                   kColumns, kRows),
       true},
      {"index", plain + "CREATE INDEX i ON rocpd_kernel_dispatch (\"end\", start, kernel_id, pid)",
       true},
      {"all deleted", plain + "DELETE FROM rocpd_kernel_dispatch", true},
      {"no kernels' times equal", update + "start = 5, \"end\" = 6", true},
  };
  const TempDir folder;
  for (const Shape& shape : shapes) {
    for (const int page : {512, 4096}) {
      SCOPED_TRACE(fmt::format("{} {}", shape.name, page));
      expect_equal(make_table(folder, shape.sql, page), {shape.decoded});
    }
  }
}

/// A declaration and rows by chance: columns in any order, some missing, some twice as wide, odd values now and then.
std::string random_table(Random& random) {
  std::vector<std::string> columns = {"pid",
                                      "tid",
                                      "agent_id",
                                      "queue_id",
                                      "stream_id",
                                      "kernel_id",
                                      "dispatch_id",
                                      "event_id",
                                      "workgroup_size_x",
                                      "grid_size_z",
                                      "group_segment_size",
                                      "extra",
                                      "guid"};
  for (std::size_t i = columns.size(); i > 1; --i)
    std::swap(columns[i - 1], columns[random.below(i)]);
  columns.resize(columns.size() - random.below(4));
  for (const char* needed : {"start", "end", "kernel_id", "pid"}) {
    if (std::find(columns.begin(), columns.end(), needed) == columns.end())
      columns.insert(columns.begin() + static_cast<std::ptrdiff_t>(random.below(columns.size())),
                     needed);
  }
  std::string declared = random.chance(0.5) ? "id INTEGER PRIMARY KEY" : "\"first\" TEXT";
  std::string names, values;
  const bool odd = random.chance(0.5);
  for (const std::string& column : columns) {
    declared += fmt::format(", \"{}\" {}", column,
                            std::array{"INTEGER", "BIGINT", "", "NUMERIC"}[random.below(4)]);
    names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", column);
    std::string value = fmt::format("(i * {}) % {}", random.below(1000),
                                    1 + (random.next() >> random.between(1, 62)));
    if (odd && random.chance(0.2))
      value = fmt::format("CASE WHEN i % 97 = 0 THEN {} ELSE {} END",
                          std::array{"NULL", "0.25", "'t'", "x'00'"}[random.below(4)], value);
    values += fmt::format("{}{}", values.empty() ? "" : ", ", value);
  }
  return fmt::format(
      "CREATE TABLE rocpd_kernel_dispatch ({}); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT "
      "i + 1 FROM n WHERE i < {}) "
      "INSERT INTO rocpd_kernel_dispatch ({}) SELECT {} FROM n; DELETE FROM rocpd_kernel_dispatch "
      "WHERE rowid % 7 = {};",
      declared, 1 + random.below(900), names, values, random.below(14));
}

TEST(LeafDecoder, EqualsTheApiOnTablesMadeByChance) {
  const TempDir folder;
  int decodes = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const std::string path = make_table(folder, random_table(random), 512 << random.below(8));
    bool decoded = false;
    ASSERT_EQ(decoder_difference(path, decoded), "");
    decodes += decoded ? 1 : 0;
  }
  EXPECT_GT(decodes, 60);
}

/// Overwrites some bytes, more often in the first bytes of pages, where their structure is.
void damage(std::string& bytes, Random& random, std::size_t page_bytes) {
  for (std::uint64_t i = random.below(4); i < 4; ++i) {
    std::size_t at = random.below(bytes.size());
    if (random.chance(0.6)) at = at / page_bytes * page_bytes + random.below(40);
    if (at < 100 && random.chance(0.8)) continue;
    if (at >= bytes.size()) continue;
    bytes[at] = random.chance(0.5) ? static_cast<char>(random.below(256))
                                   : static_cast<char>(bytes[at] ^ (1 << random.below(8)));
  }
}

TEST(LeafDecoder, EqualsTheApiOrFailsLikeItOnDamagedFiles) {
  const TempDir folder;
  for (const int page : {512, 1024, 4096}) {
    const std::string path = make_table(
        folder,
        fmt::format("CREATE TABLE rocpd_kernel_dispatch (id INTEGER PRIMARY KEY, {}); {}", kColumns,
                    kRows),
        page);
    std::ifstream file(path, std::ios::binary);
    const std::string whole{std::istreambuf_iterator<char>(file), {}};
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      SCOPED_TRACE(fmt::format("page {} seed {}", page, seed));
      Random random(seed);
      std::string bytes = whole;
      damage(bytes, random, static_cast<std::size_t>(page));
      if (random.chance(0.1)) bytes.resize(random.below(bytes.size()));
      bool decoded = false;
      ASSERT_EQ(decoder_difference(folder.write("damaged.db", bytes), decoded), "");
    }
  }
}

TEST(LeafDecoder, EndsWhenInterrupted) {
  const TempDir folder;
  GenerateOptions options;
  options.path = folder / "a.db";
  ASSERT_TRUE(test::generate_rocpd(options));
  interrupt::raise();
  const auto trace = open_trace(std::span(&options.path, 1));
  interrupt::clear();
  ASSERT_FALSE(trace);
  EXPECT_EQ(trace.error().code, Errc::interrupted);
}

}  // namespace
}  // namespace rpl
