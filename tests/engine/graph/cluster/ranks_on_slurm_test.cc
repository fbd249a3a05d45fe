// SPDX-License-Identifier: MIT
// Recordings of ranks are read by jobs of a cluster on this machine, and the answer is what reading them here gives.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "engine/base/files.h"
#include "engine/document/json.h"
#include "tests/support/ranks.h"
#include "tests/support/slurm_cluster.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using ::testing::HasSubstr;
using testing_support::SlurmCluster;
using testing_support::TempDir;
using testing_support::until;
using namespace std::chrono_literals;

class RanksOnSlurm : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string obstacle = SlurmCluster::obstacle(); !obstacle.empty())
      GTEST_SKIP() << obstacle;
    setenv("XDG_STATE_HOME", (folder / "state").c_str(), 1);
    cluster_.emplace();
    ASSERT_TRUE(cluster_->ready()) << cluster_->log();
    ASSERT_TRUE(test::generate_ranks({.folder = folder / "train",
                                      .ranks = 8,
                                      .ranks_of_host = 4,
                                      .steps = 12,
                                      .straggler = 5,
                                      .seed = 3}));
  }

  std::vector<std::string> line(const std::string& command) const {
    return {RPL_PROGRAM, "-q",
            "-nx",       "-batch",
            "--session", folder / ".rpl",
            "-ex",       "set slurm poll-ms 200",
            "-ex",       command};
  }
  Exit typed(const std::string& command) {
    auto exit = run({.argv = line(command), .cwd = folder.path(), .timeout = 120s});
    return exit ? std::move(*exit) : Exit{};
  }
  [[nodiscard]] std::string results() const {
    std::error_code ignored;
    for (std::filesystem::directory_iterator entry(folder / ".rpl/ranks", ignored), end;
         !ignored && entry != end; entry.increment(ignored))
      return entry->path().string() + "/slurm/results";
    return {};
  }
  static std::size_t jobs() {
    const std::string all =
        SlurmCluster::asked({"squeue", "--noheader", "--array", "--states=all", "--format=%i"});
    return static_cast<std::size_t>(std::ranges::count(all, '\n'));
  }

  const TempDir folder;
  std::optional<SlurmCluster> cluster_;
};

TEST_F(RanksOnSlurm, AnswerAsRecordingsThatAreReadHere) {
  for (const char* command :
       {"ranks{} train --json", "ranks{} train", "ranks steps{} train --json"}) {
    const std::string form = command;
    const auto with = [&](const char* option) {
      std::string out = form;
      return out.replace(out.find("{}"), 2, option);
    };
    const Exit here = typed(with("")), there = typed(with(" --target slurm --of-task 3"));
    ASSERT_TRUE(there.ok()) << there.err.text << cluster_->log();
    if (form == "ranks{} train") {
      EXPECT_EQ(here.out.text, there.out.text);
      EXPECT_THAT(there.err.text, HasSubstr("clocks of 2 hosts were aligned by collectives"));
      continue;
    }
    const auto a = parse_json(here.out.text), b = parse_json(there.out.text);
    ASSERT_TRUE(a && b) << there.out.text;
    for (const char* key : {"ranks", "collectives", "collectives_of_step", "steps", "step_ns",
                            "imbalance", "wait_share", "straggler", "rows", "provenance"}) {
      ASSERT_TRUE(a->find(key) != nullptr && b->find(key) != nullptr) << key;
      EXPECT_EQ(*a->find(key), *b->find(key)) << key;
    }
  }
  // What was reduced once is not read again: three tasks for three questions.
  EXPECT_EQ(jobs(), 3U);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(results()), {}), 3);
  std::printf("[   seen   ] 8 recordings in 3 tasks; summaries of %zu bytes\n",
              static_cast<std::size_t>(std::filesystem::file_size(results() + "/0.json")));
}

TEST_F(RanksOnSlurm, SayWhatANodeCouldNotRead) {
  std::ofstream(folder / "train/rank_3.db", std::ios::trunc) << "SQLite format 3";
  const Exit exit = typed("ranks train --target slurm");
  EXPECT_FALSE(exit.ok());
  EXPECT_THAT(exit.err.text, HasSubstr("on a node: "));
  EXPECT_THAT(exit.err.text, HasSubstr("rank_3.db"));
  // Once it is there it is read, as nothing of what failed is kept.
  ASSERT_TRUE(test::generate_ranks(
      {.folder = folder / "train", .ranks = 8, .ranks_of_host = 4, .steps = 12, .seed = 3}));
  const Exit again = typed("ranks train --target slurm");
  EXPECT_TRUE(again.ok()) << again.err.text;
}

TEST_F(RanksOnSlurm, RefuseASummaryThatWasChanged) {
  ASSERT_TRUE(typed("ranks train --target slurm").ok());
  const std::string result = results() + "/0.json";
  std::string text = read_text_file(result).value();
  text.replace(text.find("\"process\": 0"), 12, "\"process\": 9");
  ASSERT_TRUE(write_file(result, text));
  const Exit exit = typed("ranks train --target slurm");
  EXPECT_FALSE(exit.ok());
  EXPECT_THAT(exit.err.text, HasSubstr("0.json: a rank is of no process"));
  EXPECT_TRUE(typed("ranks train --target slurm").ok()) << "it is read again";
}

}  // namespace
}  // namespace rpl
