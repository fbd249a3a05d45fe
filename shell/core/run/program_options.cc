// SPDX-License-Identifier: MIT
// The program's own options, each said once.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "engine/base/numbers.h"
#include "engine/target/traits.h"
#include "shell/core/run/options.h"

namespace rpl {
namespace {

using Takes = ProgramOption::Takes;

template <bool Options::* Flag>
Status turn_on(Options& options, const std::string&) {
  options.*Flag = true;
  return {};
}

template <std::string Options::* Text>
Status keep_text(Options& options, const std::string& value) {
  options.*Text = value;
  return {};
}

template <Format Form>
Status choose_form(Options& options, const std::string&) {
  options.format = Form;
  return {};
}

template <bool IsFile>
Status add_action(Options& options, const std::string& value) {
  options.actions.push_back({IsFile, value});
  return {};
}

Status set_width(Options& options, const std::string& value) {
  const auto width = whole_number<decltype(options.width)>(value);
  if (!width) return fail(Errc::usage, "--width takes a whole number", "rpl --width 120");
  options.width = *width;
  return {};
}

Result<std::string> folder_of(const std::string& given) {
  std::error_code failed;
  const auto place = std::filesystem::canonical(given, failed);
  if (!failed) return place.string();
  return fail(Errc::not_found, fmt::format("{}: no such folder", given), "make it first");
}

Status allow_write(Options& options, const std::string& folder) {
  options.writable.push_back(TRY(folder_of(folder)));
  options.allowed.add({Capability::write});
  return {};
}

/// "run", "network", "approve", "write DIR", "read DIR"; also with an equals sign.
Status allow(Options& options, const std::string& value) {
  for (const Capability one : {Capability::run, Capability::network, Capability::approve}) {
    if (value != to_string(one)) continue;
    options.allowed.add({one});
    return {};
  }
  const std::size_t end = std::min(value.find_first_of(" ="), value.size());
  const std::string what = value.substr(0, end);
  const std::string folder = end == value.size() ? "" : value.substr(end + 1);
  if (what == "write" && !folder.empty()) return allow_write(options, folder);
  if (what == "read" && !folder.empty()) {
    options.readable.push_back(TRY(folder_of(folder)));
    return {};
  }
  return fail(Errc::usage, fmt::format("nothing called '{}' can be allowed", value),
              "--allow run|network|approve, or --allow write DIR, --allow read DIR");
}

std::vector<std::string_view> target_choices() {
  const auto names = target_names();
  return {names.begin(), names.end()};
}

// In the order of `--help`.
const std::array kOptions = {
    ProgramOption{.name = "-ex",
                  .other = "--ex",
                  .value = "COMMAND",
                  .help = "run a command; may be repeated, and the order with -x is kept",
                  .takes = Takes::command,
                  .set = add_action<false>},
    ProgramOption{.name = "-x",
                  .other = "--x",
                  .value = "FILE",
                  .help = "run a file of commands (.rpl) or a script (.lua)",
                  .takes = Takes::script,
                  .set = add_action<true>},
    ProgramOption{.name = "-batch",
                  .other = "--batch",
                  .help = "no prompt; stop at the first error",
                  .set = turn_on<&Options::batch>},
    ProgramOption{.name = "-q",
                  .other = "--quiet",
                  .third = "-quiet",
                  .help = "no greeting",
                  .set = turn_on<&Options::quiet>},
    ProgramOption{.name = "--tui",
                  .help = "begin in the full-screen mode; Ctrl-X A goes to the prompt and back",
                  .set = turn_on<&Options::full_screen>},
    ProgramOption{.name = "-nx",
                  .other = "--nx",
                  .help = "read no init files",
                  .set = turn_on<&Options::no_init>},
    ProgramOption{.name = "--args",
                  .help = "what follows is an application and its arguments, for `run`",
                  .set = turn_on<&Options::args>},
    ProgramOption{.name = "--json",
                  .help = "every result as one JSON document",
                  .set = choose_form<Format::json>},
    ProgramOption{.name = "--jsonl",
                  .help = "every row as a line of JSON",
                  .set = choose_form<Format::jsonl>},
    ProgramOption{.name = "--csv", .help = "every result as CSV", .set = choose_form<Format::csv>},
    ProgramOption{.name = "--csv-raw",
                  .help = "as --csv, with text as it was recorded: for programs",
                  .set = choose_form<Format::csv_raw>},
    ProgramOption{
        .name = "--md", .help = "every result as Markdown", .set = choose_form<Format::markdown>},
    ProgramOption{.name = "--session",
                  .value = "DIR",
                  .help = "keep the session there instead of .rpl",
                  .takes = Takes::folder,
                  .anywhere = true,
                  .set = keep_text<&Options::session>},
    ProgramOption{.name = "--target",
                  .value = "TARGET",
                  .help = "where programs run: emu, local, recorded or slurm",
                  .takes = Takes::choice,
                  .choices = target_choices(),
                  .set = keep_text<&Options::target>},
    ProgramOption{.name = "--no-color",
                  .help = "no colour",
                  .anywhere = true,
                  .set = turn_on<&Options::no_color>},
    ProgramOption{.name = "--mangled",
                  .help = "mangled names of kernels as they are",
                  .anywhere = true,
                  .set = turn_on<&Options::mangled>},
    ProgramOption{.name = "--width",
                  .value = "N",
                  .help = "columns of text",
                  .takes = Takes::number,
                  .anywhere = true,
                  .set = set_width},
    ProgramOption{.name = "--interpreter",
                  .value = "INTERPRETER",
                  .help = "console; jsonl: a JSON request a line on stdin, typed replies on "
                          "stdout; mcp: the commands as tools of the Model "
                          "Context Protocol, for agents",
                  .takes = Takes::choice,
                  .choices = {"console", "jsonl", "mcp"},
                  .set = keep_text<&Options::interpreter>},
    ProgramOption{.name = "--tools",
                  .value = "TOOLS",
                  .help = "of --interpreter mcp: core, the few that do the whole job; all: every "
                          "command is one",
                  .takes = Takes::choice,
                  .choices = {"core", "all"},
                  .set = keep_text<&Options::tools>},
    ProgramOption{.name = "--mcp-text",
                  .help = "replies of --interpreter mcp are text alone, for clients that read no "
                          "structured results",
                  .set = turn_on<&Options::mcp_text>},
    ProgramOption{
        .name = "--allow",
        .value = "CAPABILITY",
        .help = "what the session of another program (--interpreter jsonl, mcp) may do "
                "beyond looking, proposing and measuring on the emulated device: run "
                "(programs), network, approve (changes of your sources), write DIR or read DIR; "
                "approve also counts where nobody sits at a terminal",
        .takes = Takes::text,
        .anywhere = true,
        .set = allow},
    ProgramOption{.name = "--allow-write",
                  .value = "DIR",
                  .help = "the same as --allow write DIR: new files in this folder",
                  .takes = Takes::folder,
                  .anywhere = true,
                  .set = allow_write},
    ProgramOption{.name = "--restricted",
                  .help = "no more than the session of another program may, from the start on",
                  .anywhere = true,
                  .set = turn_on<&Options::restricted>},
    ProgramOption{.name = "--emit-lua-stubs",
                  .value = "DIR",
                  .help = "write annotations of the Lua interface for editors",
                  .takes = Takes::folder,
                  .set = keep_text<&Options::stubs>},
    ProgramOption{.name = "--emit-completion",
                  .value = "SHELL",
                  .help = "print what teaches bash, zsh or fish to complete rpl's words",
                  .takes = Takes::choice,
                  .choices = {"bash", "zsh", "fish"},
                  .set = keep_text<&Options::completion>},
    ProgramOption{.name = "--emit-man",
                  .help = "print the manual page, rpl(1)",
                  .set = turn_on<&Options::man>},
    ProgramOption{.name = "--complete",
                  .value = "LINE",
                  .help = "the words that may stand at the end of a command line, for shells",
                  .takes = Takes::text,
                  .hidden = true,
                  .set = keep_text<&Options::complete>},
    ProgramOption{.name = "--version",
                  .help = "the version, and what it was built with",
                  .set = turn_on<&Options::version>},
    ProgramOption{
        .name = "--help", .other = "-h", .help = "this text", .set = turn_on<&Options::help>},
};

constexpr std::array kStatuses = {
    ExitStatus{0, "ok"},
    ExitStatus{1, "error"},
    ExitStatus{2, "usage"},
    ExitStatus{3, "a regression, or a gate that failed"},
    ExitStatus{4, "undecided"},
    ExitStatus{5, "verification failed"},
    ExitStatus{6, "a capability is missing"},
    ExitStatus{124, "time-out"},
    ExitStatus{130, "interrupted"},
};

/// Lines of at most kWide columns, each but the first indented.
std::string folded(std::string_view text, std::size_t indent) {
  constexpr std::size_t kWide = 100;
  std::string out;
  std::size_t column = indent;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    const bool fits = column == indent || column + 1 + word.size() <= kWide;
    if (!fits) out += "\n" + std::string(indent, ' ');
    if (!fits) column = indent;
    const bool first = column == indent;
    out += first ? "" : " ";
    out += word;
    column += word.size() + (first ? 0 : 1);
  }
  return out;
}

}  // namespace

std::span<const ProgramOption> program_options() { return kOptions; }

const ProgramOption* program_option(std::string_view word) {
  const auto found =
      std::ranges::find_if(kOptions, [&](const ProgramOption& one) { return one.is_named(word); });
  return found == kOptions.end() ? nullptr : &*found;
}

std::span<const ExitStatus> exit_statuses() { return kStatuses; }

std::string usage_text() {
  std::string out =
      "rpl: capture, analyze, and explain what an AMD GPU did\n\n"
      "  rpl [options] [TRACE ...] [-- SCRIPT ARGS]   the shell, with these recordings opened\n"
      "  rpl COMMAND ARGS [--json]                    any command, once\n\n";
  constexpr std::size_t kColumn = 29;
  for (const ProgramOption& option : kOptions) {
    if (option.hidden) continue;
    const std::string spelled =
        fmt::format("{}{}{}", option.name, option.value.empty() ? "" : " ", option.value);
    out += fmt::format("  {:<{}}{}\n", spelled, kColumn - 2, folded(option.help, kColumn));
  }
  std::vector<std::string> statuses;
  for (const ExitStatus& one : kStatuses)
    statuses.push_back(fmt::format("{} {}", one.status, one.meaning));
  constexpr std::size_t kBehindTitle = 13;
  out +=
      "\nexit status: " + folded(fmt::format("{}", fmt::join(statuses, ", ")), kBehindTitle) + "\n";
  return out + "\n'rpl help' lists the commands, 'rpl help COMMAND' explains one.\n";
}

}  // namespace rpl
