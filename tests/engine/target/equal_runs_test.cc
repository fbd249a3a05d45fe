// SPDX-License-Identifier: MIT
// Three databases of the same program, cell by cell.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "engine/store/database.h"
#include "engine/target/emu/emulated_run.h"
#include "tests/support/temp_dir.h"

namespace rpl::profile {
namespace {

using ::testing::ElementsAre;

#ifdef RPL_HIP_EXAMPLE

using Rows = std::vector<std::vector<std::string>>;

/// What one run left, by names of tables without the id of the run.
struct Content {
  std::map<std::string, Rows> columns, rows;
  std::string guid, schema;  ///< the statements that make tables and views
};

Rows rows_of(Database& database, const std::string& query) {
  Rows out;
  auto rows = database.prepare(query);
  EXPECT_TRUE(rows.has_value()) << query;
  while (rows && *rows->step()) {
    auto& row = out.emplace_back();
    for (int i = 0; i < rows->column_count(); ++i) row.emplace_back(rows->text(i));
  }
  return out;
}

std::string without(std::string text, const std::string& guid) {
  std::string suffix = guid;
  std::ranges::replace(suffix, '-', '_');
  for (const std::string& id : {guid, suffix}) {
    for (std::size_t at = text.find(id); at != std::string::npos; at = text.find(id, at))
      text.replace(at, id.size(), "RUN");
  }
  return text;
}

Content content_of(const EmulatedProcess& process) {
  Content out;
  auto database = Database::open_copy(process.database);
  EXPECT_TRUE(database.has_value());
  out.guid = rows_of(*database, "SELECT value FROM rocpd_metadata WHERE tag = 'guid'").at(0).at(0);
  for (const auto& row : rows_of(*database, "SELECT name, sql FROM sqlite_master ORDER BY rowid"))
    out.schema += without(row[1], out.guid) + ";\n";
  for (const auto& row : rows_of(
           *database,
           "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")) {
    const std::string table = without(row[0], out.guid);
    out.columns[table] =
        rows_of(*database, fmt::format("SELECT name FROM pragma_table_info('{}')", row[0]));
    out.rows[table] = rows_of(*database, fmt::format("SELECT * FROM \"{}\"", row[0]));
  }
  return out;
}

/// The columns with a cell that differs, the guid taken out before.
std::set<std::string> differing(const Content& a, const Content& b) {
  std::set<std::string> out;
  for (const auto& [table, rows] : a.rows) {
    const Rows& others = b.rows.at(table);
    EXPECT_EQ(rows.size(), others.size()) << table;
    for (std::size_t row = 0; row < std::min(rows.size(), others.size()); ++row) {
      for (std::size_t i = 0; i < rows[row].size(); ++i) {
        if (without(rows[row][i], a.guid) != without(others[row][i], b.guid))
          out.insert(a.columns.at(table).at(i).at(0));
      }
    }
  }
  return out;
}

class EqualRuns : public testing::Test {
 protected:
  Content content(const std::string& folder) {
    auto outcome = run_emulated({.argv = {RPL_HIP_EXAMPLE, "--dispatches", "20"},
                                 .gpu = "",
                                 .folder = folder_ / folder,
                                 .counters = {"SQ_WAVES", "TCC_EA0_RDREQ_sum"}});
    EXPECT_TRUE(outcome.has_value()) << outcome.error().message;
    return outcome ? content_of(outcome->processes.at(0)) : Content{};
  }
  testing_support::TempDir folder_;
};

// Times are the virtual clock's, addresses and handles are numbered: what is left are the names of process and run.
TEST_F(EqualRuns, DifferInTheIdsOfProcessAndRunAlone) {
  const Content first = content("one");
  ASSERT_GT(first.rows.size(), 15U);
  const auto has_rows = [&](const std::string& table) {
    return first.rows.contains(table) && !first.rows.at(table).empty();
  };
  for (const char* table : {"rocpd_kernel_dispatch_RUN", "rocpd_region_RUN",
                            "rocpd_memory_copy_RUN", "rocpd_pmc_event_RUN"})
    EXPECT_TRUE(has_rows(table)) << table;
  for (const std::string folder : {"two", "three"}) {
    const Content other = content(folder);
    EXPECT_NE(first.guid, other.guid);
    EXPECT_EQ(first.schema, other.schema);
    std::set<std::string> columns = differing(first, other);
    columns.erase("ppid");  // the same where one program started both
    EXPECT_THAT(columns, ElementsAre("id", "pid", "tid"));
  }
}

#endif

}  // namespace
}  // namespace rpl::profile
