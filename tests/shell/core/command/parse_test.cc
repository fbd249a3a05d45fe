// SPDX-License-Identifier: MIT
#include <gmock/gmock.h>

#include <cstddef>

#include "shell/core/command/define.h"
#include "shell/core/command/line.h"

namespace rpl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct HotArgs {
  std::string kernel;
  std::int64_t top = 20;
  double above = 0;
  std::string by = "time";
  bool deep = false;
  std::vector<std::string> streams;
  std::vector<std::string> app;
};

class ParseTest : public testing::Test {
 protected:
  void SetUp() override {
    Command hot;
    hot.path = "info hot";
    hot.summary = "Test.";
    auto defined = command<HotArgs>(
        std::move(hot),
        {arg("kernel", &HotArgs::kernel, "kernel to show"), option("top", &HotArgs::top, "rows"),
         option("above", &HotArgs::above, "share"),
         option("by", &HotArgs::by, "sort key").one_of({"time", "calls"}),
         flag("deep", &HotArgs::deep, "all"), option("stream", &HotArgs::streams, "streams"),
         rest("app", &HotArgs::app, "application")},
        +[](const HotArgs& args) -> Result<Document> {
          Document out;
          out.set("top", Value(args.top));
          out.set("streams", Value(static_cast<std::int64_t>(args.streams.size())));
          return out;
        });
    ASSERT_TRUE(registry.add(std::move(defined)).has_value());
    hooks.opens = [](std::string_view path) { return path.ends_with(".db"); };
    hooks.variable = [](std::string_view) -> Result<std::string> { return std::string("gemm"); };
  }
  Result<Invocation> parsed(std::string_view text) {
    const Line line = split_line(text).value();
    return parse(registry, line.words, hooks);
  }
  std::string error(std::string_view text) {
    const auto result = parsed(text);
    return result ? "" : result.error().message + " / " + result.error().hint;
  }
  Registry registry;
  ParseHooks hooks;
};

TEST_F(ParseTest, TakesOptionsAnywhereAndBothSpellings) {
  const Invocation line = parsed("info hot --top 5 gemm --by=calls --deep").value();
  EXPECT_EQ(line.arguments.at("kernel"), Value("gemm"));
  EXPECT_EQ(line.arguments.at("top"), Value(5));
  EXPECT_EQ(line.arguments.at("by"), Value("calls"));
  EXPECT_EQ(line.arguments.at("deep"), Value(true));
  EXPECT_EQ(parsed("info hot --no-deep").value().arguments.at("deep"), Value(false));
}

TEST_F(ParseTest, CollectsRepeatedOptionsAndTheRest) {
  const Invocation line = parsed("info hot --stream 1 --stream 2 -- ./app --top 3").value();
  EXPECT_EQ(line.arguments.at("stream"), Value(List{Value("1"), Value("2")}));
  EXPECT_EQ(line.arguments.at("app"), Value(List{Value("./app"), Value("--top"), Value("3")}));
}

TEST_F(ParseTest, OpensPositionalsThatAreRecordings) {
  const Invocation line = parsed("info hot a.db gemm --trace t2").value();
  EXPECT_THAT(line.open, ElementsAre("a.db", "t2"));
  EXPECT_EQ(line.arguments.at("kernel"), Value("gemm"));
}

TEST_F(ParseTest, TakesABareWordForTheNameThatIsNeededThoughAFileIsCalledTheSame) {
  Command freeze;
  freeze.path = "freeze";
  freeze.chapter = Class::capture;
  freeze.summary = "Test.";
  ASSERT_TRUE(
      registry
          .add(command<HotArgs>(
              std::move(freeze), {arg("kernel", &HotArgs::kernel, "kernel to freeze").required()},
              +[](const HotArgs&) -> Result<Document> { return Document(); }))
          .has_value());
  hooks.opens = [](std::string_view path) {
    return path == "reduce" || path == "./reduce" || path == "a.db";
  };
  const Invocation line = parsed("freeze a.db reduce").value();
  EXPECT_EQ(line.arguments.at("kernel"), Value("reduce"));
  EXPECT_THAT(line.open, ElementsAre("a.db"));
  EXPECT_THAT(error("freeze ./reduce"), HasSubstr("'freeze' needs kernel to freeze"));
  // Behind the name, and where none is needed, it is the file.
  EXPECT_THAT(parsed("freeze gemm reduce").value().open, ElementsAre("reduce"));
  EXPECT_THAT(parsed("info hot reduce").value().open, ElementsAre("reduce"));
}

TEST_F(ParseTest, OpensWhatAttAndCaptureName) {
  const Invocation line = parsed("info hot gemm --att out/ui --capture=c1").value();
  EXPECT_THAT(line.open, ElementsAre("out/ui", "c1"));
  EXPECT_EQ(line.arguments.at("kernel"), Value("gemm"));
}

TEST_F(ParseTest, ReadsFormSuffixes) {
  EXPECT_EQ(parsed("info hot/j").value().form.format, Format::json);
  EXPECT_EQ(parsed("info hot /20c gemm").value().form.limit, 20U);
  EXPECT_EQ(parsed("info hot /20c gemm").value().form.format, Format::csv);
  EXPECT_EQ(parsed("info hot /q").value().form.format, Format::scalar);
  EXPECT_EQ(parsed("info hot gemm /x/").error().code, Errc::usage);
  EXPECT_EQ(parsed("info hot /gemm/").value().arguments.at("kernel"), Value("/gemm/"));
  EXPECT_EQ(parsed("info hot --json").value().form.format, Format::json);
}

TEST_F(ParseTest, ExpandsVariablesButNotQuotedOnes) {
  EXPECT_EQ(parsed("info hot $kernel").value().arguments.at("kernel"), Value("gemm"));
  EXPECT_EQ(parsed("info hot '$kernel'").value().arguments.at("kernel"), Value("$kernel"));
}

TEST_F(ParseTest, SaysWhatIsWrongAndWhatToType) {
  EXPECT_EQ(error("info hot --tpo 3"), "'info hot' has no option --tpo / did you mean '--top'?");
  EXPECT_THAT(error("info hot --top x"), HasSubstr("--top takes a whole number, not 'x'"));
  EXPECT_THAT(error("info hot --by nope"), HasSubstr("--by takes one of time, calls, not 'nope'"));
  EXPECT_THAT(error("info hot --top"), HasSubstr("--top needs a value"));
  EXPECT_THAT(error("info hot a b"), HasSubstr("'info hot' does not take 'b'"));
  EXPECT_THAT(error("info hot a 1.5"), HasSubstr("'info hot' does not take '1.5'"));
  EXPECT_THAT(
      error("info hot a missing.csv"),
      HasSubstr("missing.csv: no recording, capture or code object is there / check the path"));
  EXPECT_THAT(error("info hot a runs/4"),
              HasSubstr("runs/4: no recording, capture or code object is there"));
}

TEST_F(ParseTest, BindsTypedArguments) {
  const Command& hot = *registry.find("info hot");
  const Record named{{"top", Value(7)}, {"stream", Value(List{Value("a"), Value("b")})}};
  const Arguments checked = check_arguments(hot, {}, named).value();
  // This folder passes contexts on and knows none; the handler does not look at it.
  std::max_align_t place;
  const Document out = hot.run(reinterpret_cast<Context&>(place), checked).value();
  EXPECT_EQ(*out.get("top"), Value(7));
  EXPECT_EQ(*out.get("streams"), Value(2));
}

TEST_F(ParseTest, ChecksTypedArgumentsLikeText) {
  const Command& hot = *registry.find("info hot");
  EXPECT_FALSE(check_arguments(hot, {}, {{"topp", Value(7)}}).has_value());
  EXPECT_FALSE(check_arguments(hot, {}, {{"top", Value(1.5)}}).has_value());
  EXPECT_FALSE(check_arguments(hot, {}, {{"by", Value("nope")}}).has_value());
  const std::vector<Value> two{Value("a"), Value("b")};
  EXPECT_TRUE(check_arguments(hot, two, {}).has_value());
}

TEST(Usage, ShowsDefaultsAsOptional) {
  Command plain;
  plain.path = "x";
  plain.summary = "Test.";
  const Command made = command<HotArgs>(
      plain, {arg("kernel", &HotArgs::kernel, "k").required(), option("top", &HotArgs::top, "n")},
      +[](const HotArgs&) -> Result<Document> { return Document{}; });
  EXPECT_EQ(made.usage(), "x KERNEL [--top TOP]");
}

struct ShowArgs {
  std::string where, format;
};

/// A command like `x`, whose suffix is an option of its own and whose argument is an expression.
class OwnSuffixTest : public ParseTest {
 protected:
  void SetUp() override {
    ParseTest::SetUp();
    Command show;
    show.path = "y";
    show.summary = "Test.";
    show.suffix_option = "format";
    ASSERT_TRUE(registry
                    .add(command<ShowArgs>(
                        std::move(show),
                        {arg("where", &ShowArgs::where, "where")
                             .takes_phrase()
                             .completes(Complete::variable),
                         option("format", &ShowArgs::format, "how")},
                        +[](const ShowArgs&) -> Result<Document> { return Document{}; }))
                    .has_value());
  }
};

TEST_F(OwnSuffixTest, TakesWhatStandsBehindTheSlash) {
  for (const char* line : {"y/4c here", "y/8xw here", "y/j here"}) {
    const auto invocation = parsed(line);
    ASSERT_TRUE(invocation.has_value()) << line;
    const std::string text(line);
    EXPECT_EQ(invocation->arguments.at("format"), Value(text.substr(2, text.find(' ') - 2)));
    EXPECT_EQ(invocation->arguments.at("where"), Value("here"));
    EXPECT_EQ(invocation->form.format, Format::text);
  }
  EXPECT_FALSE(parsed("y here")->arguments.contains("format"));
  EXPECT_EQ(parsed("y here --format 2gx")->arguments.at("format"), Value("2gx"));
}

TEST_F(OwnSuffixTest, OfARawCommandIsWhatIsNoForm) {
  Command print;
  print.path = "print";
  print.summary = "Test.";
  print.suffix_option = "format";
  print.suffix_letters = "xc";
  print.raw = true;
  print.raw_text = RawText::expression;
  ASSERT_TRUE(registry
                  .add(command<ShowArgs>(
                      std::move(print),
                      {rest("where", &ShowArgs::where, "where"),
                       option("format", &ShowArgs::format, "how")},
                      +[](const ShowArgs&) -> Result<Document> { return Document{}; }))
                  .has_value());
  const auto raw = [&](const char* line) { return parse_raw(registry, line).value().value(); };
  EXPECT_EQ(raw("print/x $pc / 2").arguments.at("format"), Value("x"));
  EXPECT_EQ(raw("print/x $pc / 2").arguments.at("where"), Value("$pc / 2"));
  EXPECT_EQ(raw("print/c $pc").arguments.at("format"), Value("c"))
      << "GDB's letters go before forms";
  EXPECT_EQ(raw("print /x $pc").arguments.at("format"), Value("x"));
  EXPECT_EQ(raw("print -pretty -- $pc").arguments.at("where"), Value("$pc"));
  EXPECT_FALSE(raw("print/j $pc").arguments.contains("format"));
  EXPECT_EQ(raw("print/j $pc").form.format, Format::json);
  EXPECT_FALSE(raw("print 1/x").arguments.contains("format"));
}

TEST_F(OwnSuffixTest, LeavesVariablesOfAnExpressionAlone) {
  EXPECT_EQ(parsed("y $a + 4")->arguments.at("where"), Value("$a + 4"));
  EXPECT_EQ(parsed("info hot $a")->arguments.at("kernel"), Value("gemm"));
}

}  // namespace
}  // namespace rpl
