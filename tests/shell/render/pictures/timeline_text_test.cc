// SPDX-License-Identifier: MIT
#include "shell/render/pictures/text_pictures.h"

#include <gtest/gtest.h>

namespace rpl {
namespace {

Timeline two_streams() {
  Timeline timeline;
  timeline.from_ns = 1'000'000;
  timeline.to_ns = 2'000'000;
  timeline.operations = 12;
  TimelineRow first;
  first.entity = 0;
  first.busy_ns = 500'000;
  first.busy = {1, 1, 1, 0.5, 0, 0, 0.25, 1, 0.001, 0};
  first.on_path = {true, true, true, true, false, false, false, false, false, false};
  TimelineRow second;
  second.entity = 3;
  second.busy_ns = 200'000;
  second.busy = {0, 0, 0, 0, 1, 1, 0, 0, 0, 0};
  second.on_path.resize(10);
  timeline.rows = {first, second};
  timeline.path = {SegmentKind::kernel, SegmentKind::kernel, SegmentKind::kernel,
                   SegmentKind::kernel, SegmentKind::launch, SegmentKind::host,
                   SegmentKind::idle,   SegmentKind::copy,   std::nullopt,
                   std::nullopt};
  return timeline;
}

constexpr Canvas kPlain{31, false};

TEST(TimelineText, DrawsPlainRowsWithPathAndAxis) {
  EXPECT_EQ(
      timeline_text(two_streams(), kPlain, {.by = TimelineBy::stream, .origin_ns = 0, .label = {}}),
      "s0         |###-  .#. |  50.0 %\n"
      "            ^^^^\n"
      "s3         |    ##    |  20.0 %\n"
      "path       |kkkklh.c  |\n"
      "            +---------\n"
      "            1 ms\n");
}

TEST(TimelineText, DrawsBlocksWhereTheTerminalHasThem) {
  Timeline timeline = two_streams();
  timeline.path.clear();
  EXPECT_EQ(timeline_text(timeline, {31, true},
                          {.by = TimelineBy::stream, .origin_ns = 1'000'000, .label = {}}),
            "s0         │███▄  ▂█▁ │  50.0 %\n"
            "            ▔▔▔▔\n"
            "s3         │    ██    │  20.0 %\n"
            "            ┬─────────\n"
            "            0 ns\n");
}

TEST(TimelineText, SaysWhatItDoesNotShow) {
  Timeline timeline = two_streams();
  timeline.hidden_rows = 565;
  EXPECT_THAT(timeline_text(timeline, kPlain, {}), testing::HasSubstr("not shown: 565 less busy"));
  EXPECT_EQ(timeline_text({}, kPlain, {}), "nothing ran in this window\n");
}

TEST(TimelineText, StaysWithinTheWidth) {
  Timeline timeline = two_streams();
  for (const std::size_t width : {31U, 60U, 80U, 200U}) {
    for (TimelineRow& row : timeline.rows) row.busy.resize(timeline_cells({width, false}));
    const std::string text = timeline_text(timeline, {width, false}, {});
    for (std::size_t at = 0, end = 0; (end = text.find('\n', at)) != std::string::npos;
         at = end + 1) {
      EXPECT_LE(end - at, width) << text;
    }
  }
}

}  // namespace
}  // namespace rpl
