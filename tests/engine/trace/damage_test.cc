// SPDX-License-Identifier: MIT
// Recordings with damage that an answer would not show: it is said, and what is as it was written is not.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/store/database.h"
#include "engine/trace/import/database.h"
#include "engine/trace/import/open.h"
#include "tests/support/answers.h"
#include "tests/support/damaged_database.h"
#include "tests/support/generate.h"
#include "tests/support/recordings.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using test::Answers;
using test::DatabaseDamage;
using test::GenerateOptions;
using testing_support::TempDir;

GenerateOptions options(const TempDir& folder, bool api = false) {
  GenerateOptions out;
  out.path = folder / "good.db";
  out.workload.dispatches = 2500;
  out.api = out.markers = api;
  out.counters = api ? 1 : 0;
  return out;
}

std::string generated(const TempDir& folder, bool api = false) {
  const GenerateOptions of = options(folder, api);
  EXPECT_TRUE(test::generate_rocpd(of));
  return of.path;
}

std::vector<std::string> damage_of(const std::string& path) {
  const auto trace = open_trace(std::vector{path});
  if (!trace) return {trace.error().message};
  static_cast<void>((*trace)->ask({Fact::calls}));
  return (*trace)->damage();
}

bool any_has(const std::vector<std::string>& all, std::string_view part) {
  return std::ranges::any_of(
      all, [&](const std::string& one) { return one.find(part) != std::string::npos; });
}

/// Changes rows as SQL does, so that all pages stay in order.
std::string changed(const TempDir& folder, const std::string& sql) {
  GenerateOptions of = options(folder, true);
  of.suffix = false;
  EXPECT_TRUE(test::generate_rocpd(of));
  Database database = Database::open(of.path).value();
  EXPECT_TRUE(database.execute("PRAGMA foreign_keys=OFF"));
  EXPECT_TRUE(database.execute(sql)) << sql;
  EXPECT_TRUE(database.execute("PRAGMA journal_mode=DELETE"));
  return of.path;
}

TEST(Damage, OfPagesChangesNoAnswerWithoutAWord) {
  const TempDir folder;
  const std::string path = generated(folder);
  const Answers good = test::answers_of(path);
  const std::string bytes = folder.read("good.db");
  std::size_t broken = 0, noticed = 0;
  for (const DatabaseDamage& damage : test::database_damages()) {
    if (!damage.structural) continue;
    for (std::uint64_t variant = 0; variant < 6; ++variant) {
      test::Random random(variant);
      test::PagesOf pages(bytes);
      if (!damage.apply(pages, "rocpd_kernel_dispatch", random)) continue;
      ++broken;
      const Answers answers = test::answers_of(folder.write("damaged.db", pages.bytes()));
      for (std::size_t i = 0; i < Answers::kQuestions.size(); ++i) {
        const test::Verdict verdict = test::compare(good, answers, i);
        EXPECT_NE(verdict, test::Verdict::silent)
            << damage.name << " variant " << variant << ": " << Answers::kQuestions[i];
        noticed += verdict == test::Verdict::refused || verdict == test::Verdict::said ? 1 : 0;
      }
    }
  }
  EXPECT_GT(broken, 80U);
  EXPECT_GT(noticed, 2 * broken);
}

TEST(Damage, IsNotFoundInWhatSqliteWrote) {
  const TempDir folder;
  for (const char* version : {"3", "3.0.4", "4.1"}) {
    for (const unsigned page : {512U, 4096U, 65536U}) {
      SCOPED_TRACE(fmt::format("{} {}", version, page));
      GenerateOptions of = options(folder, true);
      of.version = version;
      of.page_bytes = page;
      of.processes = page == 4096 ? 2 : 1;
      ASSERT_TRUE(test::generate_rocpd(of));
      EXPECT_EQ(damage_of(of.path), std::vector<std::string>());
      const auto verified = verify_recording(of.path);
      ASSERT_TRUE(verified) << verified.error().message;
      EXPECT_EQ(verified->findings, std::vector<std::string>());
      EXPECT_GT(verified->tables.size(), 10U);
    }
  }
}

TEST(Damage, IsNotFoundInARealRecording) {
  RPL_RECORDING_OR_SKIP(path, "rocpd/mi350x_train.db");
  EXPECT_EQ(damage_of(path), std::vector<std::string>());
  const auto verified = verify_recording(path);
  ASSERT_TRUE(verified);
  EXPECT_EQ(verified->findings, std::vector<std::string>());
}

TEST(Damage, NoCodeObjectIsNoneOfARealRecordingOfRpd) {
  RPL_RECORDING_OR_SKIP(path, "rocpd/rpd/matmul_result.rpd");
  const auto verified = verify_recording(path);
  ASSERT_TRUE(verified);
  EXPECT_EQ(verified->findings, std::vector<std::string>());
}

TEST(Damage, AnEmptyReferenceIsNone) {
  const TempDir folder;
  const auto found = [&](const char* reference) {
    const std::string path = changed(
        folder, fmt::format("CREATE TABLE named(id INTEGER PRIMARY "
                            "KEY); CREATE TABLE naming(of INTEGER REFERENCES named(id)); INSERT "
                            "INTO naming VALUES ({}), (''), (NULL)",
                            reference)
                    .c_str());
    const auto verified = verify_recording(path);
    return verified ? verified->findings : std::vector{verified.error().message};
  };
  EXPECT_EQ(found("''"), std::vector<std::string>());
  EXPECT_EQ(found("7"), std::vector<std::string>{"1 reference of naming to named leads nowhere"});
}

TEST(Damage, RowsThatAreNoneOfTheirTableAreSaid) {
  const TempDir folder;
  const std::string path = generated(folder, true);
  const std::string bytes = folder.read("good.db");
  const auto exchanged = [&](std::string_view one, std::string_view other) {
    test::PagesOf pages(bytes);
    const std::uint32_t a = pages.roots(one).at(0), b = pages.roots(other).at(0);
    std::swap_ranges(pages.page(a), pages.page(a) + pages.page_bytes(), pages.page(b));
    return damage_of(folder.write("damaged.db", pages.bytes()));
  };
  EXPECT_TRUE(any_has(exchanged("rocpd_string", "rocpd_info_thread"), "rocpd_string"));
  EXPECT_TRUE(any_has(exchanged("rocpd_string", "rocpd_metadata"), "none of this table"));
  EXPECT_TRUE(any_has(exchanged("rocpd_info_node", "rocpd_info_thread"), "none of this table"));
  EXPECT_TRUE(any_has(exchanged("rocpd_info_process", "rocpd_info_agent"), "none of this table"));
  // A table without rows has no row that could be another's; what was written once is missing from the other.
  EXPECT_TRUE(any_has(exchanged("rocpd_string", "rocpd_memory_allocate"),
                      "rocpd_string ends with row 0, and rows up to"));
  EXPECT_TRUE(any_has(exchanged("rocpd_memory_copy", "rocpd_memory_allocate"),
                      "rocpd_memory_copy has no rows, and rows up to"));
  EXPECT_TRUE(damage_of(path).empty());
}

TEST(Damage, RowsOfTablesReadLaterThatAreNoneOfThemAreSaid) {
  const TempDir folder;
  generated(folder, true);
  const std::string bytes = folder.read("good.db");
  const auto exchanged = [&](std::string_view one, std::string_view other) {
    test::PagesOf pages(bytes);
    const std::uint32_t a = pages.roots(one).at(0), b = pages.roots(other).at(0);
    std::swap_ranges(pages.page(a), pages.page(a) + pages.page_bytes(), pages.page(b));
    const auto trace = open_trace(std::vector{folder.write("damaged.db", pages.bytes())});
    if (!trace || !(*trace)->ask({Fact::copies, Fact::calls, Fact::orders, Fact::markers}))
      return std::vector<std::string>();
    return (*trace)->damage();
  };
  for (const char* table : {"rocpd_arg", "rocpd_memory_copy", "rocpd_region", "rocpd_sample"}) {
    SCOPED_TRACE(table);
    EXPECT_TRUE(any_has(exchanged(table, "rocpd_info_code_object"),
                        std::string(table) + " holds a row that is none of this table"));
  }
  // Rows of counters have the columns of samples; there are other numbers of them.
  EXPECT_TRUE(any_has(exchanged("rocpd_sample", "rocpd_pmc_event"), "rocpd_sample ends with row"));
}

TEST(Damage, ARowWhoseLengthsDoNotAddUpIsSaidWhateverItHolds) {
  const TempDir folder;
  generated(folder, true);
  test::PagesOf pages(folder.read("good.db"));
  // A small number of a row of events becomes a real of eight bytes, which SQLite would take out of what follows.
  const std::uint32_t leaf = pages.of_tree(pages.roots("rocpd_event").at(0), 0x0d).at(3);
  std::uint8_t* const page = pages.page(leaf);
  std::uint8_t* const cell = page + (page[8] << 8 | page[9]);
  // Length of the row, its id in two bytes, length of the header; then id, guid, category.
  constexpr std::uint8_t kGuid = 2 * 36 + 13, kReal = 7;
  ASSERT_EQ(cell[5], kGuid);
  ASSERT_LT(cell[6], 10);
  cell[6] = kReal;
  const auto damage = damage_of(folder.write("damaged.db", pages.bytes()));
  EXPECT_TRUE(any_has(damage, "of rocpd_event")) << fmt::format("{}", fmt::join(damage, "\n"));
}

TEST(Damage, ATextWhereAWholeNumberBelongsIsSaid) {
  const TempDir folder;
  const std::string path = changed(folder, "UPDATE rocpd_info_agent SET type_index = 'first'");
  EXPECT_TRUE(any_has(damage_of(path), "rocpd_info_agent holds a row that is none of this table"))
      << fmt::format("{}", fmt::join(damage_of(path), "\n"));
}

TEST(Damage, PagesThatSqliteFreedPartsOfAddUp) {
  const TempDir folder;
  const std::string path =
      changed(folder,
              "UPDATE rocpd_kernel_dispatch SET extdata = hex(zeroblob(id % 90)) WHERE id % 3 = 0;"
              "UPDATE rocpd_kernel_dispatch SET extdata = '{}' WHERE id % 3 = 0;"
              "UPDATE rocpd_event SET extdata = hex(zeroblob(9000)) WHERE id % 500 = 0");
  EXPECT_EQ(damage_of(path), std::vector<std::string>());
}

TEST(Damage, RowsThatWereDeletedAreSaid) {
  const TempDir folder;
  EXPECT_TRUE(
      any_has(damage_of(changed(folder, "DELETE FROM rocpd_kernel_dispatch WHERE id = 1000")),
              "rocpd_kernel_dispatch has 2499 rows and row ids up to 2500"));
  EXPECT_TRUE(
      any_has(damage_of(changed(folder, "DELETE FROM rocpd_kernel_dispatch WHERE id > 2490")),
              "rocpd_kernel_dispatch ends with row 2490, and rows up to 2500 were written"));
}

TEST(Damage, TimesOutsideOfTheProcessAreSaid) {
  const TempDir folder;
  EXPECT_TRUE(
      any_has(damage_of(changed(folder,
                                "UPDATE rocpd_kernel_dispatch SET \"end\" = \"end\" + (1 << "
                                "38) WHERE id = 77")),
              "ended after its process did"));
  EXPECT_TRUE(
      any_has(damage_of(changed(folder,
                                "UPDATE rocpd_kernel_dispatch SET start = start - (1 << 38) "
                                "WHERE id = 77")),
              "began before its process did"));
}

TEST(Damage, ADispatchThatCannotHaveTakenSoLongIsSaid) {
  const TempDir folder;
  const std::string path = changed(
      folder,
      "UPDATE rocpd_kernel_dispatch SET \"end\" = start + 1000;"
      "UPDATE rocpd_kernel_dispatch SET \"end\" = (SELECT max(\"end\") FROM rocpd_kernel_dispatch) "
      "WHERE id = 20;"
      "UPDATE rocpd_kernel_dispatch SET kernel_id = (SELECT kernel_id FROM rocpd_kernel_dispatch "
      "WHERE id = 20), grid_size_x = 64, grid_size_y = 1, grid_size_z = 1, workgroup_size_x = 64, "
      "workgroup_size_y = 1, workgroup_size_z = 1");
  EXPECT_TRUE(any_has(damage_of(path), "times the others of its kernel"));
}

TEST(Damage, ADispatchThatRanWhereNoneCanIsSaid) {
  const TempDir folder;
  EXPECT_TRUE(any_has(
      damage_of(changed(folder, "UPDATE rocpd_kernel_dispatch SET agent_id = 0 WHERE id = 77")),
      "ran on an agent that is no GPU"));
}

TEST(Damage, ReferencesThatLeadNowhereAreSaid) {
  const TempDir folder;
  const std::string path =
      changed(folder, "UPDATE rocpd_kernel_dispatch SET event_id = 900000000 WHERE id = 77");
  EXPECT_TRUE(any_has(damage_of(path), "names an event that is not in the file"));
  const auto verified = verify_recording(path);
  ASSERT_TRUE(verified);
  EXPECT_TRUE(any_has(verified->findings, "leads nowhere"));
}

TEST(Damage, OfATableReadLaterIsSaidOnceItIsRead) {
  const TempDir folder;
  const std::string path = generated(folder, true);
  test::PagesOf pages(folder.read("good.db"));
  const auto less = std::ranges::find(
      test::database_damages(), std::string_view("cell count one less"), &DatabaseDamage::name);
  test::Random random(3);
  ASSERT_TRUE(less->apply(pages, "rocpd_region", random));
  const auto trace = open_trace(std::vector{folder.write("damaged.db", pages.bytes())});
  ASSERT_TRUE(trace);
  EXPECT_EQ((*trace)->damage(), std::vector<std::string>());
  ASSERT_TRUE((*trace)->ask({Fact::calls}));
  EXPECT_TRUE(any_has((*trace)->damage(), "rocpd_region does not account for all of its bytes"));
}

TEST(Damage, AnythingOddBringsTheWholeFileToBeLookedThrough) {
  const TempDir folder;
  const std::string path = generated(folder, true);
  test::PagesOf pages(folder.read("good.db"));
  const auto less = std::ranges::find(
      test::database_damages(), std::string_view("cell count one less"), &DatabaseDamage::name);
  test::Random random(3);
  ASSERT_TRUE(less->apply(pages, "rocpd_kernel_dispatch", random));
  ASSERT_TRUE(less->apply(pages, "rocpd_region", random));
  const auto trace = open_trace(std::vector{folder.write("damaged.db", pages.bytes())});
  ASSERT_TRUE(trace);
  // Nobody has asked for the regions.
  EXPECT_TRUE(any_has((*trace)->damage(), "of rocpd_region"));
}

}  // namespace
}  // namespace rpl
