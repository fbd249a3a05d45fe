// SPDX-License-Identifier: MIT
#include "engine/hsa/library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

namespace rpl::hsa {
namespace {

using ::testing::HasSubstr;

TEST(Library, SaysWhatWasTried) {
  ::setenv("RPL_HSA_RUNTIME", "/nonexistent/libhsa.so", 1);
  const auto opened = open_library();
  ::unsetenv("RPL_HSA_RUNTIME");
  ASSERT_FALSE(opened.has_value());
  EXPECT_EQ(opened.error().code, Errc::missing_capability);
  EXPECT_THAT(opened.error().message, HasSubstr("/nonexistent/libhsa.so"));
  EXPECT_THAT(opened.error().hint, HasSubstr("RPL_HSA_RUNTIME"));
}

TEST(Library, NamesTheFunctionThatIsMissing) {
  const auto complete = check_complete(Api{});
  ASSERT_FALSE(complete.has_value());
  EXPECT_THAT(complete.error().message, HasSubstr("hsa_init"));
}

TEST(Statuses, AreSpelledAsInTheManual) {
  EXPECT_EQ(name_of(Status::out_of_resources), "HSA_STATUS_ERROR_OUT_OF_RESOURCES");
  EXPECT_EQ(name_of(static_cast<Status>(0x2a)), "HSA status 0x2a");
}

}  // namespace
}  // namespace rpl::hsa
