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

/// Each block of the page is somewhere in the transcript.
void expect_played(const std::string& page, const std::string& transcript, std::size_t least) {
  const auto text = read_text_file(RPL_SOURCE_DIR "/docs/" + page);
  const auto played = read_text_file(RPL_SOURCE_DIR "/tests/golden/" + transcript);
  ASSERT_TRUE(text && played);
  const auto shown = transcripts_in(*text);
  EXPECT_GE(shown.size(), least);
  for (const std::string& block : shown) EXPECT_THAT(*played, ::testing::HasSubstr(block));
}

TEST(Documentation, ShowsTranscriptsAsTheyArePlayed) {
  expect_played("optimization.md", "loop.t", 6);
  expect_played("optimizing-applications.md", "optimize.t", 2);
  expect_played("debugging.md", "debugger.t", 4);
  expect_played("decision-rule.md", "bench.t", 3);
  expect_played("language-models.md", "llm.t", 2);
}

}  // namespace
}  // namespace rpl::golden
