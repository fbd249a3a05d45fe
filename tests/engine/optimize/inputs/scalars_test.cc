// SPDX-License-Identifier: MIT
// Which arguments of several dispatches are one, and how they get other values together.
#include "engine/optimize/inputs/scalars.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

namespace rpl {
namespace {

using ::testing::ElementsAre;

/// Arguments of four bytes each.
void give(std::vector<std::int32_t> values, std::vector<std::byte>& kernarg,
          std::vector<CapturedArgument>& arguments) {
  kernarg.resize(values.size() * 4);
  std::memcpy(kernarg.data(), values.data(), kernarg.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    arguments.push_back({.kernarg_offset = i * 4, .kernarg_size = 4});
}

/// scale(n = 100, rows = 8), then add(n = 100, alpha = 3), launched alike.
Capture two_dispatches() {
  Capture out;
  out.grid = {128, 1, 1};
  out.workgroup = {64, 1, 1};
  give({100, 8}, out.kernarg, out.arguments);
  FollowingDispatch next;
  next.grid = out.grid;
  next.workgroup = out.workgroup;
  give({100, 3}, next.kernarg, next.arguments);
  out.then.push_back(next);
  return out;
}

std::vector<std::int32_t> numbers(const std::vector<std::byte>& kernarg) {
  std::vector<std::int32_t> out(kernarg.size() / 4);
  std::memcpy(out.data(), kernarg.data(), kernarg.size());
  return out;
}

TEST(Scalars, AreOneWhereDispatchesWereGivenTheSame) {
  const std::vector<Scalar> scalars = scalars_of(two_dispatches());
  ASSERT_EQ(scalars.size(), 3U);
  EXPECT_THAT(scalars[0].places, ElementsAre(ArgumentPlace{0, 0}, ArgumentPlace{1, 0}));
  EXPECT_THAT(scalars[1].places, ElementsAre(ArgumentPlace{0, 1}));
  EXPECT_THAT(scalars[2].places, ElementsAre(ArgumentPlace{1, 1}));
}

TEST(Scalars, ChangeInAllDispatchesThatHaveThem) {
  Capture capture = two_dispatches();
  const std::vector<Scalar> scalars = scalars_of(capture);
  const std::int32_t seven = 7, five = 5;
  set_value(scalars[0], std::as_bytes(std::span(&seven, 1)), capture);
  set_value(scalars[2], std::as_bytes(std::span(&five, 1)), capture);
  EXPECT_THAT(numbers(capture.kernarg), ElementsAre(7, 8));
  EXPECT_THAT(numbers(capture.then[0].kernarg), ElementsAre(7, 5));
}

TEST(Scalars, OfOneDispatchAreNeverOne) {
  Capture capture = two_dispatches();
  capture.then.clear();
  const std::int32_t hundred = 100;
  std::memcpy(capture.kernarg.data() + 4, &hundred, 4);
  EXPECT_EQ(scalars_of(capture).size(), 2U);
}

TEST(Scalars, GridsThatWereAlikeStaySo) {
  Capture capture = two_dispatches();
  capture.then.push_back(capture.then[0]);
  capture.then[1].grid = {64, 1, 1};
  set_grid(256, capture);
  EXPECT_EQ(capture.grid[0], 256U);
  EXPECT_EQ(capture.then[0].grid[0], 256U);
  EXPECT_EQ(capture.then[1].grid[0], 64U);
}

}  // namespace
}  // namespace rpl
