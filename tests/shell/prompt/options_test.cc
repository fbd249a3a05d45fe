// SPDX-License-Identifier: MIT
#include "shell/core/run/options.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace rpl {
namespace {

using ::testing::ElementsAre;

Result<Options> parsed(std::vector<std::string> arguments) {
  return parse_options(arguments, [](std::string_view word) { return word == "info"; });
}

TEST(Options, AFirstWordThatIsACommandTakesTheRest) {
  const Options options = parsed({"info", "kernels", "a.db", "--json", "--session", "s"}).value();
  EXPECT_TRUE(options.one_shot);
  EXPECT_THAT(options.words, ElementsAre("info", "kernels", "a.db", "--json"));
  EXPECT_EQ(options.session, "s");
}

TEST(Options, KeepsTheOrderOfActions) {
  const Options options =
      parsed({"-q", "-batch", "a.db", "-ex", "x", "-x", "f.lua", "--", "1"}).value();
  EXPECT_FALSE(options.one_shot);
  ASSERT_EQ(options.actions.size(), 2U);
  EXPECT_FALSE(options.actions[0].is_file);
  EXPECT_TRUE(options.actions[1].is_file);
  EXPECT_THAT(options.words, ElementsAre("a.db"));
  EXPECT_THAT(options.after_dashes, ElementsAre("1"));
  EXPECT_TRUE(options.batch && options.quiet);
}

TEST(Options, EverySpellingOfTheTableIsTaken) {
  for (const ProgramOption& option : program_options()) {
    for (const std::string_view spelling : {option.name, option.other, option.third}) {
      if (spelling.empty()) continue;
      std::vector<std::string> words{std::string(spelling)};
      if (!option.value.empty())
        words.emplace_back(option.takes == ProgramOption::Takes::number   ? "7"
                           : option.takes == ProgramOption::Takes::folder ? "."
                           : option.name == "--allow"                     ? "run"
                           : option.choices.empty()                       ? "v"
                                                    : std::string(option.choices[0]));
      EXPECT_TRUE(parsed(words).has_value()) << spelling;
    }
    EXPECT_EQ(usage_text().find(fmt::format("\n  {}", option.name)) != std::string::npos,
              !option.hidden)
        << option.name;
  }
}

TEST(Options, KeepsWhatItWasGiven) {
  const Options options = parsed({"--target", "emu", "--emit-completion", "zsh", "--interpreter",
                                  "mcp", "--csv", "--width", "90"})
                              .value();
  EXPECT_EQ(options.target, "emu");
  EXPECT_EQ(options.completion, "zsh");
  EXPECT_EQ(options.interpreter, "mcp");
  EXPECT_EQ(options.format, Format::csv);
  EXPECT_EQ(options.width, 90U);
  EXPECT_EQ(parsed({"--emit-completion", "csh"}).error().message, "no shell 'csh'");
}

TEST(Options, ThoseOfOtherProfilersAreAnsweredWithWhatDoesItHere) {
  const auto hint = [](std::vector<std::string> words) {
    const auto parsed = parse_options(words, [](std::string_view word) { return word == "open"; });
    return parsed ? std::string("taken") : parsed.error().message + "; " + parsed.error().hint;
  };
  EXPECT_THAT(hint({"--kernel-trace", "--", "./app"}), testing::HasSubstr("rpl profile -- ./app"));
  EXPECT_THAT(hint({"--pmc", "SQ_WAVES"}), testing::HasSubstr("--counters A,B"));
  EXPECT_THAT(hint({"--output-format=csv"}), testing::HasSubstr("rpl profile"));
  EXPECT_THAT(hint({"-L"}), testing::HasSubstr("rpl counters list"));
  EXPECT_THAT(hint({"--nonsense"}), testing::HasSubstr("rpl --help"));
  // A word of theirs is no file, either; others may be one.
  EXPECT_THAT(hint({"stats", "t.db"}), testing::HasSubstr("'info kernels'"));
  EXPECT_EQ(hint({"t.db"}), "taken");
}

TEST(Options, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(parsed({"--nonsense"}).error().code, Errc::usage);
  EXPECT_EQ(parsed({"-ex"}).error().message, "-ex needs a value");
  EXPECT_EQ(parsed({"--width", "x"}).error().code, Errc::usage);
}

}  // namespace
}  // namespace rpl
