// SPDX-License-Identifier: MIT
// The habits of GDB's users, typed one by one on a terminal into a shell of their own, and the page that lists them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "engine/base/files.h"
#include "engine/base/text.h"
#include "shell/core/command/gdb_words.h"
#include "tests/support/pty.h"
#include "tests/support/temp_dir.h"

namespace rpl {
namespace {

using testing_support::Pty;
using testing_support::TempDir;

struct Habit {
  std::string_view
      row;  ///< in the list of habits that was once tried; "" for one from GDB's manual
  std::string_view state;  ///< what stands when it is typed
  std::string_view typed;  ///< lines
  std::string_view shows;  ///< texts that must be seen, by lines
  bool as_gdb;             ///< it does what it does in GDB; else one line says what does it here
};
constexpr Habit kHabits[] = {
#include "tests/habits/habits.inc"
};

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

constexpr std::string_view kLaunch =
    "kernel run normalize.co --grid 256 --workgroup 128 --arg f32:@rows.bin --arg f32:zero:1200 "
    "--arg i32:200 --arg i32:6\n";

/// The lines that come before those of a habit.
std::string lines_before(std::string_view state) {
  const std::string stopped =
      "break normalize.hip:8 if workgroup == 1 and lane == 3\n" + std::string(kLaunch);
  if (state == "none") return "";
  if (state == "stopped") return stopped;
  if (state == "ended") return stopped + "disable\ncontinue\nenable\n";
  if (state == "killed") return stopped + "kill\n";
  if (state == "called")
    return "break sum_of\nkernel run calls.co rows_of --grid 64 --workgroup 64 --arg "
           "f32:iota:1024 --arg f32:zero:64 --arg i32:64 --arg i32:6\ncontinue\n";
  return "kernel run k.co scale --grid 64 --workgroup 64 --arg f32:one:256 --arg f32:zero:256 "
         "--arg "
         "i32:16 --stop\n";
}

/// Lines are broken at 80 columns wherever that is.
std::string with_single_blanks(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n';
    if (!blank || (!out.empty() && out.back() != ' ')) out += blank ? ' ' : c;
  }
  return out;
}

class Habits : public testing::Test {
 protected:
  void SetUp() override {
    std::string rows;
    for (int row = 0; row < 200; ++row) {
      for (int column = 0; column < 6; ++column) {
        const float value =
            row == 131 ? 0.0F : static_cast<float>(row) + static_cast<float>(column) * 0.25F;
        rows.append(reinterpret_cast<const char*>(&value), sizeof(value));
      }
    }
    ASSERT_TRUE(write_file(folder / "rows.bin", rows));
    copy(RPL_EXAMPLES "/objects/normalize.gfx942.co", "normalize.co");
    copy(RPL_EXAMPLES "/normalize.hip", "normalize.hip");
    copy(RPL_HABITS "/objects/k.gfx942.co", "k.co");
    copy(RPL_HABITS "/k.hip", "k.hip");
    copy(RPL_HABITS "/../engine/isa/kernels/objects/calls.gfx942.co", "calls.co");
    copy(RPL_HABITS "/../engine/isa/kernels/calls.hip", "calls.hip");
  }
  void copy(const std::string& from, const char* to) {
    const auto bytes = read_binary_file(from);
    ASSERT_TRUE(bytes.has_value()) << from;
    ASSERT_TRUE(write_file(folder / to, std::span<const std::byte>(*bytes)));
  }

  /// rpl on a terminal of 80 x 24, as a person has it, with what stands before.
  Pty start(std::string_view state) {
    Pty::Start how;
    how.argv = {RPL_PROGRAM, "-q", "-nx"};
    how.env = {"XDG_STATE_HOME=" + folder / "state", "XDG_CONFIG_HOME=" + folder / "config",
               "INPUTRC=/dev/null", "PAGER", "LESS"};
    how.cwd = folder.path();
    Result<Pty> pty = Pty::start(how);
    EXPECT_TRUE(pty.has_value());
    EXPECT_TRUE(pty->wait_for("(rpl) "));
    type(*pty, "set pager off\nset confirm off\n" + lines_before(state));
    return std::move(*pty);
  }

  /// Types lines, waiting for the prompt behind each; those of a body, up to `end`, at once. The full-screen mode is left again.
  static void type(Pty& pty, const std::string& text) {
    int open = 0;
    for (const std::string& line : lines_of(text)) {
      const std::string word = line.substr(0, line.find(' '));
      pty.send(line + "\r");
      if (word == "q") return;
      const bool one_line =
          (word == "python" || word == "py") && line.find(' ') != std::string::npos;
      for (const char* opener :
           {"commands", "define", "document", "python", "py", "if", "while", "actions"}) {
        if (word == opener && !one_line) ++open;
      }
      if (word == "end") --open;
      if (open > 0) continue;
      for (const char* view : {"layout", "la", "tui"}) {
        if (word != view) continue;
        EXPECT_TRUE(pty.wait_for("tui disable")) << line;
        pty.send("\x18");
        pty.send("a");
      }
      EXPECT_TRUE(pty.wait_for("(rpl")) << line << "\n" << pty.screen().text();
    }
  }

  /// What is seen of the lines of a habit, errors among it, with one blank for all that separates words.
  std::string seen(const Habit& habit) {
    Pty pty = start(habit.state);
    const std::size_t before = pty.screen().plain().size();
    type(pty, std::string(habit.typed));
    if (habit.typed != "q") type(pty, "print/x 195894762");
    if (habit.typed == "q")
      EXPECT_TRUE(pty.wait_for_exit().has_value());
    else
      EXPECT_TRUE(pty.screen().plain().find("0xbad1dea", before) != std::string::npos ||
                  pty.wait_for("0xbad1dea"));
    return with_single_blanks(pty.screen().plain().substr(before));
  }

  TempDir folder;
};

/// Words of messages that say nothing about what to type, or that something else was understood.
bool is_wrong(const Habit& habit, const std::string& seen) {
  for (const char* text :
       {"unknown command", "ambiguous", "did you mean", "(lua)", "internal error"}) {
    if (seen.find(text) != std::string::npos) return true;
  }
  const bool refused = seen.find("error: ") != std::string::npos;
  if (habit.as_gdb && refused) return true;
  for (const std::string& text : lines_of(habit.shows)) {
    if (seen.find(with_single_blanks(text)) == std::string::npos) return true;
  }
  return false;
}

TEST_F(Habits, AreAsInGdbOrSaidInOneLine) {
  int as_gdb = 0, said = 0, wrong = 0;
  std::map<bool, int> of_list;  // of the 97
  for (const Habit& habit : kHabits) {
    const std::string text = seen(habit);
    const bool bad = is_wrong(habit, text);
    EXPECT_FALSE(bad) << "row " << habit.row << "\n" << habit.typed << "\n---- shows\n" << text;
    wrong += bad ? 1 : 0;
    (habit.as_gdb ? as_gdb : said) += bad ? 0 : 1;
    of_list[habit.as_gdb] += bad || habit.row.empty() ? 0 : 1;
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_GE(of_list[true], 75);
  std::printf("%d as in GDB, %d with a line that says what does it here, %d wrong\n", as_gdb, said,
              wrong);
}

/// A cell of a table of Markdown.
std::string cell(std::string_view text) {
  std::string out;
  for (const std::string& line : lines_of(text)) {
    out += out.empty() ? "" : ", ";
    out += "`";
    for (const char c : line) out += c == '|' ? std::string("\\|") : std::string(1, c);
    out += "`";
  }
  return out;
}

std::string page() {
  std::map<bool, int> counts;
  for (const Habit& habit : kHabits) ++counts[habit.as_gdb];
  std::string text =
      "# GDB's habits\n\n"
      "What people who know GDB type, and what comes of it in `rpl`. Each row is typed on a "
      "terminal of 80 x 24 by `habits_test`, which fails where it does something else; the page "
      "is\n"
      "made from the same table (`RPL_WRITE_PAGE=1 habits_test`). " +
      std::to_string(counts[true]) + " rows work as in GDB; " + std::to_string(counts[false]) +
      " are answered with the line that does it here; none does something else.\n\n"
      "## As in GDB\n\n"
      "`stopped`: a kernel stands at a breakpoint. `ended`: it ran to its end. `killed`: it was "
      "given up. `template`: the kernel that is stopped is a template. `called`: it stands in a "
      "function that another one called.\n\n"
      "| typed | while | seen |\n|---|---|---|\n";
  for (const bool as_gdb : {true, false}) {
    for (const Habit& habit : kHabits) {
      if (habit.as_gdb != as_gdb) continue;
      text += "| " + cell(habit.typed) + " | " + std::string(habit.state) + " | " +
              cell(habit.shows) + " |\n";
    }
    if (as_gdb)
      text +=
          "\n## Answered with what does it here\n\n| typed | while | the answer has "
          "|\n|---|---|---|\n";
  }
  text += "\n## Words that a kernel has no use for\n\n| typed | answer |\n|---|---|\n";
  for (const GdbWord& word : gdb_words()) {
    if (word.why.empty()) continue;
    text += "| " + cell(word.path) + " | " + std::string(word.why) + "; ";
    for (const char c : word.instead) text += c == '|' ? std::string("\\|") : std::string(1, c);
    text += " |\n";
  }
  return text;
}

TEST(HabitsPage, IsCurrent) {
  if (std::getenv("RPL_WRITE_PAGE") != nullptr) {
    ASSERT_TRUE(write_file(RPL_PAGE, page()));
  }
  EXPECT_EQ(read_text_file(RPL_PAGE).value_or(""), page()) << "RPL_WRITE_PAGE=1 makes it again";
}

TEST(GdbWords, AreToldApart) {
  std::map<std::string, int> spellings;
  for (const GdbWord& word : gdb_words()) {
    ++spellings[std::string(word.path)];
    EXPECT_EQ(word.why.empty(), word.instead.empty()) << word.path;
    EXPECT_LT(word.why.size(), 120U) << word.path;
  }
  for (const auto& [path, count] : spellings) EXPECT_EQ(count, 1) << path;
}

}  // namespace
}  // namespace rpl
