// SPDX-License-Identifier: MIT
// What a command reads of a recording: the pages of the tables that its answer takes, and no others.
#include <map>
#include <set>

#include "engine/graph/graph.h"
#include "shell/core/session/workspace.h"
#include "tests/shell/commands/fixture.h"
#include "tests/support/generate.h"

namespace rpl {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;
using testing_support::ShellTest;

class ReadingTest : public ShellTest {
 protected:
  ReadingTest() {
    test::GenerateOptions made;
    made.path = folder / "full.db";
    made.workload.dispatches = 20'000;
    // Few calls need their arguments, as in a training step.
    made.workload.event_share = made.workload.sync_share = 0.0005;
    made.api = made.markers = true;
    made.counters = 2;
    const auto written = test::generate_rocpd(made);
    EXPECT_TRUE(written.has_value()) << written.error().message;
  }

  std::shared_ptr<const Trace> trace() {
    return context.workspace().current().value()->get({}).value();
  }
  /// The tables that a command has read pages of, in a shell that read nothing else.
  std::set<std::string> tables_read(const std::string& line) {
    read_.clear();
    shown("open full.db");
    shown(line);
    std::set<std::string> tables;
    for (const TableReading& table : trace()->reading()) {
      EXPECT_EQ(table.through_api, 0U) << table.table << " of " << line;
      EXPECT_LE(table.pages, table.of) << table.table;
      if (table.pages > 0) tables.insert(table.table);
      read_[table.table] = table;
    }
    shown("close");
    return tables;
  }
  [[nodiscard]] double share_read(const std::string& table) const {
    return static_cast<double>(read_.at(table).pages) / static_cast<double>(read_.at(table).of);
  }

 private:
  std::map<std::string, TableReading> read_;
};

/// What a path is made of. Who adds a column that takes another table makes `critpath` dear for everybody: let it be asked for.
const std::set<std::string> kOfAPath{"rocpd_kernel_dispatch", "rocpd_memory_copy", "rocpd_event",
                                     "rocpd_region", "rocpd_arg"};

TEST_F(ReadingTest, PathsReadNeitherCountersNorMarkers) {
  for (const char* line : {"critpath", "critpath --json", "slack", "gaps", "timeline",
                           "dag summary", "info dispatches", "overlap"}) {
    for (const std::string& table : tables_read(line))
      EXPECT_THAT(kOfAPath, Contains(table)) << line;
  }
}

TEST_F(ReadingTest, ArgumentsAreReadWhereCallsNeedThem) {
  tables_read("critpath");
  EXPECT_EQ(share_read("rocpd_kernel_dispatch"), 1);
  EXPECT_EQ(share_read("rocpd_event"), 1);
  EXPECT_GT(share_read("rocpd_arg"), 0);
  EXPECT_LT(share_read("rocpd_arg"), 0.3);
}

TEST_F(ReadingTest, EachTableIsReadByWhoAsksForIt) {
  EXPECT_THAT(tables_read("info kernels"), ElementsAre("rocpd_kernel_dispatch"));
  EXPECT_THAT(tables_read("summary --json"), Contains("rocpd_kernel_dispatch"));
  EXPECT_THAT(tables_read("info api"),
              UnorderedElementsAre("rocpd_kernel_dispatch", "rocpd_event", "rocpd_region"));
  EXPECT_THAT(tables_read("info copies"),
              UnorderedElementsAre("rocpd_kernel_dispatch", "rocpd_event", "rocpd_memory_copy"));
  EXPECT_THAT(tables_read("info counters"),
              UnorderedElementsAre("rocpd_kernel_dispatch", "rocpd_pmc_event"));
  EXPECT_THAT(tables_read("info markers"),
              UnorderedElementsAre("rocpd_kernel_dispatch", "rocpd_event", "rocpd_region",
                                   "rocpd_sample", "rocpd_memory_copy"))
      << "times count from the first operation, which may be a copy";
  EXPECT_THAT(tables_read("critpath --priority"), Contains("rocpd_pmc_event"));
}

TEST_F(ReadingTest, ComparingReadsMarkersAndOfTheirTextsWhatIsNearThem) {
  test::GenerateOptions other;
  other.path = folder / "bare.db";
  other.workload.dispatches = 1000;
  ASSERT_TRUE(test::generate_rocpd(other).has_value());
  EXPECT_THAT(tables_read("compare full.db bare.db"), ElementsAre("rocpd_kernel_dispatch"))
      << "one of them has no markers";
  EXPECT_THAT(
      tables_read("compare full.db full.db"),
      UnorderedElementsAre("rocpd_kernel_dispatch", "rocpd_event", "rocpd_region", "rocpd_sample"));
}

TEST_F(ReadingTest, PagesReadAreNoMoreThanThePriceThatWasNamed) {
  shown("open full.db");
  const auto opened = trace();
  const auto pages = [&] { return opened->pages_read(0).size(); };
  for (const Fact fact : {Fact::copy_places, Fact::counters, Fact::calls, Fact::orders}) {
    const std::uint64_t price = opened->price({fact}).value();
    const std::size_t before = pages();
    ASSERT_TRUE(opened->ask({fact}).has_value());
    EXPECT_GT(price, 0U);
    EXPECT_LE(pages() - before, price);
  }
  EXPECT_FALSE(graph_facts(opened->presence()).has(Fact::counters));
  EXPECT_FALSE(graph_facts(opened->presence()).has(Fact::markers));
}

}  // namespace
}  // namespace rpl
