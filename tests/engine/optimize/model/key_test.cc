// SPDX-License-Identifier: MIT
#include "engine/optimize/model/key.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>

#include "tests/support/temp_dir.h"

namespace rpl::llm {
namespace {

constexpr const char* kSecret = "sk-test-0123456789";

TEST(Keys, ComeFromTheEnvironmentAFileOrACommand) {
  const testing_support::TempDir folder;
  setenv("RPL_TEST_KEY", kSecret, 1);
  const std::string file = folder.write("key", std::string(kSecret) + "\n");
  chmod(file.c_str(), 0600);
  EXPECT_EQ(read_key({.environment = "RPL_TEST_KEY", .file = {}, .command = {}}).value(), kSecret);
  EXPECT_EQ(read_key({.environment = {}, .file = file, .command = {}}).value(), kSecret);
  EXPECT_EQ(read_key({.environment = {},
                      .file = {},
                      .command = "printf '%s\\nsecond line\\n' sk-test-0123456789"})
                .value(),
            kSecret);
  EXPECT_EQ(read_key({}).value(), "") << "servers on this machine want none";
}

TEST(Keys, InFilesThatOthersMayReadAreRefused) {
  const testing_support::TempDir folder;
  const std::string file = folder.write("key", kSecret);
  for (const mode_t mode : {0640, 0604, 0620, 0666}) {
    chmod(file.c_str(), mode);
    const auto key = read_key({.environment = {}, .file = file, .command = {}});
    ASSERT_FALSE(key);
    EXPECT_EQ(key.error().code, Errc::denied);
    EXPECT_EQ(key.error().message.find(kSecret), std::string::npos);
  }
  EXPECT_EQ(read_key({.environment = {}, .file = folder.path(), .command = {}}).error().code,
            Errc::denied)
      << "a folder";
  EXPECT_EQ(read_key({.environment = {}, .file = folder / "absent", .command = {}}).error().code,
            Errc::not_found);
}

TEST(Keys, AreNeverPartOfAnError) {
  setenv("RPL_TEST_KEY", "sk-with blank", 1);
  const std::string said[] = {
      read_key({.environment = "RPL_TEST_KEY", .file = {}, .command = {}}).error().message,
      read_key({.environment = kSecret, .file = {}, .command = {}}).error().message,
      read_key({.environment = {},
                .file = {},
                .command = "echo sk-test-0123456789; echo sk-test-0123456789 >&2; exit 3"})
          .error()
          .message};
  for (const std::string& message : said)
    EXPECT_EQ(message.find("sk-"), std::string::npos) << message;
  EXPECT_EQ(read_key({.environment = "A", .file = "b", .command = {}}).error().code, Errc::usage);
}

TEST(Keys, AreTakenOutOfTexts) {
  EXPECT_EQ(without_key("Bearer sk-1, sk-1!", "sk-1"), "Bearer [key], [key]!");
  EXPECT_EQ(without_key("text", ""), "text");
}

}  // namespace
}  // namespace rpl::llm
