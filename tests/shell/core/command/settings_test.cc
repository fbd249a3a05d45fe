// SPDX-License-Identifier: MIT
#include "shell/core/command/settings.h"

#include <gmock/gmock.h>

namespace rpl {
namespace {

TEST(Settings, ChecksTypesAndRanges) {
  Settings settings;
  add_core_settings(settings);
  EXPECT_TRUE(settings.set("width", "100").has_value());
  EXPECT_EQ(settings.integer("width"), 100);
  EXPECT_FALSE(settings.set("width", "wide").has_value());
  EXPECT_FALSE(settings.set("width", "-1").has_value());
  EXPECT_FALSE(settings.set("color", "blue").has_value());
  EXPECT_EQ(settings.integer("width"), 100);
}

TEST(Settings, ResolvesWordsAndPrefixes) {
  Settings settings;
  add_core_settings(settings);
  const std::vector<std::string> two{"history", "size", "10"};
  EXPECT_EQ(settings.resolve(two)->second, 2U);
  const std::vector<std::string> prefix{"wid"};
  EXPECT_EQ(settings.resolve(prefix)->first->param.name, "width");
  const std::vector<std::string> wrong{"widht"};
  EXPECT_EQ(settings.resolve(wrong).error().hint, "did you mean 'width'?");
}

}  // namespace
}  // namespace rpl
