// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "engine/base/interrupt.h"
#include "engine/base/numbers.h"
#include "engine/document/bound.h"
#include "engine/process/attached.h"
#include "shell/core/command/define.h"
#include "shell/core/command/line.h"
#include "shell/core/command/settings.h"
#include "shell/core/inputs/one_argument.h"
#include "shell/core/run/background.h"
#include "shell/core/session/face.h"
#include "shell/core/session/session_log.h"
#include "shell/core/session/version.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace {

struct TextArgs {
  std::string text;
};

/// The escapes of echo in GDB and C that are of use in one line of text.
std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '\\' || at + 1 == text.size()) {
      out += text[at];
      continue;
    }
    const char c = text[++at];
    out += c == 'n' ? '\n' : c == 't' ? '\t' : c;
  }
  return out;
}

constexpr auto kEchoFields =
    bound_to<TextArgs>(column<&TextArgs::text>("text", "what was printed"));

Result<Document> echo(const TextArgs& args) {
  Document document;
  const TextArgs printed{unescaped(args.text)};
  document.text = printed.text + "\n";
  document.put(kEchoFields, printed);
  return document;
}

struct CommandArgs {
  std::string command;
};

Result<Document> run_in_host_shell(const CommandArgs& args) {
  const char* shell = std::getenv("SHELL");
  Spawn spawn;
  spawn.argv = {shell != nullptr && shell[0] != 0 ? shell : "/bin/sh"};
  if (!args.command.empty()) spawn.argv.insert(spawn.argv.end(), {"-c", args.command});
  Document document;
  document.exit_code = TRY(run_attached(spawn)).code;
  return document;
}

struct Repetition {
  std::string line;  ///< what to run: the line without the options
  double every_s = 0;
  std::int64_t count = 0;  ///< 0: until it fails or is interrupted
};

template <class T>
Result<T> number_of(std::string_view option, std::string_view text) {
  if (const auto value = whole_number<T>(text); value && *value >= T{0}) return *value;
  return fail(Errc::usage, fmt::format("{} takes a number, 0 or more, not '{}'", option, text));
}

/// Takes --every and --count out of the line, wherever they stand, and leaves the rest as it was typed.
Result<Repetition> parse_repetition(const std::string& text) {
  const Line line = TRY(split_line(text));
  Repetition out;
  bool every = false;
  for (std::size_t i = 0; i < line.words.size(); ++i) {
    const Word& word = line.words[i];
    const bool option = !word.quoted && (word.text == "--every" || word.text == "--count");
    if (!option) {
      const std::size_t end = i + 1 < line.words.size() ? line.words[i + 1].offset : text.size();
      out.line += text.substr(word.offset, end - word.offset);
      continue;
    }
    if (++i == line.words.size()) return fail(Errc::usage, word.text + " needs a value");
    if (word.text == "--every") {
      out.every_s = TRY(number_of<double>(word.text, line.words[i].text));
      every = true;
    } else {
      out.count = TRY(number_of<std::int64_t>(word.text, line.words[i].text));
    }
  }
  if (out.line.empty() || !every) {
    return fail(Errc::usage, "repeat needs a command and --every SECONDS",
                "usage: repeat COMMAND --every SECONDS [--count N]");
  }
  return out;
}

/// Sleeps in slices that a Ctrl-C cuts short.
Status wait_interruptibly(double seconds) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (std::chrono::steady_clock::now() < deadline) {
    TRY(interrupt::check());
    const std::chrono::duration<double> left = deadline - std::chrono::steady_clock::now();
    std::this_thread::sleep_for(std::min(left, std::chrono::duration<double>(0.05)));
  }
  return interrupt::check();
}

Result<Document> repeat(const LineArgs& args, Face& face) {
  const Repetition what = TRY(parse_repetition(args.line));
  Document document;
  for (std::int64_t run = 0; what.count == 0 || run < what.count; ++run) {
    if (run > 0) TRY(wait_interruptibly(what.every_s));
    document.exit_code = face.run_line(what.line);
    if (document.exit_code != 0 || face.leaving()) break;
  }
  return document;
}

constexpr auto kStartFields =
    bound_to<FileArgs>(column<&FileArgs::file>("file", "where the lines go"));

Result<Document> record_start(const FileArgs& args, SessionLog& log) {
  TRY(log.recorder().start(args.file, version()));
  Document document;
  document.put(kStartFields, args);
  document.text = fmt::format("recording to {}; 'record stop' ends it\n", args.file);
  return document;
}

struct RecordedLines {
  std::string file;
  std::uint64_t lines = 0;
};

constexpr auto kStopFields = bound_to<RecordedLines>(
    column<&RecordedLines::file>("file", "where the lines are"),
    column<&RecordedLines::lines>("lines", "that were written and will be replayed"));

Result<Document> record_stop(SessionLog& log) {
  RecordedLines out{log.recorder().path()};
  out.lines = TRY(log.recorder().stop());
  Document document;
  document.put(kStopFields, out);
  document.text =
      fmt::format("{} lines in {}; replay them with: source {}\n", out.lines, out.file, out.file);
  return document;
}

struct QuitArgs {
  std::int64_t status = 0;
};

Result<Document> quit(const QuitArgs& args, const Jobs& jobs, const Workspace& workspace,
                      const Settings& settings, Face& face) {
  Document document;
  if (!may_leave(jobs, workspace, settings, face)) return document;
  face.leave();
  document.exit_code = static_cast<int>(args.status);
  return document;
}

Command named(Label path, Label summary, Label help, std::vector<Label> examples) {
  return {.path = path,
          .does = kReads,
          .summary = summary,
          .help = help,
          .examples = std::move(examples),
          .changes_program = true};
}

void add_record(Registry& registry) {
  Command start = named("record start", "Write what is typed from now on into a file of commands.",
                        "Each line is written when it has run; one that failed becomes a comment. "
                        "`source FILE` replays it. The file must not exist yet.",
                        {"record start typed.rpl"});
  start.does = {Capability::write};
  start.fields = described(kStartFields);
  add(registry,
      command<FileArgs>(
          std::move(start),
          {arg("file", &FileArgs::file, "a new .rpl file").required().completes(Complete::file)},
          record_start));
  Command stop = named("record stop", "End the recording of what is typed.",
                       "Says how many lines the file has.", {"record stop"});
  stop.fields = described(kStopFields);
  stop.scalar = "file";
  add(registry, command(std::move(stop), record_stop));
}

}  // namespace

void add_line_commands(Registry& registry) {
  Command echoing =
      named("echo", "Print text.",
            "The rest of the line, with `\\n` and `\\t` for line breaks and tabs.", {"echo hello"});
  echoing.fields = described(kEchoFields);
  echoing.scalar = "text";
  echoing.raw = true;
  add(registry, command<TextArgs>(std::move(echoing),
                                  {rest("text", &TextArgs::text, "what to print")}, echo));

  Command shell = named("shell", "Run a command of the host's shell; alone, the shell itself.",
                        "`!COMMAND` is the same. $SHELL runs it, on this terminal; Ctrl-C is the "
                        "command's while it runs.",
                        {"shell true"});
  shell.does = {Capability::run};
  shell.raw = true;
  add(registry,
      command<CommandArgs>(
          std::move(shell),
          {rest("command", &CommandArgs::command, "what to run").completes(Complete::file)},
          run_in_host_shell));

  Command repeating = named("repeat", "Run a command again and again.",
                            "`--every SECONDS` is the pause, `--count N` how often; without a "
                            "count it goes on until the command fails or Ctrl-C.",
                            {"repeat echo again --every 0 --count 2"});
  repeating.raw = true;
  add(registry,
      command<LineArgs>(std::move(repeating),
                        {rest("line", &LineArgs::line, "COMMAND --every SECONDS [--count N]")
                             .required()
                             .completes(Complete::command)},
                        repeat));
  add_record(registry);

  Command leaving = named(
      "quit", "Leave the shell.",
      "Ctrl-D on an empty line does the same. The exit status is 0 or the number given.", {"quit"});
  leaving.aliases = {"exit", "q"};
  add(registry,
      command<QuitArgs>(std::move(leaving),
                        {arg("status", &QuitArgs::status, "exit status of rpl").in(within(0, 255))},
                        quit));
}

}  // namespace rpl
