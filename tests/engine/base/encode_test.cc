// SPDX-License-Identifier: MIT
#include "engine/base/encode.h"

#include <gtest/gtest.h>

#include <type_traits>

namespace rpl {
namespace {

// A title, a colour, a changed order of reading, and a second line.
constexpr const char* kHostile =
    "EV\x1b]0;PWNED\x07\x1b[31mred\xe2\x80\xae"
    "gnp\xc2\x9b"
    "31m\xe2\x80\x8b|a`b\nSECOND";

// What the types are for: text that nobody encoded, or that was encoded for another medium, is no output.
template <class Text>
constexpr bool kOnlyEncoded =
    !std::is_constructible_v<Text, std::string> &&
    !std::is_constructible_v<Text, std::string_view> &&
    !std::is_constructible_v<Text, const char*> && !std::is_assignable_v<Text&, std::string> &&
    !std::is_invocable_v<const Sink&, std::string> &&
    !std::is_invocable_v<SinkOf<Text>, std::string>;
static_assert(kOnlyEncoded<TerminalText> && kOnlyEncoded<CsvText> && kOnlyEncoded<MarkdownText> &&
              kOnlyEncoded<XmlText> && kOnlyEncoded<DotText>);
static_assert(!std::is_constructible_v<OutputBytes, std::string> &&
              !std::is_constructible_v<OutputBytes, std::string_view> &&
              !std::is_constructible_v<OutputBytes, const char*>);
static_assert(!std::is_constructible_v<XmlText, MarkdownText> &&
              !std::is_invocable_v<SinkOf<CsvText>, XmlText> &&
              std::is_invocable_v<const Sink&, XmlText>);

TEST(Encoded, AddsTextAsItsMediumDoesAndNumbersAsTheyAre) {
  const std::string foreign = "<b>\x1b";
  XmlText page("<p>");
  page.add("{}</p>{:.1f}{}", foreign, 2.25, xml_text("&"));
  EXPECT_EQ(page, "<p>&lt;b&gt;\xef\xbf\xbd</p>2.2&amp;");
  EXPECT_EQ(encoded<TerminalText>("{:>8}|{}", foreign, when(true, "\033[0m")), " <b>\\x1b|\033[0m");
  EXPECT_EQ(encoded<MarkdownText>("| {} |", std::string_view("a|b")), "| a\\|b |");
  EXPECT_EQ(encoded<CsvText>("{},{}\n", std::string_view("=1+1"), 7), "'=1+1,7\n");
  EXPECT_EQ(encoded<DotText>("{} [label={}]", dot_name("d-1"), foreign),
            "d_1 [label=\"<b>\\\\x1b\"]");
}

TEST(TerminalText, CutsWholeCharactersAndPads) {
  EXPECT_EQ(first_bytes(terminal_text("a\xc2\xb5z"), 2), "a");
  EXPECT_EQ(first_bytes(terminal_text("a\xc2\xb5z"), 3), "a\xc2\xb5");
  EXPECT_EQ(first_bytes(terminal_text("ab"), 9), "ab");
  EXPECT_EQ(padded(terminal_line("\xc2\xb5"), 3), "\xc2\xb5  ");
  EXPECT_EQ(padded(terminal_line("12"), 4, true), "  12");
  EXPECT_EQ(padded(terminal_line("12345"), 4), "12345");
}

TEST(TerminalText, EveryByteOfAWordIsLookedAt) {
  // Eight are looked at together: what is not plain may stand anywhere.
  for (std::size_t length = 1; length < 20; ++length)
    for (std::size_t at = 0; at < length; ++at)
      for (const char c : {'\x1f', '\x7f', '\x80', '\xff', '"', ','}) {
        std::string text(length, '~');
        text[at] = c;
        const bool quoted = c == '"' || c == ',';
        EXPECT_EQ(terminal_line(text) == text, quoted) << length << " " << at;
        EXPECT_NE(csv_text(text), text) << length << " " << at;
      }
  EXPECT_EQ(csv_text(std::string(19, '~')), std::string(19, '~'));
  EXPECT_EQ(csv_text(std::string(19, ' ')), std::string(19, ' '));
}

TEST(MarkdownText, CodeEndsWhereItEnds) {
  EXPECT_EQ(markdown_span("rpl open 'a'"), "`rpl open 'a'`");
  EXPECT_EQ(markdown_span("a`b\x1b"), "`` a`b\\x1b ``");
  EXPECT_EQ(markdown_code("sh", "a\n```\nb"), "````sh\na\n```\nb\n````\n");
  EXPECT_EQ(markdown_code("", ""), "```\n```\n");
}

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
  EXPECT_EQ(dot_string("a\"", "1 us"), "\"a\\\"\\n1 us\"");
}

}  // namespace
}  // namespace rpl
