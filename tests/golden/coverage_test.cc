// SPDX-License-Identifier: MIT
// Every command is run by a transcript, so that what it prints is looked at by somebody.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "shell/commands/all.h"
#include "shell/core/command/registry.h"
#include "shell/core/run/console.h"
#include "shell/core/run/options.h"
#include "shell/core/session/context.h"
#include "tests/golden/transcript.h"

namespace rpl::golden {
namespace {

/// Options of the program that stand before a command and take a value.
bool takes_value(std::string_view option) {
  const ProgramOption* known = program_option(option);
  return known != nullptr && !known->value.empty();
}

/// The command words of a line, behind options of the program; what a word carries behind its first slash is a form suffix or an argument.
std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> names;
  const auto split = split_line(line);
  // Unbalanced quotes: the code of a raw command, whose name is one word.
  if (!split) return {line.substr(0, line.find_first_of(" \t/"))};
  for (std::size_t i = 0; i < split->words.size(); ++i) {
    const Word& word = split->words[i];
    if (names.empty() && word.text.starts_with('-')) {
      if (takes_value(word.text)) ++i;
      continue;
    }
    const std::size_t slash = word.text.find('/');
    names.push_back(slash == 0 ? word.text : word.text.substr(0, slash));
  }
  return names;
}

/// The lines that a step gives to rpl: itself, and what stands behind -ex.
std::vector<std::string> lines_of(const Step& step) {
  std::vector<std::string> lines;
  if (step.speaker == Speaker::host) return lines;
  lines.push_back(without_sugar(step.command));
  const auto split = split_line(step.command);
  for (std::size_t i = 0; split && i + 1 < split->words.size(); ++i) {
    if (split->words[i].text == "-ex") lines.push_back(without_sugar(split->words[i + 1].text));
  }
  return lines;
}

void mark(const Registry& registry, const std::string& line, std::set<std::string>& run) {
  const auto resolved = registry.resolve(words_of(line));
  if (resolved) run.insert(resolved->command->path);
}

std::set<std::string> run_by_transcripts(const Registry& registry) {
  std::set<std::string> run;
  for (const auto& entry : std::filesystem::directory_iterator(RPL_SOURCE_DIR "/tests/golden")) {
    if (entry.path().extension() != ".t") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    for (const Step& step : parse(text).steps) {
      for (const std::string& line : lines_of(step)) mark(registry, line, run);
    }
  }
  return run;
}

TEST(Transcripts, RunEveryCommand) {
  Context context;
  add_all_commands(context.registry());
  const std::set<std::string> run = run_by_transcripts(context.registry());
  for (const auto& [path, command] : context.registry().all()) {
    if (command->hidden) continue;
    EXPECT_TRUE(run.contains(path)) << "no transcript in tests/golden runs '" << path << "'";
  }
}

/// Options that every command takes, or that the program takes behind one.
bool is_general(std::string_view option) {
  static const std::set<std::string_view> general{"json",  "jsonl",   "csv",     "md",
                                                  "limit", "trace",   "att",     "capture",
                                                  "width", "session", "no-color"};
  return general.contains(option);
}

/// Options in `line` that the command which it begins with does not have; "" of a line that begins with none.
std::string unknown_option(const Registry& registry, const std::string& line) {
  const auto resolved = registry.resolve(words_of(line));
  const auto split = split_line(line);
  if (!resolved || !split || resolved->command->raw) return {};
  if (split->words.front().text.substr(0, split->words.front().text.find('/')) !=
      resolved->command->path.substr(0, resolved->command->path.find(' ')))
    return {};
  for (std::size_t i = resolved->words; i < split->words.size(); ++i) {
    const Word& word = split->words[i];
    if (word.text == "--") break;
    if (word.quoted || !word.text.starts_with("--")) continue;
    std::string option = word.text.substr(
        2, word.text.find('=') == std::string::npos ? std::string::npos : word.text.find('=') - 2);
    if (resolved->command->param(option) != nullptr || is_general(option)) continue;
    if (option.starts_with("no-") && resolved->command->param(option.substr(3)) != nullptr)
      continue;
    return word.text;
  }
  return {};
}

/// What a page shows as typed: `code` in its text, and lines behind a prompt or behind `rpl` in its blocks.
std::vector<std::string> commands_of(const std::string& page) {
  std::vector<std::string> commands;
  std::istringstream lines(page);
  bool block = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      block = !block;
      continue;
    }
    if (block) {
      for (const std::string_view prompt : {"(rpl) ", "$ rpl ", "rpl "}) {
        if (line.starts_with(prompt)) commands.push_back(line.substr(prompt.size()));
      }
      continue;
    }
    for (std::size_t at = line.find('`'); at != std::string::npos; at = line.find('`', at)) {
      const std::size_t end = line.find('`', at + 1);
      if (end == std::string::npos) break;
      std::string code = line.substr(at + 1, end - at - 1);
      if (code.starts_with("rpl ")) code.erase(0, 4);
      commands.push_back(std::move(code));
      at = end + 1;
    }
  }
  return commands;
}

/// The pages that people write.
std::vector<std::filesystem::path> pages() {
  const std::filesystem::path root = RPL_SOURCE_DIR;
  std::vector<std::filesystem::path> found{root / "README.md", root / "docs/agents/SKILL.md",
                                           root / "docs/agents/profiling.md",
                                           root / "docs/agents/autotune.md"};
  for (const auto& entry : std::filesystem::directory_iterator(root / "docs")) {
    if (entry.path().extension() == ".md") found.push_back(entry.path());
  }
  return found;
}

TEST(Pages, NameOptionsThatExist) {
  Context context;
  add_all_commands(context.registry());
  std::size_t seen = 0;
  for (const auto& path : pages()) {
    std::ifstream file(path, std::ios::binary);
    ASSERT_TRUE(file) << path;
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    for (const std::string& line : commands_of(text)) {
      ++seen;
      EXPECT_EQ(unknown_option(context.registry(), without_sugar(line)), "")
          << path << ": " << line;
    }
  }
  EXPECT_GT(seen, 1000U);
}

TEST(Pages, ThatNameAnUnknownOptionAreFound) {
  Context context;
  add_all_commands(context.registry());
  EXPECT_EQ(unknown_option(context.registry(), "critpath t.db --tops 3"), "--tops");
  EXPECT_EQ(unknown_option(context.registry(), "critpath/j --top 3 --json"), "");
  EXPECT_EQ(unknown_option(context.registry(), "profile --quiet -- ./app --fast"), "");
  EXPECT_EQ(commands_of("see `a b`, `rpl c`\n```\n$ rpl d --e\n`f`\n```\n"),
            (std::vector<std::string>{"a b", "c", "d --e"}));
}

}  // namespace
}  // namespace rpl::golden
