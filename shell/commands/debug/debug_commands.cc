// SPDX-License-Identifier: MIT
// commands, save breakpoints: lines that run behind a stop, and breakpoints as lines.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/numbers.h"
#include "engine/base/output_file.h"
#include "shell/commands/debug/expressions.h"
#include "shell/commands/debug/point_text.h"
#include "shell/core/command/define.h"
#include "shell/core/session/face.h"
#include "shell/core/session/script_lines.h"

namespace rpl {
namespace {

struct CommandsArgs {
  std::vector<std::string> numbers;
  std::vector<std::string> line;
};

Result<Document> run_commands(const CommandsArgs& args, Debugger debugger,
                              const Registry& registry) {
  Debugging& all = debugging(debugger);
  auto numbers = numbers_of(args.numbers);
  if (numbers && numbers->empty()) numbers->push_back(all.points.last());
  // The lines are read whatever follows: they must not run here one by one.
  std::vector<std::string> lines = args.line;
  if (lines.empty())
    lines = TRY(read_body(debugger.face, registry,
                          fmt::format("commands {}", fmt::join(args.numbers, " "))));
  for (const int known : TRY(numbers)) {
    if (!all.points.breakpoints().contains(known) && !all.points.watchpoints().contains(known))
      return fail(Errc::not_found, fmt::format("no breakpoint or watchpoint {}", known),
                  "info breakpoints");
    if (lines.empty()) {
      all.commands.erase(known);
    } else {
      all.commands[known] = lines;
    }
  }
  return Document{};
}

struct SaveArgs {
  std::string file;
};

/// Each as the lines that set it again.
Result<Document> save_breakpoints(const SaveArgs& args, Debugger debugger) {
  const Debugging& all = debugging(debugger);
  std::map<int, std::string> lines;
  const auto rest = [&](int number, bool enabled, std::uint64_t ignore) {
    std::string text;
    if (!enabled) text += "disable $bpnum\n";
    if (ignore > 0) text += fmt::format("ignore $bpnum {}\n", ignore);
    const auto body = all.commands.find(number);
    if (body == all.commands.end()) return text;
    text += "commands\n";
    for (const std::string& line : body->second) text += "  " + line + "\n";
    return text + "end\n";
  };
  for (const auto& [number, point] : all.points.breakpoints()) {
    lines[number] = fmt::format("{} {}{}\n", point.temporary ? "tbreak" : "break",
                                debug::to_string(point.place),
                                point.condition.empty() ? "" : " if " + point.condition) +
                    rest(number, point.enabled, point.ignore);
  }
  for (const auto& [number, point] : all.points.watchpoints()) {
    const std::string_view verb = point.kind == debug::WatchedFor::change ? "watch"
                                  : point.kind == debug::WatchedFor::read ? "rwatch"
                                                                          : "awatch";
    lines[number] =
        fmt::format("{} {}{}\n", verb, point.text.substr(0, point.text.find(" of wave ")),
                    point.condition.empty() ? "" : " if " + point.condition) +
        rest(number, point.enabled, point.ignore);
  }
  if (lines.empty()) return fail(Errc::not_found, "there is nothing to save", "break KERNEL");
  std::string text;
  for (const auto& [number, one] : lines) text += one;
  TRY(write_named_file(args.file, OutputBytes::raw(text)));
  Document out;
  out.text = fmt::format("Saved to file '{}'.\n", args.file);
  return out;
}

}  // namespace

void add_debug_command_commands(Registry& registry) {
  add(registry,
      command(
          Command{
              .path = "commands",
              .does = kReads,
              .may = kWhatItRuns,
              .chapter = Class::stepping,
              .summary = "Say what runs behind a stop at a breakpoint.",
              .help =
                  "The lines up to `end`, at the prompt and in files alike; `--line` gives them "
                  "one by one instead. Without a number they are of the breakpoint that was set "
                  "last; without lines it has none any more. `silent` as the first line leaves out "
                  "what is shown of the stop. What follows a line that lets the kernel go on does "
                  "not run.",
              .examples = {"commands 1 --line 'print $pc'"},
              .keeps_place = true,
              .changes_program = true},
          {arg("number", &CommandsArgs::numbers,
               "of breakpoints and watchpoints, or 2-4; default: the last one")
               .completes(Complete::point),
           option("line", &CommandsArgs::line, "a line of them").named("TEXT")},
          run_commands));
  add(registry,
      command(
          Command{.path = "save breakpoints",
                  .does = {Capability::read, Capability::write},
                  .chapter = Class::stepping,
                  .summary = "Write breakpoints into a file of commands.",
                  .help =
                      "With conditions, ignore counts and commands; `source FILE` sets them again. "
                      "Watchpoints need the kernel stopped then.",
                  .examples = {"save breakpoints points.rpl"}},
          {arg("file", &SaveArgs::file, "to write; `.rpl` is usual")
               .required()
               .writes_file()
               .completes(Complete::file)},
          save_breakpoints));
}

}  // namespace rpl
