// SPDX-License-Identifier: MIT
#include "engine/device/calibrate/recordings_table.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tests/support/shared_data.h"

namespace rpl::calibrate {
namespace {

TEST(Recordings, TheDocumentedTableIsCurrent) {
  const std::string folder = testing_support::shared_data("att");
  if (folder.empty()) GTEST_SKIP() << testing_support::kNoSharedData;
  const auto made = recordings_table(folder);
  ASSERT_TRUE(made.has_value()) << made.error().message;
  std::ifstream file(RPL_SOURCE_DIR "/docs/cycle-model-recordings.md");
  std::ostringstream text;
  text << file.rdbuf();
  EXPECT_EQ(*made, text.str()) << "rpl maint model-table DATA/att docs/cycle-model-recordings.md";
}

TEST(Recordings, AreNamedWhenTheyAreNotThere) {
  EXPECT_NE(recordings_table("/nowhere").error().message.find("flash_attn"), std::string::npos);
}

}  // namespace
}  // namespace rpl::calibrate
