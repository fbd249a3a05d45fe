// SPDX-License-Identifier: MIT
#include "engine/target/slurm/options.h"

#include <gtest/gtest.h>

namespace rpl::cluster {
namespace {

TEST(SlurmOptions, TellARefusalFromWhatAProgramWrites) {
  const auto refused = check_taken(
      "srun: error: invalid partition specified: gone\nsrun: error: Unable to allocate resources: "
      "Invalid partition name specified\n");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::io);
  EXPECT_EQ(refused.error().message,
            "the cluster does not take the job: Unable to allocate resources: Invalid partition "
            "name specified");
  EXPECT_FALSE(
      check_taken("sbatch: error: Batch job submission failed: Invalid account or "
                  "account/partition combination specified"));
  EXPECT_FALSE(check_taken(
      "srun: unrecognized option '--exclusiv'\nTry \"srun --help\" for more information\n"));
  EXPECT_TRUE(check_taken(
      "app: unrecognized option '--bock'\nsrun: error: n1: task 0: Exited with exit code 2\n"));
  EXPECT_TRUE(check_taken(""));
}

TEST(SlurmOptions, NameAProgramThatIsMissing) {
  const auto missing = needs("no-such-program-of-slurm");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, Errc::missing_capability);
}

}  // namespace
}  // namespace rpl::cluster
