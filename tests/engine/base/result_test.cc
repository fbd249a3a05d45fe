// SPDX-License-Identifier: MIT
#include "engine/base/result.h"

#include <gtest/gtest.h>

namespace rpl {
namespace {

Result<int> half(int value) {
  if (value % 2 != 0) return fail(Errc::usage, "odd");
  return value / 2;
}

Result<int> quarter(int value) { return TRY(half(TRY(half(value)))); }

TEST(Result, TryPassesValuesAndErrors) {
  EXPECT_EQ(quarter(8).value(), 2);
  ASSERT_FALSE(quarter(6).has_value());
  EXPECT_EQ(quarter(6).error().message, "odd");
}

TEST(Errc, NamesRoundTrip) {
  for (const Errc code : {Errc::usage, Errc::corrupt, Errc::interrupted, Errc::limit}) {
    EXPECT_EQ(errc_from_string(to_string(code)), code);
  }
}

}  // namespace
}  // namespace rpl
