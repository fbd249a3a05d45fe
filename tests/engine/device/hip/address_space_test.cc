// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <vector>

#include "engine/device/hip/address_space.h"

namespace rpl::emu::hip {
namespace {

TEST(AddressSpace, GivesTheSameAddressesEachTimeAndNoneTwice) {
  std::vector<std::uint64_t> seen[2];
  for (auto& bases : seen) {
    AddressSpace space;
    for (int i = 0; i < 3; ++i) {
      const Allocation* allocation = space.allocate(Allocation::Kind::device, 1000, 0, 0);
      ASSERT_NE(allocation, nullptr);
      bases.push_back(allocation->base);
      if (i == 1) {
        EXPECT_TRUE(space.release(allocation->base));
      }
    }
    EXPECT_LT(bases[0], bases[1]);
    EXPECT_LT(bases[1], bases[2]);
  }
  EXPECT_EQ(seen[0], seen[1]);
}

TEST(AddressSpace, WhatItGivesOutIsMemoryOfThisProcess) {
  AddressSpace space;
  const Allocation* allocation = space.allocate(Allocation::Kind::host, 8, 0, 0);
  ASSERT_NE(allocation, nullptr);
  auto* value = reinterpret_cast<std::uint64_t*>(allocation->base);
  EXPECT_EQ(*value, 0U);
  *value = 42;
  EXPECT_EQ(reinterpret_cast<std::byte*>(value), space.host_of(allocation->base, 8));
  EXPECT_EQ(space.host_of(allocation->base, 9), nullptr);
  EXPECT_TRUE(space.knows(allocation->base + 7));
  EXPECT_FALSE(space.knows(allocation->base + 8));
}

TEST(AddressSpace, CountsWhatDevicesHold) {
  AddressSpace space;
  space.allocate(Allocation::Kind::device, 5000, 1, 0);
  space.allocate(Allocation::Kind::host, 5000, 1, 0);
  EXPECT_EQ(space.used(0), 0U);
  EXPECT_EQ(space.used(1), 8192U);
}

TEST(AddressSpace, AdoptsMemoryOfTheProgramOnce) {
  AddressSpace space;
  std::vector<char> bytes(100);
  const Allocation* adopted = space.adopt(bytes.data(), bytes.size(), 0);
  ASSERT_NE(adopted, nullptr);
  EXPECT_EQ(space.adopt(bytes.data() + 50, 10, 0), nullptr);
  EXPECT_EQ(space.find(reinterpret_cast<std::uint64_t>(bytes.data() + 99)), adopted);
  EXPECT_TRUE(space.release(adopted->base));
  EXPECT_FALSE(space.release(reinterpret_cast<std::uint64_t>(bytes.data())));
  EXPECT_FALSE(space.knows(reinterpret_cast<std::uint64_t>(bytes.data())));
}

TEST(AddressSpace, RefusesWhatCannotBe) {
  AddressSpace space;
  EXPECT_EQ(space.allocate(Allocation::Kind::device, 0, 0, 0), nullptr);
  EXPECT_EQ(space.allocate(Allocation::Kind::device, ~std::uint64_t{0}, 0, 0), nullptr);
}

}  // namespace
}  // namespace rpl::emu::hip
