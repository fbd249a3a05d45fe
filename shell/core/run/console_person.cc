// SPDX-License-Identifier: MIT
// What of a console needs a person at a terminal of this machine.
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

#include "engine/base/files.h"
#include "engine/process/attached.h"
#include "shell/core/run/console.h"

namespace rpl {

bool Console::at_terminal() const {
  return attended() || (isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1);
}

/// One-shot lines have no prompt; the terminal is there all the same.
bool Console::decide(std::string_view question) {
  const TerminalText shown = terminal_text(question);
  if (attended()) return ask_(shown);
  if (!at_terminal() || !err_(shown + " [y/N] ")) return false;
  std::array<char, 256> answer{};
  const ssize_t count = ::read(STDIN_FILENO, answer.data(), answer.size());
  return count > 0 && (answer[0] == 'y' || answer[0] == 'Y');
}

bool Console::full_screen(std::string_view view) {
  if (!screens || !attended()) return false;
  screens(view);
  return true;
}

Status Console::edit_copy(const std::string& source, const std::string& copy, Error otherwise) {
  if (!attended()) return Failure(std::move(otherwise));
  const char* named = std::getenv("VISUAL");
  if (named == nullptr || *named == '\0') named = std::getenv("EDITOR");
  if (named == nullptr || *named == '\0') {
    return fail(Errc::missing_capability, "neither $VISUAL nor $EDITOR names an editor",
                otherwise.hint);
  }
  TRY(write_file(copy, TRY(read_text_file(source))));
  // The variable may hold options: a shell splits it, the path stays one word.
  Attached editor = TRY(
      Attached::start({.argv = {"/bin/sh", "-c", std::string(named) + " \"$1\"", "editor", copy}},
                      Attached::Input::given));
  const Exit ended = TRY(editor.finish());
  if (!ended.ok())
    return fail(Errc::io, fmt::format("the editor '{}' ended with status {}", named, ended.code),
                otherwise.hint);
  return {};
}

}  // namespace rpl
