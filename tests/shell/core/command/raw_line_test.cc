// SPDX-License-Identifier: MIT
// Lines whose text is not taken apart: raw commands, phrases, aliases.
#include <gmock/gmock.h>

#include "shell/core/command/line.h"

namespace rpl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class RawLineTest : public testing::Test {
 protected:
  void SetUp() override {
    add("echo", RawText::own);
    add("print", RawText::expression);
    add("hot", RawText::words);
    Command query;
    query.path = "query";
    Param text;
    text.name = "text";
    text.kind = ParamKind::positional;
    text.phrase = text.required = true;
    Param file;
    file.name = "file";
    query.params = {text, file};
    add(std::move(query));
    Command shown;
    shown.path = "info numbers";
    Param by;
    by.name = "by";
    shown.params = {by};
    add(std::move(shown));
    hooks.opens = [](std::string_view path) { return path.ends_with(".db"); };
    hooks.variable = [](std::string_view) -> Result<std::string> { return std::string("42"); };
  }

  void add(Command command) {
    command.summary = "Test.";
    command.run = [](Context&, const Arguments&) -> Result<Document> { return Document{}; };
    ASSERT_TRUE(registry.add(std::move(command)).has_value());
  }

  void add(Label path, RawText text) {
    Command command;
    command.path = path;
    command.raw = true;
    command.raw_text = text;
    Param rest;
    rest.name = "text";
    rest.kind = ParamKind::rest;
    command.params = {rest};
    add(std::move(command));
  }

  Invocation raw(std::string_view line) {
    auto parsed = parse_raw(registry, line);
    EXPECT_TRUE(parsed && *parsed) << line;
    return parsed && *parsed ? std::move(**parsed) : Invocation{};
  }
  std::string text(const Invocation& invocation) {
    const auto found = invocation.arguments.find("text");
    return found == invocation.arguments.end() ? "" : *found->second.as<std::string>();
  }
  Invocation query(std::string_view line) {
    const Line split = split_line(line).value();
    auto parsed = parse(registry, split.words, hooks, split.text);
    EXPECT_TRUE(parsed.has_value()) << line;
    if (!parsed) return {};
    parsed->pipe = split.pipe;
    return std::move(*parsed);
  }

  Registry registry;
  ParseHooks hooks;
};

TEST_F(RawLineTest, TakesAFormSuffixOnTheName) {
  for (const char* line : {"print/j $1", "echo/j $1", "hot/j $1", "pr/j  $1"}) {
    SCOPED_TRACE(line);
    EXPECT_EQ(raw(line).form.format, Format::json);
    EXPECT_EQ(text(raw(line)), "$1");
  }
}

TEST_F(RawLineTest, TakesASuffixApartOnlyWhereTheTextCannotBeginWithOne) {
  EXPECT_EQ(raw("print /j $1").form.format, Format::json);
  EXPECT_EQ(text(raw("print /20c $1")), "$1");
  EXPECT_EQ(raw("print /20c $1").form.limit, 20U);
  EXPECT_EQ(raw("echo /j x").form.format, Format::text);
  EXPECT_EQ(text(raw("echo /j x")), "/j x");
}

TEST_F(RawLineTest, LeavesABarToTheTextThatMayMeanSomethingByIt) {
  EXPECT_EQ(text(raw("print 5 | 3")), "5 | 3");
  EXPECT_EQ(raw("print 5 | 3").pipe, "");
  EXPECT_EQ(text(raw("echo a | b")), "a | b");
  EXPECT_EQ(raw("print | head").pipe, "head");
  EXPECT_EQ(raw("hot a 'b | c' | head -1").pipe, "head -1");
  EXPECT_EQ(text(raw("hot a 'b | c' | head -1")), "a 'b | c'");
  EXPECT_EQ(parse_raw(registry, "hot a |").error().message, "no command after '|'");
}

TEST_F(RawLineTest, APhraseGoesOnToTheNextOption) {
  const Invocation line = query("query select a || 'x  y' from t where n = $n --file 2 | cat");
  EXPECT_EQ(text(line), "select a || 'x  y' from t where n = 42");
  EXPECT_EQ(line.arguments.at("file"), Value("2"));
  EXPECT_EQ(line.pipe, "cat");
  EXPECT_EQ(text(query("query --file 2 select -- what a comment")), "select -- what a comment");
}

TEST_F(RawLineTest, AQuotedPhraseIsWhole) {
  EXPECT_EQ(text(query("query \"select '--file', $x\" --file 2")), "select '--file', $x");
  EXPECT_EQ(query("query 'select 1' a.db").open, std::vector<std::string>{"a.db"});
  EXPECT_EQ(text(query("query a.db select 1")), "select 1");
}

TEST_F(RawLineTest, AnAliasBringsItsArguments) {
  ASSERT_TRUE(registry.add_alias("calls", "info numbers --by calls"));
  EXPECT_EQ(without_alias(registry, "calls"), "info numbers --by calls");
  EXPECT_EQ(without_alias(registry, "calls/j x"), "info numbers/j --by calls x");
  EXPECT_EQ(without_alias(registry, "callsx"), "callsx");
  const std::vector<std::string> words{"calls", "x"};
  EXPECT_EQ(registry.resolve(words)->words, 1U);
}

}  // namespace
}  // namespace rpl
