// SPDX-License-Identifier: MIT
#include "engine/device/execute/state/host_pages.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

namespace rpl::emu {
namespace {

constexpr std::uint32_t kUnusedArea = 40;

TEST(HostPages, AreThereOrNowhere) {
  constexpr std::uint64_t kWhere = 0x2222'0000'0000;
  EXPECT_TRUE(map_pages_at(kWhere, PageArea::kPage));
  EXPECT_EQ(*reinterpret_cast<std::uint64_t*>(kWhere), 0U);
  EXPECT_FALSE(map_pages_at(kWhere, PageArea::kPage));
  ::munmap(reinterpret_cast<void*>(kWhere), PageArea::kPage);
}

TEST(HostPages, OfAnAreaAreTheSameInEveryRunAndStepOverWhatIsThere) {
  PageArea area(kUnusedArea), again(kUnusedArea);
  const std::uint64_t first = area.map(100), second = area.map(PageArea::kPage, 1U << 20),
                      after = again.map(100);
  EXPECT_EQ(first, PageArea::kFirst + kUnusedArea * PageArea::kBytes);
  EXPECT_EQ(second % (1U << 20), 0U);
  EXPECT_GT(after, first);
  EXPECT_EQ(area.map(0), 0U);
  EXPECT_EQ(area.map(PageArea::kBytes), 0U);
  for (const std::uint64_t base : {first, second, after})
    ::munmap(reinterpret_cast<void*>(base), PageArea::kPage);
}

TEST(HostBytes, AreZeroedAndWritableWhereverTheyAre) {
  for (const std::uint64_t bytes : {std::uint64_t{0}, std::uint64_t{100}, 2 * kWidePage - 1,
                                    2 * kWidePage, 3 * kWidePage + 5}) {
    HostBytes first(bytes);
    const HostBytes held = std::move(first);
    ASSERT_NE(held.get(), nullptr);
    EXPECT_TRUE(std::all_of(held.get(), held.get() + bytes, [](std::byte value) {
      return value == std::byte{};
    })) << bytes;
    std::fill(held.get(), held.get() + bytes, std::byte{1});
  }
}

TEST(HostBytes, TooManyAreRefused) {
  EXPECT_THROW(HostBytes(std::uint64_t{1} << 62), std::bad_alloc);
}

}  // namespace
}  // namespace rpl::emu
