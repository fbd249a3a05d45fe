// SPDX-License-Identifier: MIT
#include "engine/base/insist.h"

#include <gtest/gtest.h>

#include "engine/base/interrupt.h"

namespace rpl {
namespace {

TEST(Insist, LastsUntilTheRequestIsAnswered) {
  const std::uint32_t before = interrupt::requests();
  EXPECT_FALSE(interrupt::insisted());
  interrupt::raise();
  EXPECT_EQ(interrupt::requests(), before + 1);
  EXPECT_FALSE(interrupt::insisted()) << "one request is no second one";
  interrupt::insist();
  EXPECT_TRUE(interrupt::insisted());
  interrupt::clear();
  EXPECT_FALSE(interrupt::insisted());
  interrupt::raise();
  EXPECT_FALSE(interrupt::insisted()) << "the next request begins anew";
  interrupt::clear();
}

TEST(Insist, AsksNothingByItself) {
  interrupt::insist();
  EXPECT_FALSE(interrupt::pending());
  EXPECT_FALSE(interrupt::insisted());
  interrupt::clear();
}

}  // namespace
}  // namespace rpl
