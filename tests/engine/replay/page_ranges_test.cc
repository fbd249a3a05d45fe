// SPDX-License-Identifier: MIT
#include "engine/replay/hsa/page_ranges.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

namespace rpl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::uint64_t kBase = 0x5100'0000'0000;  // outside what sanitizers keep for themselves

Capture with_regions(const std::vector<std::pair<std::uint64_t, std::uint64_t>>& regions) {
  Capture capture;
  for (const auto& [base, size] : regions)
    capture.regions.push_back({.base = base, .size = size, .name = "r", .before = {}, .after = {}});
  return capture;
}

std::vector<std::pair<std::uint64_t, std::uint64_t>> places(const std::vector<PageRange>& ranges) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> out;
  for (const PageRange& range : ranges) out.emplace_back(range.base, range.bytes);
  return out;
}

TEST(PageRanges, AreWholePagesJoinedWhereTheyTouch) {
  // Two on one page, one that begins on the next, and one apart.
  const Capture capture = with_regions(
      {{kBase + 16, 100}, {kBase + 2048, 10}, {kBase + 4096, 5000}, {kBase + 20480, 1}});
  const auto ranges = page_ranges(capture, {}, kHostPage);
  EXPECT_THAT(places(ranges),
              ElementsAre(std::pair(kBase, 3 * 4096), std::pair(kBase + 20480, 4096)));
  EXPECT_THAT(ranges[0].regions, ElementsAre(0, 1, 2));
  EXPECT_THAT(places(page_ranges(capture, {}, 65536)), ElementsAre(std::pair(kBase, 65536)));
}

TEST(PageRanges, OfTheHostStayApart) {
  const Capture capture =
      with_regions({{kBase, 4096}, {kBase + 4096, 4096}, {kBase + 8192, 100}, {kBase + 8300, 100}});
  const auto ranges = page_ranges(capture, {1, 2}, kHostPage);
  EXPECT_THAT(places(ranges), ElementsAre(std::pair(kBase, 12288)));
  EXPECT_FALSE(ranges[0].host) << "the fourth region shares its page and is the GPU's";
  const auto apart = page_ranges(capture, {1, 2, 3}, kHostPage);
  EXPECT_THAT(places(apart), ElementsAre(std::pair(kBase, 4096), std::pair(kBase + 4096, 8192)));
  EXPECT_TRUE(apart[1].host);
}

TEST(PageRanges, LeaveVariablesOut) {
  Capture capture = with_regions({{kBase, 8}, {kBase + 65536, 8}});
  capture.regions[0].variable = "counter";
  EXPECT_THAT(places(page_ranges(capture, {}, kHostPage)),
              ElementsAre(std::pair(kBase + 65536, 4096)));
}

TEST(PageRanges, KnowRegionsOfTheHost) {
  Capture capture = with_regions({{kBase, 8}, {kBase + 65536, 8}, {kBase + 131072, 8}});
  capture.regions[1].owner = "host";
  capture.regions[2].kind = RegionKind::locked;
  EXPECT_THAT(host_regions_of(capture), ElementsAre(1, 2));
}

TEST(Steering, KeepsPlacesFreeUntilTheyAreLetGo) {
  const auto ranges = page_ranges(with_regions({{kBase, 3 * 4096}}), {}, kHostPage);
  {
    Steering steering;
    EXPECT_THAT(steering.hold(ranges), IsEmpty());
    Steering second;
    const auto conflicts = second.hold(ranges);
    ASSERT_THAT(conflicts, SizeIs(1));
    EXPECT_THAT(conflicts[0].in_the_way, SizeIs(1));
    steering.let_go(kBase + 4096, 4096);
    EXPECT_THAT(mappings_in(kBase, 4096), SizeIs(1));
    EXPECT_THAT(mappings_in(kBase + 4096, 4096), IsEmpty());
    EXPECT_FALSE(steering.make_memory(kBase, 8192));
    EXPECT_TRUE(steering.make_memory(kBase + 8192, 4096));
    *reinterpret_cast<volatile char*>(kBase + 8192) = 1;
  }
  EXPECT_THAT(mappings_in(kBase, 3 * 4096), IsEmpty());
}

TEST(Steering, NamesFilesInTheWay) {
  const auto here = reinterpret_cast<std::uint64_t>(&page_ranges) / 4096 * 4096;
  Steering steering;
  const auto conflicts = steering.hold({{.base = here, .bytes = 4096}});
  ASSERT_THAT(conflicts, SizeIs(1));
  EXPECT_THAT(conflicts[0].in_the_way.at(0), HasSubstr("replay_test"));
}

}  // namespace
}  // namespace rpl
