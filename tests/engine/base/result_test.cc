// SPDX-License-Identifier: MIT
#include "engine/base/result.h"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>

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

TEST(Result, AValueThatIsInsistedOnThrowsTheError) {
  try {
    static_cast<void>(half(3).value());
    FAIL() << "nothing was thrown";
  } catch (const std::logic_error& error) {
    EXPECT_STREQ(error.what(), "no value: odd");
  }
}

TEST(Result, MovesKeepWhichOfBothItIs) {
  Result<std::unique_ptr<int>> value = std::make_unique<int>(7);
  Result<std::unique_ptr<int>> taken = std::move(value);
  ASSERT_TRUE(taken.has_value());
  EXPECT_EQ(**taken, 7);
  EXPECT_TRUE(value.has_value());  // NOLINT(bugprone-use-after-move): that is the promise
  EXPECT_EQ(*value, nullptr);

  Result<std::unique_ptr<int>> error = fail(Errc::limit, "too much");
  value = std::move(error);
  ASSERT_FALSE(value.has_value());
  EXPECT_EQ(value.error().message, "too much");
  EXPECT_FALSE(error.has_value());  // NOLINT(bugprone-use-after-move)
  value = std::move(taken);
  ASSERT_TRUE(value.has_value());
  EXPECT_EQ(**value, 7);
}

TEST(Result, CopiesAreTheirOwn) {
  Result<std::string> first = std::string("long enough not to be kept in place");
  Result<std::string> second = first;
  EXPECT_EQ(second, *first);
  second = fail(Errc::io, "gone");
  first = second;
  second.error().message = "changed";
  EXPECT_EQ(first.error().message, "gone");
  EXPECT_EQ(first.error().code, Errc::io);
  EXPECT_FALSE(first == std::string());
  EXPECT_EQ(first.value_or("instead"), "instead");

  Status done;
  Status not_done = fail(Errc::io, "gone");
  done = not_done;
  EXPECT_EQ(done.error().message, "gone");
  not_done = Status();
  EXPECT_TRUE(not_done.has_value());
}

TEST(Result, AnErrorGoesOnThroughOtherTypes) {
  Result<int> number = fail(Errc::corrupt, "bad", "fix it");
  const Result<std::string> text = std::move(number).failure();
  EXPECT_EQ(text.error().hint, "fix it");
  EXPECT_FALSE(number.has_value());  // NOLINT(bugprone-use-after-move)
  const Status status = rpl::Failure(Error(text.error()).in("a.db"));
  EXPECT_EQ(status.error().message, "a.db: bad");
}

TEST(Errc, NamesRoundTrip) {
  for (const Errc code : {Errc::usage, Errc::corrupt, Errc::interrupted, Errc::limit}) {
    EXPECT_EQ(errc_from_string(to_string(code)), code);
  }
}

}  // namespace
}  // namespace rpl
