// SPDX-License-Identifier: MIT
#include "engine/trace/views/views.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "engine/store/database.h"
#include "engine/trace/views/sql_tables.h"
#include "tests/support/temp_dir.h"
#include "tests/support/tiny_trace.h"

namespace rpl {
namespace {

using rpl::testing::TinyTrace;
using ::testing::HasSubstr;
using testing_support::TempDir;

std::shared_ptr<const Trace> recorded() {
  TinyTrace tiny;
  tiny.ops = {{"gemm", 0, 0, 1'000, 2'000, 1},
              {"gemm", 0, 1, 2'500, 3'000, 2},
              {"sum", 1, -1, 3'500, 4'000, 0}};
  tiny.copies = {{0, 4'000, 5'000, 4}};
  tiny.calls = {{7, 100, 200, 1}, {7, 300, 400, 2}};
  tiny.markers = {{100, 900, 0, 7, "step 1"}};
  return tiny.build();
}

/// All rows as text, cells by "|", rows by lines.
std::string rows_of(Database& database, const std::string& query) {
  auto statement = database.prepare(query);
  if (!statement) return statement.error().message;
  std::string out;
  while (true) {
    const auto more = statement->step();
    if (!more) return more.error().message;
    if (!*more) return out;
    for (int i = 0; i < statement->column_count(); ++i) {
      if (i > 0) out += '|';
      out += statement->is_null(i) ? "NULL" : std::string(statement->text(i));
    }
    out += '\n';
  }
}

Database asked(const std::shared_ptr<const Trace>& trace) {
  Database database = Database::open_empty().value();
  EXPECT_TRUE(views::add_views(database, trace));
  return database;
}

TEST(Views, AreAskedWithoutADatabaseOfTheRecorder) {
  Database database = asked(recorded());
  EXPECT_EQ(rows_of(database,
                    "select name, count(*), sum(duration_ns) from rpl_dispatches group by name"),
            "gemm|2|1500\nsum|1|500\n");
  EXPECT_EQ(
      rows_of(database,
              "select d.id, k.name, d.queue from rpl_dispatches d join rpl_kernels k on k.id = "
              "d.kernel where d.stream = 1"),
      "3|sum|NULL\n");
  EXPECT_EQ(rows_of(database, "select text, duration_ns from rpl_markers"), "step 1|800\n");
  EXPECT_EQ(rows_of(database, "select count(*) from rpl_counters"), "0\n");
}

TEST(Views, JoinLaunchesToTheirCalls) {
  Database database = asked(recorded());
  EXPECT_EQ(rows_of(database,
                    "select d.id, d.start_ns - c.start_ns from rpl_dispatches d join rpl_calls c "
                    "using (process, correlation)"),
            "1|900\n2|2200\n");
  // What one query left out the next one reads.
  EXPECT_EQ(rows_of(database, "select correlation from rpl_dispatches where id = 3"), "NULL\n");
}

TEST(Views, NothingIsWrittenAndNoOtherFileIsOpened) {
  const TempDir folder;
  Database database = asked(recorded());
  EXPECT_NE(rows_of(database, "delete from rpl_dispatches"), "");
  EXPECT_NE(rows_of(database, "create table t (x)"), "");
  EXPECT_THAT(rows_of(database, "attach '" + folder / "other.db" + "' as other"),
              HasSubstr("not authorized"));
}

TEST(Views, AWrittenDatabaseHasTheSameRows) {
  const TempDir folder;
  const auto trace = recorded();
  const std::string path = folder / "out.sqlite";
  const auto written = views::write_views(trace, path, {});
  ASSERT_TRUE(written);
  EXPECT_EQ(written->views, views::all_views().size());
  Database file = Database::open_foreign(path, true).value();
  Database live = asked(trace);
  for (const views::View& view : views::all_views()) {
    const std::string query = "select * from " + std::string(view.name);
    EXPECT_EQ(rows_of(file, query), rows_of(live, query)) << view.name;
  }
}

TEST(Views, SayWhatEachColumnIs) {
  for (const views::View& view : views::all_views()) {
    EXPECT_TRUE(view.name.starts_with("rpl_"));
    EXPECT_LT(view.columns.size(), 31U) << "the bits of what a query uses";
    std::set<std::string_view> names;
    for (const views::ViewColumn& column : view.columns) {
      EXPECT_FALSE(column.help.empty());
      EXPECT_TRUE(names.insert(column.name).second) << column.name;
      EXPECT_TRUE(!column.repeats || column.type == views::CellType::text) << column.name;
    }
  }
}

}  // namespace
}  // namespace rpl
