// SPDX-License-Identifier: MIT
#include "engine/source/text/lexer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/random.h"

namespace rpl {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> result;
  for (const SourceToken& token : lex_source(text).tokens) result.emplace_back(token.text);
  return result;
}

std::vector<std::string> defects(std::string_view text) {
  std::vector<std::string> result;
  for (const LexDefect& defect : lex_source(text).defects) {
    result.push_back(std::to_string(defect.line) + ": " + defect.message);
  }
  return result;
}

SourceTokenKind kind_of(std::string_view text) { return lex_source(text).tokens.at(0).kind; }

TEST(Lexer, LeavesCommentsOut) {
  EXPECT_THAT(words("a // } b\nc /* { */ d"), ElementsAre("a", "c", "d"));
  EXPECT_THAT(words("a /* // */ b"), ElementsAre("a", "b"));
  EXPECT_THAT(words("a // one \\\n still one\nb"), ElementsAre("a", "b"));
  EXPECT_THAT(words("a /\\\n/ b\nc"), ElementsAre("a", "c"));
  EXPECT_THAT(words("a /\\\n* b *\\\n/ c"), ElementsAre("a", "c"));
}

TEST(Lexer, KeepsStringsWhole) {
  EXPECT_THAT(words(R"(f("}", '{', "\"}", '\''))"),
              ElementsAre("f", "(", "\"}\"", ",", "'{'", ",", "\"\\\"}\"", ",", "'\\''", ")"));
  EXPECT_THAT(words(R"("// no comment" x)"), ElementsAre("\"// no comment\"", "x"));
  EXPECT_THAT(words("u8\"a\" L'b' U\"c\""), ElementsAre("u8\"a\"", "L'b'", "U\"c\""));
}

TEST(Lexer, ReadsRawStrings) {
  EXPECT_THAT(words("R\"x(})\" )x\" y"), ElementsAre("R\"x(})\" )x\"", "y"));
  EXPECT_THAT(words("u8R\"(\n\\\n)\" y"), ElementsAre("u8R\"(\n\\\n)\"", "y"));
  EXPECT_THAT(words("fooR\"(a)\""), ElementsAre("fooR", "\"(a)\""));
  EXPECT_EQ(lex_source("R\"(\n\n)\" y").tokens.at(1).line, 3U);
}

TEST(Lexer, JoinsContinuedLines) {
  EXPECT_THAT(words("as\\\nm(\"a\\\nb\")"), ElementsAre("asm", "(", "\"ab\"", ")"));
  EXPECT_THAT(words("as\\  \nm"), ElementsAre("asm"));
  EXPECT_THAT(words("as\\\r\nm"), ElementsAre("asm"));
  EXPECT_THAT(words("+\\\n="), ElementsAre("+="));
  const LexedSource lexed = lex_source("a\\\n\\\nb c");
  EXPECT_EQ(lexed.tokens.at(1).line, 3U);
  EXPECT_EQ(lexed.tokens.at(0).end, 6U);
}

TEST(Lexer, EndsLinesWhereClangDoes) {
  EXPECT_THAT(words("// harmless\rasm(0);"), ElementsAre("asm", "(", "0", ")", ";"));
  EXPECT_THAT(words("a\r\n#define X\r\nb"), ElementsAre("a", "define X", "b"));
}

TEST(Lexer, ReadsNumbers) {
  EXPECT_THAT(words("1'000 0x1p-3f 1e+5f .5 1..2"),
              ElementsAre("1'000", "0x1p-3f", "1e+5f", ".5", "1..2"));
  EXPECT_EQ(kind_of("0b1'0"), SourceTokenKind::number);
}

TEST(Lexer, ReadsDirectivesAsOneToken) {
  EXPECT_THAT(words("#  pragma   unroll(4) // c\nx"), ElementsAre("pragma unroll ( 4 )", "x"));
  EXPECT_THAT(words("#define F(x) \\\n  x /* a\n b */ y\nz"),
              ElementsAre("define F( x ) x y", "z"));
  EXPECT_THAT(words("#define F (x)\n"), ElementsAre("define F ( x )"));
  EXPECT_THAT(words(" /* a */ %: if 0\n"), ElementsAre("if 0"));
  EXPECT_THAT(words("#include <a//b>\n#include \"c\"\n"),
              ElementsAre("include <a//b>", "include \"c\""));
  EXPECT_THAT(words("#define R R\"(\n#)\"\nx"), ElementsAre("define R R\"(\n#)\"", "x"));
  EXPECT_THAT(words("a # b"), ElementsAre("a", "#", "b"));
  EXPECT_EQ(lex_source("#pragma unroll\n").tokens.at(0).directive(), "pragma");
}

TEST(Lexer, TakesApostrophesInDirectives) { EXPECT_THAT(defects("#error don't\nx"), IsEmpty()); }

TEST(Lexer, ReadsDigraphs) {
  EXPECT_THAT(words("<% x<:1:> %>"), ElementsAre("{", "x", "[", "1", "]", "}"));
  EXPECT_THAT(words("a<::b>"), ElementsAre("a", "<", "::", "b", ">"));
}

TEST(Lexer, ClosesTemplateListsOneByOne) {
  EXPECT_THAT(words("a<b<c>> d >>= e >= f"),
              ElementsAre("a", "<", "b", "<", "c", ">", ">", "d", ">>=", "e", ">=", "f"));
}

TEST(Lexer, SaysWhatIsNotClosed) {
  EXPECT_THAT(defects("a\n/* b"), ElementsAre("2: a comment is not closed"));
  EXPECT_THAT(defects("\"a\n'"),
              ElementsAre("1: a string is not closed", "2: a character is not closed"));
  EXPECT_THAT(defects("R\"x(a)\""), ElementsAre("1: a raw string is not closed"));
  EXPECT_THAT(defects("R\"no"), ElementsAre("1: a raw string has no opening parenthesis"));
}

TEST(Lexer, StartsBehindAByteOrderMark) {
  EXPECT_THAT(words("\xEF\xBB\xBF#define X\n"), ElementsAre("define X"));
}

TEST(Lexer, TakesAnyBytes) {
  constexpr char kBytes[] = "\\\n\r\"'/*#R(){}<>%:x1.u8 \xff\0";
  test::Random random(3);
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (std::uint64_t left = random.below(40); left > 0; --left)
      text += kBytes[random.below(sizeof(kBytes))];
    std::size_t before = 0;
    for (const SourceToken& token : lex_source(text).tokens) {
      ASSERT_LE(before, token.begin);
      ASSERT_LT(token.begin, token.end);
      ASSERT_LE(token.end, text.size());
      ASSERT_EQ(token.line, line_of(text, token.begin));
      before = token.end;
    }
  }
}

}  // namespace
}  // namespace rpl
