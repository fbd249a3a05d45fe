// SPDX-License-Identifier: MIT
#include "engine/source/text/guard.h"

#include <gtest/gtest.h>

namespace rpl {
namespace {

std::string shown(std::string_view markdown) {
  std::string result;
  for (const FencedBlock& block : fenced_blocks(markdown)) {
    result += std::to_string(block.line) + "[" + block.info + (block.closed ? "" : " open") + "|" +
              block.text + "]";
  }
  return result;
}

TEST(Fences, AreOfBackticksOrTildes) {
  EXPECT_EQ(shown("a\n```cpp\nx\n```\nb"), "2[cpp|x\n]");
  EXPECT_EQ(shown("~~~ hip\nx\n~~~\n"), "1[hip|x\n]");
  EXPECT_EQ(shown("~~~\n```\n~~~\n"), "1[|```\n]");
  EXPECT_EQ(shown("``\nx\n``"), "");
  EXPECT_EQ(shown("```a`b\nx"), "");
}

TEST(Fences, CloseAtTheBeginOfALineOnly) {
  EXPECT_EQ(shown("```\n\"```\" ```\n```\n"), "1[|\"```\" ```\n]");
  EXPECT_EQ(shown("````\n```\n````"), "1[|```\n]");
  EXPECT_EQ(shown("```\n``` x\n   ```  \n"), "1[|``` x\n]");
  EXPECT_EQ(shown("```\nx\n    ```\n"), "1[ open|x\n    ```\n]");
}

TEST(Fences, LoseTheIndentationOfTheFirstLine) {
  EXPECT_EQ(shown("  ```\n  x\n   y\nz\n  ```"), "1[|x\n y\nz\n]");
  EXPECT_EQ(shown("    ```\nx"), "");
}

TEST(Fences, MayStayOpen) { EXPECT_EQ(shown("```cpp\nx"), "1[cpp open|x\n]"); }

TEST(Fences, TakeWindowsLineEnds) { EXPECT_EQ(shown("```cpp\r\nx\r\n```\r\n"), "1[cpp|x\r\n]"); }

TEST(Fences, KnowTheirLanguage) {
  for (const char* info : {"", "cpp", "CPP", "c++", "C++17", "cpp20", "c++2a", "hip", "cuda", "cu",
                           "cc", "cxx", "c", "cpp title=\"k\"", "cpp{1,3}"}) {
    EXPECT_TRUE((FencedBlock{info, "", 1, true}.is_cpp())) << info;
  }
  for (const char* info : {"diff", "python", "rust", "json", "20", "cppx"}) {
    EXPECT_FALSE((FencedBlock{info, "", 1, true}.is_cpp())) << info;
  }
}

}  // namespace
}  // namespace rpl
