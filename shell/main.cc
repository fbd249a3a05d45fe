// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <clocale>
#include <csignal>
#include <exception>

#include "shell/commands/all.h"
#include "shell/repl/console.h"
#include "shell/repl/options.h"
#include "shell/repl/prompt.h"

namespace {

using namespace rpl;

Sink sink_to(int descriptor) {
  return [descriptor](std::string_view text) -> Status {
    while (!text.empty()) {
      const ssize_t written = write(descriptor, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return fail(Errc::io, "cannot write the output");
      text.remove_prefix(static_cast<std::size_t>(written));
    }
    return {};
  };
}

void apply(const Options& options, Context& context, Console& console) {
  if (options.no_color) context.terminal.color = false;
  if (options.width != 0) {
    context.terminal.width = options.width;
    context.terminal.elide = true;
  }
  console.default_format = options.format;
}

/// Opens what the command line names and runs -ex and -x in order. False when -batch stops at an error.
bool run_actions(const Options& options, Context& context, Console& console) {
  for (const std::string& path : options.words) {
    if (console.run({"open", path}) != 0 && options.batch) return false;
  }
  for (const Options::Action& action : options.actions) {
    std::vector<std::string> source{"source", action.text};
    if (action.is_file && !options.after_dashes.empty()) {
      source.emplace_back("--");
      source.insert(source.end(), options.after_dashes.begin(), options.after_dashes.end());
    }
    const int status = action.is_file ? console.run(source) : console.run(action.text);
    if (context.quit) return false;
    if (status != 0 && options.batch) return false;
  }
  return true;
}

int run(std::span<const std::string> arguments) {
  Context context;
  context.terminal = Terminal::of(STDOUT_FILENO);
  add_all_commands(context.registry);
  Console console(context, sink_to(STDOUT_FILENO), sink_to(STDERR_FILENO));
  const auto is_command = [&](std::string_view word) {
    const std::vector<std::string> words{std::string(word)};
    const auto found = context.registry.resolve(words);
    const bool group = !found && !context.registry.next_words(words).empty();
    return (found || group) && !is_recording(word);
  };
  auto options = parse_options(arguments, is_command);
  if (!options) return console.report(options.error(), Format::text);
  apply(*options, context, console);
  if (options->help) {
    return sink_to(STDOUT_FILENO)(usage_text()) ? 0 : 1;
  }
  if (options->version) return console.run("show version");
  if (options->one_shot) return console.run(options->words);
  const bool go_on = run_actions(*options, context, console);
  if (!go_on || options->batch) return context.exit_code;
  return run_prompt(context, console);
}

}  // namespace

int main(int argc, char** argv) {
  // Widths of characters follow the terminal; numbers stay as they are written in JSON.
  std::setlocale(LC_CTYPE, "");
  // A reader that goes away (head) is a failed write, not a reason to die.
  std::signal(SIGPIPE, SIG_IGN);
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  try {
    return run(arguments);
  } catch (const std::exception& error) {
    return sink_to(STDERR_FILENO)(fmt::format("error: internal: {}\n", error.what())) ? 1 : 1;
  }
}
