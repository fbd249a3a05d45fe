// SPDX-License-Identifier: MIT
#include "engine/process/run.h"
#include "shell/commands/all.h"
#include "shell/core/command/define.h"
#include "shell/core/command/registry.h"
#include "shell/core/run/options.h"
#include "shell/core/session/context.h"
#include "shell/prompt/prompt.h"
#include "tests/support/temp_dir.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace rpl {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string& page() {
  static const std::string text = [] {
    Context context;
    add_all_commands(context.registry());
    return manual_page(context.registry());
  }();
  return text;
}

/// As a terminal shows it, 200 columns wide, without bold.
Result<Exit> shown(const std::vector<std::string>& argv) {
  const testing_support::TempDir folder;
  folder.write("rpl.1", page());
  std::vector<std::string> words = argv;
  words.push_back(folder / "rpl.1");
  return run({.argv = words, .env = {"MANWIDTH=200", "LC_ALL=C.UTF-8"}});
}

TEST(ManualPage, HasEveryOptionAndEveryListedCommand) {
  Context context;
  add_all_commands(context.registry());
  const auto read = shown({"groff", "-man", "-Tutf8", "-P-cbou", "-rLL=200n"});
  if (!read) GTEST_SKIP() << "there is no groff (scripts/setup --full)";
  const std::string& text = read->out.text;
  // groff 1.24 indents by 5.
  const std::string indent =
      text.find("\nNAME\n       ") != std::string::npos ? "\n       " : "\n     ";
  for (const ProgramOption& option : program_options()) {
    if (option.hidden) continue;
    EXPECT_THAT(text, HasSubstr(indent + std::string(option.name))) << option.name;
  }
  for (const auto& [path, command] : context.registry().all()) {
    if (command->hidden || command->is_user_defined) continue;
    EXPECT_THAT(text, HasSubstr(indent + path)) << path;
  }
  for (const ExitStatus& one : exit_statuses())
    EXPECT_THAT(text, HasSubstr(std::string(one.meaning)));
  EXPECT_THAT(text, Not(HasSubstr("--complete ")));
}

TEST(ManualPage, GroffWarnsOfNothing) {
  const auto read = shown({"groff", "-man", "-ww", "-z", "-Tutf8"});
  if (!read) GTEST_SKIP() << "there is no groff (scripts/setup --full)";
  EXPECT_TRUE(read->ok());
  EXPECT_EQ(read->err.text, "");
}

TEST(ManualPage, MandocFindsNothingToWarnOf) {
  const auto read = shown({"mandoc", "-Tlint", "-Wwarning"});
  if (!read) GTEST_SKIP() << "there is no mandoc (scripts/setup --full)";
  EXPECT_EQ(read->out.text + read->err.text, "");
}

TEST(ManualPage, IsAsciiAndStartsNoLineByAccident) {
  EXPECT_TRUE(std::ranges::all_of(page(), [](unsigned char c) { return c < 0x80; }));
  Context context;
  Command odd;
  odd.path = "odd";
  odd.summary = ".TH it\\n says 'ü' - \u2192.";
  odd.help = "-";
  odd.run = [](Context&, const Arguments&) -> Result<Document> { return Document(); };
  ASSERT_TRUE(context.registry().add(std::move(odd)).has_value());
  EXPECT_THAT(manual_page(context.registry()),
              HasSubstr("\n\\&.TH it\\en says \\(aq\\[u00FC]\\(aq \\- \\[u2192].\n"));
}

}  // namespace
}  // namespace rpl
