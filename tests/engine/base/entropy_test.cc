// SPDX-License-Identifier: MIT
#include "engine/base/entropy.h"

#include <gtest/gtest.h>

#include <set>

namespace rpl {
namespace {

TEST(SystemEntropy, IsAnotherNumberEachTime) {
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 100; ++i) seen.insert(system_entropy());
  EXPECT_EQ(seen.size(), 100U);
}

}  // namespace
}  // namespace rpl
