// SPDX-License-Identifier: MIT
#include "engine/optimize/inputs/residues.h"

#include <gtest/gtest.h>

#include <set>

namespace rpl {
namespace {

std::vector<std::byte> put(const BufferTraits& traits, std::vector<std::int64_t> constants,
                           std::size_t elements) {
  Random random(3);
  std::vector<std::byte> out(elements * size_of(traits.element));
  put_residues(traits, constants, random, out);
  return out;
}

TEST(Residues, EveryPairOfConstantsHasItsTurn) {
  const auto bytes = put({.element = Element::i32}, {146097, 719468}, 30);
  std::set<std::int64_t> left;
  for (std::size_t i = 0; i < 30; ++i) {
    const std::int64_t value = read_as<std::int32_t>(&bytes[4 * i]);
    left.insert(((value + 719468) % 146097 + 146097) % 146097);
  }
  EXPECT_TRUE(left.contains(146096)) << "the last day of a calendar's 400 years";
  EXPECT_TRUE(left.contains(0));
}

TEST(Residues, LeaveFloatsIndicesAndBytesAlone) {
  const std::vector<std::byte> zeros(64);
  EXPECT_EQ(put({.element = Element::f32}, {100}, 16), zeros);
  EXPECT_EQ(put({.element = Element::i32, .role = Role::structure}, {100}, 16), zeros);
  EXPECT_EQ(put({.element = Element::u8}, {100}, 64), zeros);
  EXPECT_EQ(put({.element = Element::i32}, {}, 16), zeros);
  EXPECT_NE(put({.element = Element::i32}, {100}, 16), zeros);
}

}  // namespace
}  // namespace rpl
