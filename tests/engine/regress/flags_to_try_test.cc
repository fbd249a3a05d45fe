// SPDX-License-Identifier: MIT
#include "engine/regress/flags_to_try.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/source/build/flags.h"

namespace rpl::regress {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Flags = std::vector<std::string>;

TEST(FlagsToTry, WhatTheTwoDifferInComesFirst) {
  const auto tried = flags_to_try({"-DN=1", "-O1"}, {"-DN=1", "-mllvm", "-unroll-count=2"});
  ASSERT_GE(tried.size(), 2U);
  EXPECT_THAT(tried[0], ElementsAre("-DN=1"));
  EXPECT_THAT(tried[1], ElementsAre("-DN=1", "-O1", "-mllvm", "-unroll-count=2"));
}

TEST(FlagsToTry, AllOfThemArePassedOnToCompilers) {
  for (const Flags& flags : flags_to_try({}, {}))
    EXPECT_TRUE(check_compiler_flags(flags).has_value()) << flags.back();
}

TEST(FlagsToTry, AreToldByTheirDifference) {
  EXPECT_EQ(flags_text({"-O1"}, {"-O1", "-mllvm", "-disable-lsr=1"}), "-mllvm -disable-lsr=1");
  EXPECT_EQ(flags_text({"-O1", "-DN"}, {"-DN"}), "without -O1");
  EXPECT_EQ(flags_text({"-O1"}, {"-O1"}), "");
}

}  // namespace
}  // namespace rpl::regress
