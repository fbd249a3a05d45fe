// SPDX-License-Identifier: MIT
// TRY where g++ would leave what was made before it undestroyed: in braces or captures, behind a comma.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/architecture/source_tree.h"

namespace rpl::architecture {
namespace {

/// `text` with blanks for what comments, strings and characters hold. Of raw strings those without a delimiter.
std::string code_of(const std::string& text) {
  std::string out = text;
  const auto blank_to = [&](std::size_t& at, std::string_view end) {
    const std::size_t found =
        std::min(out.find(end, at), out.size() - std::min(out.size(), end.size()));
    for (; at < found; ++at) {
      if (out[at] != '\n') out[at] = ' ';
    }
    at += end.size();
  };
  for (std::size_t at = 0; at < out.size();) {
    const std::string_view rest = std::string_view(out).substr(at);
    const bool digit_mark = at > 0 && std::isalnum(static_cast<unsigned char>(out[at - 1])) != 0;
    if (rest.starts_with("//")) {
      blank_to(at, "\n");
    } else if (rest.starts_with("R\"(")) {
      blank_to(at += 3, ")\"");
    } else if (rest[0] == '"' || (rest[0] == '\'' && !digit_mark)) {
      const char mark = rest[0];
      for (++at; at < out.size() && out[at] != mark; ++at) {
        if (out[at] == '\\') out[at++] = ' ';
        if (at < out.size()) out[at] = ' ';
      }
      ++at;
    } else {
      ++at;
    }
  }
  return out;
}

/// One pair of brackets while it is open.
struct Bracket {
  char kind;
  bool comma = false, statements = false;  ///< directly in it so far
  std::vector<std::size_t> tries;   ///< where TRY stands in it that no statement in it is around
  std::vector<std::size_t> behind;  ///< of these, those with a comma before
};

/// Positions of TRY in `code` that stand behind a comma of braces without statements, or of square brackets.
std::vector<std::size_t> found_in(const std::string& code) {
  std::vector<std::size_t> out;
  std::vector<Bracket> open(
      1, Bracket{.kind = '{', .comma = false, .statements = true, .tries = {}, .behind = {}});
  const auto add = [&](std::size_t at) {
    open.back().tries.push_back(at);
    if (open.back().comma) open.back().behind.push_back(at);
  };
  for (std::size_t at = 0; at < code.size(); ++at) {
    const char c = code[at];
    if (code.compare(at, 4, "TRY(") == 0) add(at);
    if (c == ',') open.back().comma = true;
    if (c == ';') {
      open.back() = Bracket{
          .kind = open.back().kind, .comma = false, .statements = true, .tries = {}, .behind = {}};
    }
    if (c == '(' || c == '[' || c == '{')
      open.push_back(
          Bracket{.kind = c, .comma = false, .statements = false, .tries = {}, .behind = {}});
    if ((c != ')' && c != ']' && c != '}') || open.size() == 1) continue;
    const Bracket closed = std::move(open.back());
    open.pop_back();
    if (closed.statements) continue;
    if (closed.kind != '(') out.insert(out.end(), closed.behind.begin(), closed.behind.end());
    for (const std::size_t one : closed.tries) add(one);
  }
  std::ranges::sort(out);
  out.erase(std::ranges::unique(out).begin(), out.end());
  return out;
}

std::size_t count_in(const std::string& code) { return found_in(code_of(code)).size(); }

TEST(UnfinishedObjects, AreFound) {
  EXPECT_EQ(count_in("void f() { const A a{one(), TRY(two())}; }"), 1U);
  EXPECT_EQ(count_in("void f() { g({.a = one(), .b = {.c = TRY(two())}}, 3); }"), 1U);
  EXPECT_EQ(count_in("void f() { list.push_back({1, h(TRY(two()))}); }"), 1U);
  EXPECT_EQ(count_in("void f() { auto l = [a, b = TRY(two())] { return a; }; }"), 1U);
  EXPECT_EQ(count_in("void f() { const A a{TRY(one()), TRY(two())}; }"), 1U);
}

TEST(UnfinishedObjects, AreNotWhatIsFinished) {
  EXPECT_EQ(count_in("void f() { const A a{TRY(one()), two()}; }"), 0U);
  EXPECT_EQ(count_in("void f() { g(one(), TRY(two())); }"), 0U);
  EXPECT_EQ(count_in("void f(int a, int b) { int c, d = TRY(two()); }"), 0U);
  EXPECT_EQ(count_in("void f() { const A a{.a = one(), .b = [] { return TRY(two()); }}; }"), 0U);
  EXPECT_EQ(count_in("void f() { if (a) { g(1, 2); TRY(two()); } }"), 0U);
  EXPECT_EQ(count_in("void f() { const A a{\"TRY(\", ',', 1'000}; }  // {a, TRY(b)}"), 0U);
}

TEST(UnfinishedObjects, AreNotLeftByTry) {
  for (const Source& file : sources({"engine", "shell"})) {
    std::string text;
    for (const std::string& line : file.lines) text += line + '\n';
    const std::string code = code_of(text);
    for (const std::size_t at : found_in(code)) {
      const auto line =
          std::count(code.begin(), code.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 1;
      ADD_FAILURE() << file.path << ':' << line
                    << ": TRY before the braces: an error would leave what stands before it in "
                       "them undestroyed";
    }
  }
}

}  // namespace
}  // namespace rpl::architecture
