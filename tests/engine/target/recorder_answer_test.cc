// SPDX-License-Identifier: MIT
#include "engine/target/local/recorder_answer.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "tests/support/temp_dir.h"

namespace rpl::profile {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A rocprofv3 that does this when it is asked for its help.
std::string recorder(const testing_support::TempDir& folder, const std::string& body) {
  const std::string path = folder / "rocprofv3";
  folder.write("rocprofv3", "#!/bin/sh\n[ \"$1\" = --help ] || exit 9\n" + body);
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  return path;
}

TEST(RecorderAnswer, NamesWhatItsHelpKnowsOfWhatIsAsked) {
  const testing_support::TempDir folder;
  const auto answer =
      ask_recorder(recorder(folder, "echo '--kernel-trace --pmc --output-format {csv,json}'\n"));
  ASSERT_TRUE(answer.has_value());
  EXPECT_THAT(answer->features, ElementsAre("times of kernels", "counters"));
  EXPECT_THAT(answer->lacks, ElementsAre("rocpd databases", "thread traces", "PC samples"));
}

TEST(RecorderAnswer, OneThatFailsIsMissingWithWhatItSaidLast) {
  const testing_support::TempDir folder;
  const auto answer = ask_recorder(recorder(folder,
                                            "echo Traceback >&2\necho \"ModuleNotFoundError: No "
                                            "module named 'rocprofv3'\" >&2\nexit 1\n"));
  ASSERT_FALSE(answer.has_value());
  EXPECT_EQ(answer.error().code, Errc::missing_capability);
  EXPECT_EQ(answer.error().message,
            "it does not even print its help (exit status 1): ModuleNotFoundError: No module named "
            "'rocprofv3'");
}

TEST(RecorderAnswer, OneThatCannotStartIsMissing) {
  const testing_support::TempDir folder;
  folder.write("rocprofv3", "#!/nowhere/python3\n");
  std::filesystem::permissions(folder / "rocprofv3", std::filesystem::perms::owner_all);
  const auto answer = ask_recorder(folder / "rocprofv3");
  ASSERT_FALSE(answer.has_value());
  EXPECT_THAT(answer.error().message, HasSubstr("it does not start"));
}

}  // namespace
}  // namespace rpl::profile
