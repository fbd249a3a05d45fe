// SPDX-License-Identifier: MIT
#include "engine/base/label.h"

#include <gtest/gtest.h>

namespace rpl {
namespace {

TEST(Label, OutlivesTheTextItWasMadeOf) {
  Label label;
  {
    std::string text = "made by a script, and long enough not to lie inside the string";
    label = Label(text);
    text.assign(text.size(), '?');
  }
  EXPECT_EQ(label, "made by a script, and long enough not to lie inside the string");
}

TEST(Label, KeepsEqualTextsOnce) {
  const Label first(std::string("the same")),
      second(std::string_view("the same, cut").substr(0, 8));
  EXPECT_EQ(first.data(), second.data());
  EXPECT_NE(first.data(), Label(std::string("another")).data());
}

TEST(Label, IsAStringWhereOneIsWanted) {
  const Label label = "kernel";
  const std::string text = label;
  EXPECT_EQ(text, "kernel");
  EXPECT_EQ("info " + label, "info kernel");
  EXPECT_EQ(label + std::string("s"), "kernels");
  EXPECT_EQ(Label(), "");
}

}  // namespace
}  // namespace rpl
