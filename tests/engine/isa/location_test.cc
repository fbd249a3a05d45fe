// SPDX-License-Identifier: MIT
#include "engine/isa/variables/location.h"

#include <gtest/gtest.h>

#include <random>

namespace rpl::isa {
namespace {

using Part = VariablePart;
using Kind = VariablePart::Kind;

/// Register n of a kind holds 100 * n + 7; memory at an address holds that address + 1.
LocationNeeds needs() {
  LocationNeeds out;
  out.read_register = [](MachineRegister reg) -> std::optional<std::uint64_t> {
    return reg.number * 100 + 7;
  };
  out.read_memory = [](Part::Space, std::uint64_t address,
                       unsigned) -> std::optional<std::uint64_t> { return address + 1; };
  out.indexed_address = [](std::uint64_t index) -> std::optional<std::uint64_t> {
    if (index > 3) return std::nullopt;
    return 0x1000 * index;
  };
  out.type = [](std::uint64_t offset) -> std::optional<StackType> {
    if (offset == 0x20) return StackType{.bits = 8};
    if (offset == 0x21) return StackType{.bits = 8, .is_signed = true};
    if (offset == 0x22) return StackType{.bits = 1};
    return std::nullopt;
  };
  return out;
}

std::vector<Part> located(std::initializer_list<int> bytes, const LocationNeeds& from = needs()) {
  std::vector<std::byte> code;
  for (const int byte : bytes) code.push_back(static_cast<std::byte>(byte));
  return locate(ByteView(code), from);
}

std::uint64_t number_of(const Part& part) {
  std::uint64_t out = 0;
  for (std::size_t i = part.value.size(); i-- > 0;)
    out = out << 8 | std::to_integer<std::uint64_t>(part.value[i]);
  return out;
}

constexpr MachineRegister vector(std::uint32_t number) {
  return {MachineRegister::Kind::vector, number};
}

TEST(MachineRegister, IsNumberedForWavesOf64Lanes) {
  EXPECT_EQ(machine_register(2560 + 16), vector(16));
  EXPECT_EQ(machine_register(3072 + 3), (MachineRegister{MachineRegister::Kind::accumulation, 3}));
  EXPECT_EQ(machine_register(32 + 33), (MachineRegister{MachineRegister::Kind::scalar, 33}));
  EXPECT_EQ(machine_register(1088 + 2), (MachineRegister{MachineRegister::Kind::scalar, 66}));
  EXPECT_EQ(machine_register(17), (MachineRegister{MachineRegister::Kind::exec, 0}));
  EXPECT_EQ(machine_register(1536), std::nullopt) << "of waves of 32 lanes";
  EXPECT_EQ(machine_register(~std::uint64_t{0}), std::nullopt);
}

TEST(Location, IsARegister) {
  const auto parts = located({0x90, 0x90, 0x14});  // regx v16
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(parts[0].kind, Kind::in_register);
  EXPECT_EQ(parts[0].where, vector(16));
  EXPECT_EQ(parts[0].bytes, 0U);
}

TEST(Location, IsMadeOfPieces) {
  // piece 8 of nothing, regx v16, piece 4, consts -1, stack_value, piece 4
  const auto parts = located({0x93, 8, 0x90, 0x90, 0x14, 0x93, 4, 0x11, 0x7f, 0x9f, 0x93, 4});
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_EQ(parts[0].kind, Kind::missing);
  EXPECT_EQ(parts[0].bytes, 8U);
  EXPECT_EQ(parts[1].where, vector(16));
  EXPECT_EQ(parts[2].kind, Kind::value);
  EXPECT_EQ(number_of(parts[2]), ~std::uint64_t{0});
}

TEST(Location, IsPrivateMemoryOfTheFrame) {
  LocationNeeds with = needs();
  auto parts = located({0x91, 24}, with);  // fbreg +24 of a kernel, which has no frame base
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(parts[0].kind, Kind::memory);
  EXPECT_EQ(parts[0].space, Part::Space::lane);
  EXPECT_EQ(parts[0].address, 24U);
  const std::vector<std::byte> base = {std::byte{0x90}, std::byte{32 + 33}};  // regx s33
  with.frame_base = ByteView(base);
  EXPECT_EQ(located({0x91, 24}, with)[0].address, 3307U + 24);
  with.stack_scale = 64;
  EXPECT_EQ(located({0x91, 24}, with)[0].address, 3307U / 64 + 24);
  // fbreg +24, lit1, swap, xderef: the same, as clang 20 and newer writes it.
  parts = located({0x91, 24, 0x31, 0x16, 0x18}, with);
  EXPECT_EQ(parts[0].space, Part::Space::lane);
  EXPECT_EQ(parts[0].address, 3307U / 64 + 24);
}

TEST(Location, BehindWhichASpaceStandsIsARegisterOrAValueAllTheSame) {
  // bregx v16 +0, lit1, swap, xderef: clang 20 and newer, of a variable that lives in v16.
  auto parts = located({0x92, 0x90, 0x14, 0, 0x31, 0x16, 0x18});
  EXPECT_EQ(parts[0].kind, Kind::in_register);
  EXPECT_EQ(parts[0].where, vector(16));
  // consts 5, lit1, swap, xderef, stack_value
  parts = located({0x11, 5, 0x31, 0x16, 0x18, 0x9f});
  EXPECT_EQ(parts[0].kind, Kind::value);
  EXPECT_EQ(number_of(parts[0]), 5U);
}

TEST(Location, IsLdsOrMemoryOfTheCodeObject) {
  LocationNeeds with = needs();
  with.load_base = 0x7f0000000000;
  auto parts = located({0xa1, 2}, with);  // addrx 2
  EXPECT_EQ(parts[0].kind, Kind::memory);
  EXPECT_EQ(parts[0].space, Part::Space::device);
  EXPECT_EQ(parts[0].address, 0x7f0000002000U);
  parts = located({0xa1, 1, 0x32, 0x16, 0x18}, with);  // addrx 1, lit2, swap, xderef
  EXPECT_EQ(parts[0].space, Part::Space::group);
  EXPECT_EQ(parts[0].address, 0x1000U);
  EXPECT_EQ(located({0xa1, 9}, with)[0].kind, Kind::missing) << "an index outside of the table";
}

TEST(Location, ComputesAsTheStandardSays) {
  // bregx v2 +0, lit1, and, lit0, eq, not, convert to one bit, convert to 8 bits, stack_value
  auto parts =
      located({0x92, 0x82, 0x14, 0, 0x31, 0x1a, 0x30, 0x29, 0x20, 0xa8, 0x22, 0xa8, 0x20, 0x9f});
  EXPECT_EQ(number_of(parts[0]), 1U);
  parts = located({0x08, 0xff, 0xa8, 0x21, 0x9f});  // const1u 255 as a signed byte
  EXPECT_EQ(number_of(parts[0]), ~std::uint64_t{0});
  parts = located({0x33, 0x35, 0x17, 0x9f});  // rot of two
  EXPECT_EQ(parts[0].kind, Kind::missing);
  parts = located({0x0b, 0xfe, 0xff, 0x32, 0x1b, 0x9f});  // const2s -2, lit2, div
  EXPECT_EQ(number_of(parts[0]), ~std::uint64_t{0});
  EXPECT_EQ(located({0x31, 0x30, 0x1b, 0x9f})[0].kind, Kind::missing) << "divided by zero";
  EXPECT_EQ(number_of(located({0x08, 9, 0x06, 0x9f})[0]), 10U) << "deref";
}

TEST(Location, KnowsTheOperationsOfAmdgpusExtension) {
  // regx v16, push_lane, lit4, mul, offset: the dword of the lane.
  LocationNeeds with = needs();
  with.lane = 5;
  auto parts = located({0x90, 0x90, 0x14, 0xe9, 0x03, 0x34, 0x1e, 0xe9, 0x04}, with);
  EXPECT_EQ(parts[0].kind, Kind::in_register);
  EXPECT_EQ(parts[0].where, vector(16));
  EXPECT_EQ(parts[0].lane, 5U);
  // lit8, lit5 (private_lane), form_aspace_address
  parts = located({0x38, 0x35, 0xe9, 0x02});
  EXPECT_EQ(parts[0].space, Part::Space::lane);
  EXPECT_EQ(parts[0].address, 8U);
  EXPECT_EQ(located({0xe9, 0x08})[0].kind, Kind::missing) << "undefined";
}

TEST(Location, IsMissingWhereItCannotBeTold) {
  EXPECT_EQ(located({})[0].kind, Kind::missing);
  EXPECT_EQ(located({0xa3, 1, 0x50})[0].kind, Kind::missing) << "an entry value";
  EXPECT_EQ(located({0xa0, 0, 0, 0, 0, 0})[0].kind, Kind::missing) << "an implicit pointer";
  EXPECT_EQ(located({0x90})[0].kind, Kind::missing) << "cut short";
  EXPECT_EQ(located({0x1c})[0].kind, Kind::missing) << "an empty stack";
  EXPECT_EQ(located({0x9e, 0x7f, 1})[0].kind, Kind::missing) << "a block past the end";
}

TEST(Location, EndsWhateverStandsThere) {
  std::mt19937 random(7);
  const LocationNeeds from = needs();
  for (int round = 0; round < 20000; ++round) {
    std::vector<std::byte> code(random() % 24);
    for (std::byte& byte : code) byte = static_cast<std::byte>(random());
    EXPECT_GE(locate(ByteView(code), from).size(), 1U);
  }
}

}  // namespace
}  // namespace rpl::isa
