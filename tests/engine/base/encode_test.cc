// SPDX-License-Identifier: MIT
#include "engine/base/encode.h"

#include <gtest/gtest.h>

namespace rpl {
namespace {

// A title, a colour, a changed order of reading, and a second line.
constexpr const char* kHostile =
    "EV\x1b]0;PWNED\x07\x1b[31mred\xe2\x80\xae"
    "gnp\xc2\x9b"
    "31m\xe2\x80\x8b|a`b\nSECOND";

TEST(TerminalText, ShowsWhatATerminalWouldObey) {
  EXPECT_EQ(terminal_text(kHostile),
            "EV\\x1b]0;PWNED\\x07\\x1b[31mred\\u202egnp\\u009b31m\\u200b|a`b\nSECOND");
  EXPECT_EQ(terminal_text("\r\x7f\xf3\xa0\x81\x81"), "\\x0d\\x7f\\U000e0041");
}

TEST(TerminalText, LeavesWhatPeopleRead) {
  EXPECT_EQ(terminal_text("void k<float, 0>(\tµ, é, 漢, 🚀)\n"),
            "void k<float, 0>(\tµ, é, 漢, 🚀)\n");
}

TEST(TerminalText, ShowsBytesThatAreNoUtf8) {
  EXPECT_EQ(terminal_text("a\x9b\xff"), "a\\x9b\\xff");
  EXPECT_EQ(terminal_text("\xe2\x80"), "\\xe2\\x80");
}

TEST(TerminalText, ALineStaysOne) {
  EXPECT_EQ(terminal_line("a\n\tb"), "a\\n\\tb");
  EXPECT_EQ(terminal_block("a\nerror: b", 4), "a\n    error: b");
}

TEST(CsvText, IsNoFormula) {
  EXPECT_EQ(csv_text("=cmd|' /C calc'!A0"), "'=cmd|' /C calc'!A0");
  EXPECT_EQ(csv_text("@SUM(1+1)"), "'@SUM(1+1)");
  EXPECT_EQ(csv_text("+1+2"), "'+1+2");
  EXPECT_EQ(csv_text("-2+3"), "'-2+3");
  EXPECT_EQ(csv_text("\t=1"), "'\t=1");
  EXPECT_EQ(csv_text("\r=1"), "'\\x0d=1");
  EXPECT_EQ(csv_text("=a,b"), "\"'=a,b\"");
}

TEST(CsvText, LeavesNumbersAndNames) {
  EXPECT_EQ(csv_text("-2"), "-2");
  EXPECT_EQ(csv_text("-1.5e3"), "-1.5e3");
  EXPECT_EQ(csv_text("gemm<float, 0>"), "\"gemm<float, 0>\"");
  EXPECT_EQ(csv_text("two\nlines \"x\""), "\"two\nlines \"\"x\"\"\"");
  EXPECT_EQ(csv_quoted("=1\x1b"), "=1\x1b");
}

TEST(MarkdownText, HasNoMarkup) {
  EXPECT_EQ(markdown_text("total_ns __attr__ _x"), "total_ns \\_\\_attr\\_\\_ \\_x");
  EXPECT_EQ(markdown_text("<script>|a`b\n[x](y)*&amp;\\"),
            "&lt;script>\\|a\\`b\\\\n[x\\](y)\\*&amp;amp;\\\\");
}

TEST(DotString, StaysInItsQuotes) {
  EXPECT_EQ(dot_string("a\"]; b\\"), "\"a\\\"]; b\\\\\"");
  EXPECT_EQ(dot_string("a\nb\x1b"), "\"a\\\\nb\\\\x1b\"");
}

}  // namespace
}  // namespace rpl
