// SPDX-License-Identifier: MIT
// What documentation shows as a transcript is one that is played.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/files.h"

namespace rpl::golden {
namespace {

/// The texts of all ```transcript blocks.
std::vector<std::string> transcripts_in(const std::string& page) {
  const std::string open = "```transcript\n", close = "\n```";
  std::vector<std::string> out;
  for (std::size_t at = page.find(open); at != std::string::npos; at = page.find(open, at)) {
    at += open.size();
    out.push_back(page.substr(at, page.find(close, at) - at));
  }
  return out;
}

TEST(Documentation, ShowsTranscriptsAsTheyArePlayed) {
  const auto page = read_text_file(RPL_SOURCE_DIR "/docs/optimization.md");
  const auto played = read_text_file(RPL_SOURCE_DIR "/tests/golden/loop.t");
  ASSERT_TRUE(page && played);
  const auto shown = transcripts_in(*page);
  EXPECT_GE(shown.size(), 6U);
  for (const std::string& text : shown) EXPECT_THAT(*played, ::testing::HasSubstr(text));
}

}  // namespace
}  // namespace rpl::golden
