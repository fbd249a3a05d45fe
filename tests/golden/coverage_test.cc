// SPDX-License-Identifier: MIT
// Every command is run by a transcript, so that what it prints is looked at by somebody.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "shell/commands/all.h"
#include "shell/repl/console.h"
#include "tests/golden/transcript.h"

namespace rpl::golden {
namespace {

/// Options of the program that stand before a command and take a value.
bool takes_value(std::string_view option) {
  return option == "--session" || option == "--target" || option == "--width" || option == "-x" ||
         option == "-ex";
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
  add_all_commands(context.registry);
  const std::set<std::string> run = run_by_transcripts(context.registry);
  for (const auto& [path, command] : context.registry.all()) {
    if (command->hidden) continue;
    EXPECT_TRUE(run.contains(path)) << "no transcript in tests/golden runs '" << path << "'";
  }
}

}  // namespace
}  // namespace rpl::golden
