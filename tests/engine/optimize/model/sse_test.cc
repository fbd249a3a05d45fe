// SPDX-License-Identifier: MIT
#include "engine/optimize/model/reply.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace rpl::llm {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// "name|data" of every event, the text fed in pieces of `piece` bytes.
std::vector<std::string> events_of(std::string_view text, std::size_t piece) {
  EventStream stream;
  std::vector<std::string> out;
  const auto take = [&](const ServerEvent& event) {
    out.push_back(event.name + "|" + event.data);
    return true;
  };
  for (std::size_t at = 0; at < text.size(); at += piece) stream.feed(text.substr(at, piece), take);
  stream.finish(take);
  return out;
}

TEST(EventStream, TakesEveryEndOfLineAtEveryCut) {
  const std::string text =
      "\xEF\xBB\xBF"
      "event: a\r\ndata: 1\r\n\r\ndata:2\rdata: 3\r\r: comment\nid: 7\ndata: \xC3\xA4\n\nevent: "
      "none\n\ndata\n\n";
  for (std::size_t piece = 1; piece <= text.size(); ++piece) {
    EXPECT_THAT(events_of(text, piece), ElementsAre("a|1", "|2\n3", "|\xC3\xA4", "|")) << piece;
  }
}

TEST(EventStream, HandsOverACompleteEventAtTheEndAndDropsHalfALine) {
  EXPECT_THAT(events_of("data: whole\n", 100), ElementsAre("|whole"));
  EXPECT_THAT(events_of("data: hal", 100), IsEmpty());
  EXPECT_THAT(events_of("data: whole\ndata: hal", 100), ElementsAre("|whole"));
}

TEST(EventStream, StopsWhenToldTo) {
  EventStream stream;
  int seen = 0;
  EXPECT_FALSE(
      stream.feed("data: 1\n\ndata: 2\n\n", [&](const ServerEvent&) { return ++seen < 1; }));
  EXPECT_EQ(seen, 1);
}

}  // namespace
}  // namespace rpl::llm
