// SPDX-License-Identifier: MIT
#include "shell/prompt/argument_completion.h"
#include "engine/process/run.h"
#include "shell/commands/all.h"
#include "shell/core/command/registry.h"
#include "shell/core/command/settings.h"
#include "shell/core/run/options.h"
#include "shell/core/session/context.h"
#include "tests/support/temp_dir.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace rpl {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Not;

class ArgumentCompletion : public testing::Test {
 protected:
  ArgumentCompletion() : before_(std::filesystem::current_path()) {
    std::filesystem::current_path(folder_.path());
    add_all_commands(context_.registry());
    folder_.write("train.db", "");
    folder_.write("two words.lua", "");
    folder_.write("out/a.db", "");
  }
  ~ArgumentCompletion() override { std::filesystem::current_path(before_); }

  std::vector<WordChoice> choices(std::string_view line) {
    return complete_arguments(context_, line, [this](std::string_view word) {
      const std::vector<std::string> words{std::string(word)};
      return context_.registry().resolve(words).has_value() ||
             !context_.registry().next_words(words).empty();
    });
  }
  std::vector<std::string> words(std::string_view line) {
    std::vector<std::string> out;
    for (const WordChoice& one : choices(line)) out.push_back(one.word);
    return out;
  }

  testing_support::TempDir folder_;
  Context context_;

 private:
  std::filesystem::path before_;
};

TEST_F(ArgumentCompletion, TheFirstWordIsACommandAnOptionOrAFile) {
  EXPECT_THAT(words("rpl "), IsSupersetOf({"info", "summary", "doctor", "train.db", "out/"}));
  EXPECT_THAT(words("rpl doc"), ElementsAre("doctor", "document"));
  EXPECT_THAT(words("rpl tra"), ElementsAre("trace", "train.db"));
  EXPECT_THAT(words("rpl --emit-"),
              ElementsAre("--emit-completion", "--emit-lua-stubs", "--emit-man"));
}

TEST_F(ArgumentCompletion, EveryOptionOfTheTableIsThere) {
  const auto found = words("rpl -");
  for (const ProgramOption& option : program_options()) {
    EXPECT_EQ(std::ranges::count(found, option.name), option.hidden ? 0 : 1) << option.name;
  }
}

TEST_F(ArgumentCompletion, OptionsTakeWhatTheTableSays) {
  EXPECT_THAT(words("rpl --interpreter "), ElementsAre("console", "jsonl", "mcp"));
  EXPECT_THAT(words("rpl --emit-completion z"), ElementsAre("zsh"));
  EXPECT_THAT(words("rpl -x tw"), ElementsAre("two words.lua"));
  EXPECT_THAT(words("rpl --session "), ElementsAre("out/"));
  EXPECT_THAT(words("rpl --width "), IsEmpty());
}

TEST_F(ArgumentCompletion, WordsOfACommandAreItsOwn) {
  EXPECT_THAT(words("rpl info ker"), ElementsAre("kernel", "kernels"));
  EXPECT_THAT(words("rpl info kernels --li"), ElementsAre("--limit"));
  EXPECT_THAT(words("rpl info kernels tr"), ElementsAre("train.db"));
  EXPECT_THAT(words("rpl export --form"), Not(Contains("--interpreter")));
  EXPECT_THAT(words("rpl set target "), Contains("emu"));
  // As rpl takes them: by a unique beginning.
  EXPECT_THAT(words("rpl summ --li"), ElementsAre("--limit"));
}

TEST_F(ArgumentCompletion, OptionsThatMayStandAnywhereStandBehindACommandToo) {
  EXPECT_THAT(words("rpl info kernels --se"), ElementsAre("--session"));
  EXPECT_THAT(words("rpl info kernels --session "), ElementsAre("out/"));
  EXPECT_THAT(words("rpl info kernels --session out/ --li"), ElementsAre("--limit"));
  EXPECT_THAT(words("rpl info kernels --interp"), IsEmpty());
}

TEST_F(ArgumentCompletion, ACommandAfterExIsOneWord) {
  EXPECT_THAT(words("rpl -ex 'info ker"), ElementsAre("info kernel", "info kernels"));
  EXPECT_THAT(words("rpl -ex \"info kernels\" -ex summ"), ElementsAre("summary"));
  EXPECT_THAT(words("rpl --ex info\\ kernels\\ --li"), ElementsAre("info kernels --limit"));
}

TEST_F(ArgumentCompletion, BehindDashesAreFiles) {
  EXPECT_THAT(words("rpl profile -- tr"), ElementsAre("train.db"));
  EXPECT_THAT(words("rpl -x 'two words.lua' -- "), Contains("train.db"));
  EXPECT_THAT(words("rpl --args out"), ElementsAre("out/"));
}

TEST_F(ArgumentCompletion, WordsAreExplained) {
  EXPECT_THAT(choices("rpl docto"),
              ElementsAre(WordChoice{"doctor",
                                     "Say what works here, what is missing, and what fixes it."}));
  EXPECT_THAT(
      choices("rpl set build comp"),
      ElementsAre(WordChoice{
          "compiler", std::string(context_.settings().all().at("build compiler").param.help)}));
  EXPECT_THAT(choices("rpl --emit-m"),
              ElementsAre(WordChoice{"--emit-man", "print the manual page, rpl(1)"}));
  EXPECT_THAT(choices("rpl -ex 'info kernels"),
              ElementsAre(WordChoice{
                  "info kernels", std::string(context_.registry().find("info kernels")->summary)}));
}

TEST_F(ArgumentCompletion, EveryCommandIsReachedWordByWord) {
  for (const auto& [path, command] : context_.registry().all()) {
    if (command->hidden) continue;
    std::string line = "rpl ";
    for (const std::string& word : split_words(path)) {
      EXPECT_THAT(words(line + word), Contains(word)) << path;
      line += word + " ";
    }
  }
}

TEST(CompletionScript, IsThereForThreeShells) {
  for (const char* shell : {"bash", "zsh", "fish"})
    EXPECT_THAT(completion_script(shell), HasSubstr("rocm-perf-lab")) << shell;
  EXPECT_EQ(completion_script("csh"), "");
}

/// The shells read what is for them, where they are installed.
class CompletionSyntax : public testing::TestWithParam<std::vector<std::string>> {};

TEST_P(CompletionSyntax, IsValid) {
  const testing_support::TempDir folder;
  const std::string shell = GetParam()[0];
  folder.write("script", completion_script(shell));
  std::vector<std::string> argv = GetParam();
  argv.push_back(folder / "script");
  const auto exit = run({.argv = argv});
  if (!exit) GTEST_SKIP() << "there is no " << shell << " (scripts/setup --full)";
  EXPECT_TRUE(exit->ok()) << exit->err.text;
  EXPECT_EQ(exit->err.text, "");
}

INSTANTIATE_TEST_SUITE_P(Shells, CompletionSyntax,
                         testing::Values(std::vector<std::string>{"bash", "-n"},
                                         std::vector<std::string>{"zsh", "-f", "-n"},
                                         std::vector<std::string>{"fish", "--no-execute"}),
                         [](const auto& shell) { return shell.param[0]; });

}  // namespace
}  // namespace rpl
