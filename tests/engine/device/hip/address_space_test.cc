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

TEST(AddressSpace, FindsMemoryOfTheHostWhenItIsToldTo) {
  std::vector<int> numbers(100'000, 7);
  const auto address = reinterpret_cast<std::uint64_t>(numbers.data());
  AddressSpace known, all(AddressSpace::HostMemory::all);
  EXPECT_FALSE(known.knows(address));
  EXPECT_NE(known.memory().describe(address).find("HSA_XNACK=1"), std::string::npos);
  const Allocation* allocation = all.allocate(Allocation::Kind::device, 1000, 0, 0);
  EXPECT_FALSE(all.reached_host_memory());
  EXPECT_EQ(all.host_of(address, numbers.size() * sizeof(int)),
            reinterpret_cast<std::byte*>(numbers.data()));
  EXPECT_TRUE(all.reached_host_memory());
  // What HIP gives out has bounds all the same.
  EXPECT_FALSE(all.knows(allocation->base + 1000));
  static const int fixed = 3;
  EXPECT_FALSE(all.memory().find(reinterpret_cast<std::uint64_t>(&fixed))->writable);
  all.forget_host_memory();
  EXPECT_FALSE(all.reached_host_memory());
  EXPECT_EQ(all.memory().regions().size(), 1U);
  // Nothing is mapped at the beginning, and LDS and scratch lie beyond what programs have.
  EXPECT_FALSE(all.knows(16));
  EXPECT_FALSE(all.knows(std::uint64_t{0x10000} << 32));
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
