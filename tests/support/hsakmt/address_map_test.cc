// SPDX-License-Identifier: MIT
#include "tests/support/hsakmt/address_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

namespace rpl::hsakmt {
namespace {

using MapOutcome = AddressMap::Outcome;

constexpr std::uint64_t kPageSize = 4096, kPlenty = std::uint64_t{1} << 30;

std::uint64_t address_in(const std::vector<char>& bytes, std::size_t offset) {
  return reinterpret_cast<std::uint64_t>(bytes.data()) + offset;
}

TEST(AddressMap, TheDeviceReachesWhatIsMappedAndNoMore) {
  AddressMap map(kPlenty);
  const std::uint64_t base = map.allocate(2 * kPageSize, AddressMap::kDeviceNode, 5);
  ASSERT_NE(base, 0U);
  EXPECT_EQ(map.view()->at(base, 1), nullptr);
  EXPECT_EQ(map.map(base, 2 * kPageSize), MapOutcome::done);
  const auto view = map.view();
  EXPECT_EQ(view->at(base + 10, 2 * kPageSize - 10), reinterpret_cast<std::byte*>(base + 10));
  EXPECT_EQ(view->at(base + 10, 2 * kPageSize - 9), nullptr);
  EXPECT_EQ(view->at(base - 1, 1), nullptr);
  EXPECT_EQ(map.unmap(base), MapOutcome::done);
  EXPECT_EQ(map.view()->at(base, 1), nullptr);
  EXPECT_EQ(map.find(base + kPageSize)->flags, 5U);
  EXPECT_FALSE(map.find(base + 2 * kPageSize).has_value());
}

TEST(AddressMap, AddressesAreTheSameInEveryMapAndAligned) {
  std::uint64_t before = 0;
  for (int i = 0; i < 2; ++i) {
    AddressMap map(kPlenty);
    EXPECT_NE(map.allocate(kPageSize, AddressMap::kDeviceNode, 0), 0U);
    const std::uint64_t base = map.allocate(4 * kPageSize, AddressMap::kDeviceNode, 0, 0, 1U << 21);
    EXPECT_EQ(base % (1U << 21), 0U);
    if (i == 1) {
      EXPECT_EQ(base, before);
    }
    before = base;
  }
}

TEST(AddressMap, WhatIsFreedMeanwhileStaysForWhoSeesIt) {
  AddressMap map(kPlenty);
  const std::uint64_t base = map.allocate(kPageSize, AddressMap::kHostNode, 0);
  EXPECT_EQ(map.map(base, kPageSize), MapOutcome::done);
  const auto view = map.view();
  EXPECT_EQ(map.free(base), MapOutcome::done);
  std::memset(view->at(base, kPageSize), 1, kPageSize);
  EXPECT_EQ(map.view()->at(base, 1), nullptr);
  EXPECT_EQ(map.free(base), MapOutcome::invalid);
}

TEST(AddressMap, TheDeviceHasOnlySoMuch) {
  AddressMap map(4 * kPageSize);
  const std::uint64_t base = map.allocate(3 * kPageSize, AddressMap::kDeviceNode, 0);
  EXPECT_NE(base, 0U);
  EXPECT_EQ(map.allocate(2 * kPageSize, AddressMap::kDeviceNode, 0), 0U);
  EXPECT_NE(map.allocate(2 * kPageSize, AddressMap::kHostNode, 0), 0U);
  EXPECT_EQ(map.free(base), MapOutcome::done);
  EXPECT_NE(map.allocate(4 * kPageSize, AddressMap::kDeviceNode, 0), 0U);
}

TEST(AddressMap, FixedAddressesAreThereOrNowhere) {
  AddressMap map(kPlenty);
  constexpr std::uint64_t kWanted = 0x2345'0000'0000;
  EXPECT_EQ(map.allocate(kPageSize, AddressMap::kDeviceNode, 0, kWanted), kWanted);
  EXPECT_EQ(map.allocate(kPageSize, AddressMap::kDeviceNode, 0, kWanted), 0U);
  EXPECT_EQ(map.allocate(kPageSize, AddressMap::kDeviceNode, 0, kWanted + 1), 0U);
}

TEST(AddressMap, RefusesWhatIsNoAllocation) {
  AddressMap map(kPlenty);
  EXPECT_EQ(map.allocate(0, 0, 0), 0U);
  EXPECT_EQ(map.allocate(100, 0, 0), 0U);
  EXPECT_EQ(map.allocate(kPageSize, 2, 0), 0U);
  EXPECT_EQ(map.map(0x1000, 1), MapOutcome::invalid);
  EXPECT_EQ(map.unmap(0x1000), MapOutcome::invalid);
  EXPECT_EQ(map.set_user_data(0x1000, nullptr), MapOutcome::invalid);
  EXPECT_EQ(map.withdraw(0x1000), MapOutcome::not_registered);
  EXPECT_EQ(map.enroll(0, 10, 0), MapOutcome::invalid);
  EXPECT_EQ(map.enroll(~std::uint64_t{0} - 5, 10, 0), MapOutcome::invalid);
  const std::uint64_t base = map.allocate(kPageSize, 0, 0);
  EXPECT_EQ(map.map(base, kPageSize + 1), MapOutcome::invalid);
}

TEST(AddressMap, RegisteredMemoryHasAddressesOfItsOwn) {
  AddressMap map(kPlenty);
  std::vector<char> heap(4 * kPageSize);
  const std::uint64_t first = address_in(heap, kPageSize + 100),
                      second = address_in(heap, kPageSize + 300);
  EXPECT_EQ(map.enroll(first, 200, 0), MapOutcome::done);
  EXPECT_EQ(map.enroll(second, 2 * kPageSize, 0), MapOutcome::done);
  EXPECT_EQ(map.map(first, 200), MapOutcome::done);
  EXPECT_EQ(map.map(second, 2 * kPageSize), MapOutcome::done);
  const auto one = map.find(first + 10), other = map.find(second);
  EXPECT_NE(one->device_base, one->base);
  EXPECT_EQ(one->device_base % kPageSize, one->base % kPageSize);
  const auto view = map.view();
  EXPECT_EQ(view->at(one->device_base, 200), reinterpret_cast<std::byte*>(first));
  EXPECT_EQ(view->at(other->device_base, 2 * kPageSize), reinterpret_cast<std::byte*>(second));
  EXPECT_EQ(view->at(first, 1), nullptr);
  EXPECT_EQ(map.find(other->device_base + 5)->base, second);
}

TEST(AddressMap, RegisteredTwiceIsWithdrawnTwice) {
  AddressMap map(kPlenty);
  const std::vector<char> heap(kPageSize);
  const std::uint64_t base = address_in(heap, 0);
  EXPECT_EQ(map.enroll(base, 100, 0), MapOutcome::done);
  EXPECT_EQ(map.enroll(base, 100, 0), MapOutcome::done);
  EXPECT_EQ(map.withdraw(base), MapOutcome::done);
  EXPECT_TRUE(map.find(base).has_value());
  EXPECT_EQ(map.withdraw(base), MapOutcome::done);
  EXPECT_FALSE(map.find(base).has_value());
}

TEST(AddressMap, PiecesThatBeginAtTheSameAddressAreApart) {
  AddressMap map(kPlenty);
  const std::vector<char> heap(3 * kPageSize);
  const std::uint64_t base = address_in(heap, 0);
  for (const std::uint64_t bytes : {std::uint64_t{100}, 2 * kPageSize}) {
    EXPECT_EQ(map.enroll(base, bytes, 0), MapOutcome::done);
    EXPECT_EQ(map.map(base, bytes), MapOutcome::done);
  }
  const std::uint64_t longer = map.find(base + kPageSize)->device_base;
  EXPECT_NE(map.view()->at(longer, 2 * kPageSize), nullptr);
  EXPECT_EQ(map.unmap(base), MapOutcome::done);
  EXPECT_EQ(map.withdraw(base), MapOutcome::done);
  EXPECT_EQ(map.view()->at(longer, 1), nullptr);
  EXPECT_EQ(map.find(base)->bytes, 100U);
  EXPECT_NE(map.view()->at(map.find(base)->device_base, 100), nullptr);
}

}  // namespace
}  // namespace rpl::hsakmt
