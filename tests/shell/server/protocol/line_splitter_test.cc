// SPDX-License-Identifier: MIT
#include "shell/server/protocol/line_splitter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace rpl {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> split(const std::vector<std::string>& pieces, std::size_t limit) {
  std::vector<std::string> out;
  LineSplitter splitter(limit);
  const auto take = [&out](std::string_view line, bool too_long) {
    out.push_back(too_long ? "(too long)" : std::string(line));
  };
  for (const std::string& piece : pieces) splitter.feed(piece, take);
  splitter.end(take);
  return out;
}

TEST(LineSplitter, JoinsPiecesAndTakesALineWithoutEnd) {
  EXPECT_THAT(split({"ab", "c\n\nd", "e"}, 10), ElementsAre("abc", "", "de"));
  EXPECT_THAT(split({"abc\n"}, 10), ElementsAre("abc"));
  EXPECT_THAT(split({}, 10), ElementsAre());
}

TEST(LineSplitter, TellsALongLineOnceAndGoesOnBehindIt) {
  EXPECT_THAT(split({"abcd\nx\n"}, 3), ElementsAre("(too long)", "x"));
  EXPECT_THAT(split({"ab", "cd", "ef\nx\n"}, 3), ElementsAre("(too long)", "x"));
  EXPECT_THAT(split({"abc\nx"}, 3), ElementsAre("abc", "x"));
  EXPECT_THAT(split({"abcd"}, 3), ElementsAre("(too long)"));
}

}  // namespace
}  // namespace rpl
