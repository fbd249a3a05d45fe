// SPDX-License-Identifier: MIT
// Several files opened as one trace, as docs/trace-formats.md describes it.
#include <algorithm>
#include <map>

#include "engine/trace/import/open.h"
#include "tests/support/generate.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing_support::TempDir;
using TracePtr = std::shared_ptr<const Trace>;

/// One process of a run, in a file of its own, on two GPUs.
std::string process_file(const TempDir& folder, unsigned process, std::int64_t start_ns) {
  test::GenerateOptions options;
  options.path = folder / fmt::format("p{}.db", process);
  options.first_process = process;
  options.workload.dispatches = 300;
  options.workload.gpus = 2;
  options.workload.copy_share = 0.1;
  options.workload.start_ns = start_ns;
  options.api = true;
  options.counters = 1;
  EXPECT_TRUE(test::generate_rocpd(options));
  return options.path;
}

TracePtr opened(const std::vector<std::string>& paths) {
  auto trace = open_trace(paths);
  EXPECT_TRUE(trace) << (trace ? "" : trace.error().message);
  return *trace;
}

/// Two processes that start within a millisecond of one another.
class Merge : public ::testing::Test {
 protected:
  static constexpr std::int64_t kFirst = 3'000'000'000'000, kSecond = kFirst + 400'000;
  TempDir folder;
  std::string a = process_file(folder, 0, kFirst), b = process_file(folder, 1, kSecond);
  TracePtr one = opened({a}), other = opened({b}), both = opened({a, b});
};

TEST_F(Merge, KeepsTheClockOfTheRecordings) {
  std::vector<std::int64_t> separate, together;
  for (const TracePtr& trace : {one, other}) {
    for (std::size_t row = 0; row < trace->size(); ++row) separate.push_back(trace->start_ns(row));
  }
  std::ranges::sort(separate);
  for (std::size_t row = 0; row < both->size(); ++row) together.push_back(both->start_ns(row));
  EXPECT_EQ(together, separate) << "sorted, and no time moved";
  EXPECT_EQ(both->extent_ns().first, std::min(one->extent_ns().first, other->extent_ns().first));
  EXPECT_EQ(both->extent_ns().second, std::max(one->extent_ns().second, other->extent_ns().second));
  std::size_t changes = 0;
  for (std::size_t row = 1; row < both->size(); ++row) {
    changes += both->lane(row).process != both->lane(row - 1).process ? 1 : 0;
  }
  EXPECT_GT(changes, 10U) << "the processes ran at the same time";
}

TEST_F(Merge, KeepsRecordedIdsByProcess) {
  ASSERT_EQ(both->entities().processes.size(), 2U);
  EXPECT_EQ(both->entities().processes[0].file, 0U);
  EXPECT_EQ(both->entities().processes[1].file, 1U);
  EXPECT_NE(both->entities().processes[0].guid, both->entities().processes[1].guid);
  std::map<std::uint32_t, std::vector<std::int64_t>> ids;
  for (std::size_t row = 0; row < both->size(); ++row) {
    ids[both->lane(row).process].push_back(both->dispatch_id(row));
  }
  for (const auto& [process, trace] : {std::pair{0U, one}, std::pair{1U, other}}) {
    std::vector<std::int64_t> expected;
    for (std::size_t row = 0; row < trace->size(); ++row)
      expected.push_back(trace->dispatch_id(row));
    EXPECT_EQ(ids[process], expected);
  }
}

TEST_F(Merge, AgentsQueuesAndStreamsBelongToTheirProcess) {
  const TraceEntities& entities = both->entities();
  EXPECT_EQ(entities.agents.size(),
            one->entities().agents.size() + other->entities().agents.size());
  EXPECT_EQ(entities.queues.size(),
            one->entities().queues.size() + other->entities().queues.size());
  std::map<std::uint32_t, std::vector<std::uint32_t>> agents;
  for (std::size_t row = 0; row < both->size(); ++row) {
    const Lane& lane = both->lane(row);
    ASSERT_EQ(entities.agents[lane.agent].process, lane.process);
    ASSERT_EQ(entities.queues[lane.queue].process, lane.process);
    ASSERT_EQ(entities.streams[lane.stream].process, lane.process);
    auto& seen = agents[lane.process];
    if (std::ranges::find(seen, lane.agent) == seen.end()) seen.push_back(lane.agent);
  }
  EXPECT_EQ(agents[0].size(), 2U) << "both GPUs";
  EXPECT_EQ(agents[1].size(), 2U);
}

TEST_F(Merge, ReadsTheTablesOfEveryFile) {
  EXPECT_EQ((*both->copies())->rows.size(),
            (*one->copies())->rows.size() + (*other->copies())->rows.size());
  EXPECT_EQ((*both->counters())->rows.size(),
            (*one->counters())->rows.size() + (*other->counters())->rows.size());
  const ApiTable& api = **both->api();
  EXPECT_EQ(api.rows.size(), (*one->api())->rows.size() + (*other->api())->rows.size());
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::size_t> launches;
  for (const ApiCall& call : api.rows) ++launches[{call.process, call.correlation}];
  for (std::size_t row = 0; row < both->size(); ++row) {
    const auto correlation = api.dispatch_correlation[row];
    ASSERT_NE(correlation, 0U);
    EXPECT_TRUE(launches.contains({both->lane(row).process, correlation}))
        << "a dispatch was launched by a call of its own process";
  }
}

TEST_F(Merge, TheOrderOfTheFilesDoesNotMatter) {
  const auto swapped = opened({b, a});
  ASSERT_EQ(swapped->size(), both->size());
  for (std::size_t row = 0; row < both->size(); ++row) {
    ASSERT_EQ(swapped->start_ns(row), both->start_ns(row));
  }
}

TEST_F(Merge, LeavesOutAFileThatIsNamedTwice) {
  std::filesystem::create_symlink(a, folder / "link.db");
  for (const std::string& again : {a, folder.path() + "/./p0.db", folder / "link.db"}) {
    SCOPED_TRACE(again);
    const auto trace = opened({a, again});
    EXPECT_EQ(trace->size(), one->size());
    EXPECT_THAT(trace->entities().notes, Contains(HasSubstr("left out")));
  }
}

TEST_F(Merge, LeavesOutACopyOfAFile) {
  std::filesystem::copy_file(a, folder / "copy.db");
  const auto trace = opened({a, folder / "copy.db", b});
  EXPECT_EQ(trace->size(), both->size());
  EXPECT_THAT(trace->entities().notes, ElementsAre(HasSubstr("holds the same recording")));
}

TEST_F(Merge, SaysNothingOfTwoProcessesOfOneHost) {
  EXPECT_THAT(both->entities().notes, IsEmpty());
}

TEST(MergeCsv, LeavesOutAFileThatIsNamedTwice) {
  const TempDir folder;
  const std::string path = folder.write(
      "a_kernel_trace.csv",
      "\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Kernel_Name\",\"Start_Timestamp\",\"End_Timestamp\"\n"
      "\"KERNEL_DISPATCH\",\"Agent 4\",1,\"gemm\",100,200\n");
  const auto trace = opened({path, path});
  EXPECT_EQ(trace->size(), 1U) << "without a guid the name tells";
  EXPECT_THAT(trace->entities().notes, Contains(HasSubstr("left out")));
}

}  // namespace
}  // namespace rpl
