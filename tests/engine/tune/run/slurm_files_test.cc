// SPDX-License-Identifier: MIT
#include "engine/target/slurm/job_arrays.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/tune/run/slurm.h"
#include "tests/support/temp_dir.h"

namespace rpl::tune {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;

TEST(SlurmFiles, TellAJobsResultAndNothingElse) {
  const testing_support::TempDir folder;
  const SlurmFiles files(folder.path());
  ASSERT_TRUE(files.make());
  const Space space = *Space::product({Parameter{"A", {1, 2, 3}}}, {});
  ASSERT_TRUE(files.write_batch(2, {2, 0}));
  ASSERT_TRUE(files.write_batch(10, {1}));
  EXPECT_THAT(files.batches(), ElementsAre(2, 10));
  EXPECT_THAT(*files.points_of(2), ElementsAre(2U, 0U));
  EXPECT_FALSE(files.points_of(3));
  EXPECT_FALSE(*result_of(files, 1, space));
  ASSERT_TRUE(
      write_result(files, {.point = 1, .ok = false, .stage = "run", .reason = "no"}, space));
  EXPECT_EQ((*result_of(files, 1, space))->reason, "no");
  folder.write("slurm/results/0.json", "{");
  EXPECT_FALSE(result_of(files, 0, space));
  folder.write("slurm/results/2.json", folder.read("slurm/results/1.json"));
  EXPECT_FALSE(result_of(files, 2, space)) << "it is of another configuration";
  folder.write("slurm/logs/b2_77_1.txt", "one\nslurmstepd: error: the end\n");
  EXPECT_EQ(files.last_words(2, 1), "slurmstepd: error: the end");
  EXPECT_EQ(files.last_words(2, 0), "");
}

TEST(Slurm, AsksForWhatIsWanted) {
  SlurmOptions options{.account = "proj",
                       .partition = "mi300",
                       .time_limit = "00:05:00",
                       .gpus_per_task = 2,
                       .extra = {"--exclusive"}};
  const auto line =
      cluster::sbatch_line(options, "rpl-x-n1-b1", 4, "/shared/logs/b1_", "/shared/b1.sh", "/work");
  for (const char* word :
       {"--account=proj", "--partition=mi300", "--time=00:05:00", "--gpus-per-task=2",
        "--exclusive", "--array=0-3", "--requeue", "--job-name=rpl-x-n1-b1", "--chdir=/work",
        "--output=/shared/logs/b1_%A_%a.txt", "--ntasks=1"}) {
    EXPECT_THAT(line, Contains(word));
  }
  EXPECT_EQ(line.front(), "sbatch");
  EXPECT_EQ(line.back(), "/shared/b1.sh");
  const auto again = cluster::slurm_options_from(to_record(options));
  ASSERT_TRUE(again);
  EXPECT_EQ(to_record(*again), to_record(options));
  EXPECT_FALSE(cluster::slurm_options_from({}));
}

}  // namespace
}  // namespace rpl::tune
