// SPDX-License-Identifier: MIT
#include "tests/support/screen.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rpl::testing_support {
namespace {

TEST(Screen, ShowsWhatIsLeftAfterControlCharactersAndSequences) {
  struct Case {
    std::string_view name;
    std::string_view bytes;
    std::string_view text;
  };
  const Case cases[] = {
      {"lines", "one\r\ntwo", "one\ntwo"},
      {"carriage return overwrites", "abc\rX", "Xbc"},
      {"backspace", "abc\b\bX", "aXc"},
      {"erase to the end of the line", "abcdef\033[3D\033[K", "abc"},
      {"erase the whole line", "abc\033[2K", ""},
      {"progress line", "50 %\r\033[K100 %", "100 %"},
      {"delete cells", "abcdef\r\033[2P", "cdef"},
      {"insert cells", "abc\r\033[1@X", "Xabc"},
      {"colours vanish", "\033[1;31mred\033[0m", "red"},
      {"titles vanish", "\033]0;title\ax\033]0;t\033\\y", "xy"},
      {"modes vanish", "\033[?2004hx", "x"},
      {"clear and home", "abc\033[H\033[Jx", "x"},
      {"position", "\033[2;3Hx", "\n  x"},
      {"wrap at the edge", "0123456789ab", "0123456789\nab"},
      {"no wrap before the next character", "0123456789\rX", "X123456789"},
      {"one cell a character", "\xC3\xA9\xE2\x96\x88\bX", "\xC3\xA9X"},
      {"tab", "a\tb", "a       b"},
      {"scroll", "1\r\n2\r\n3\r\n4", "2\n3\n4"},
  };
  for (const Case& c : cases) {
    Screen screen(10, 3);
    for (const char byte : c.bytes) screen.feed({&byte, 1});
    EXPECT_EQ(screen.text(), c.text) << c.name;
  }
}

TEST(Screen, KeepsThePlainTextOfAllThatPassed) {
  Screen screen(4, 1);
  screen.feed("\033[1mone\033[0m\r\ntwo");
  EXPECT_EQ(screen.plain(), "one\ntwo");
  EXPECT_EQ(screen.text(), "two");
}

TEST(Screen, ResizingKeepsTheLineOfTheCursor) {
  Screen screen(10, 3);
  screen.feed("1\r\n2\r\n3 long");
  screen.resize(3, 2);
  EXPECT_EQ(screen.text(), "2\n3 l");
  EXPECT_EQ(screen.current_line(), "3 l");
}

}  // namespace
}  // namespace rpl::testing_support
