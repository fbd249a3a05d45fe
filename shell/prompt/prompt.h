// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include "engine/base/result.h"
#include "shell/core/command/registry.h"
#include "shell/core/run/console.h"
#include "shell/core/session/history_file.h"
#include "shell/core/terminal/terminal.h"
#include "shell/prompt/line_editor.h"

namespace rpl {

/// Feeds lines to the console until the end of input or `quit`: with readline, history and completion when a person sits at a
/// terminal, plainly otherwise.
class Prompt {
 public:
  /// Whether Lua text is only the beginning of something; the prompt then asks for more.
  using Incomplete = std::function<bool(std::string_view text)>;

  /// Gives lines to the console, and answers at a terminal.
  Prompt(Context& context, Console& console, Sink out);
  ~Prompt();

  /// The init files of the person and of the project.
  void run_init_files();
  /// What is open and what to type; only for a person.
  void greet();
  /// The loop. Returns the exit status of the program.
  int run();

  Incomplete is_incomplete;  ///< empty: nothing is
  /// Takes the terminal until the person comes back to the prompt; the view as `layout` takes it, "" for the last one.
  std::function<Status(const std::string& view)> full_screen;
  /// Begins with it.
  void begin_full_screen() { screen_ = "on"; }

 private:
  int run_interactively();
  int run_plainly();
  void attend();
  void open_screen();
  std::optional<std::string> next_line(const std::string& prompt);
  void run_line(std::string line);
  int dropped();
  bool wants_more(const std::string& line) const;

  Context& context_;
  Console& console_;
  Sink out_;
  std::unique_ptr<LineEditor> editor_;  ///< null when no person is there
  InputLines input_;
  std::string screen_;  ///< the view that is wanted; "on": the last one, "": none
};

/// "(rpl) ", "(rpl t1) ", "(rpl t1 d12) ": what commands without a reference talk about.
TerminalText prompt_text(Context& context);

/// rpl(1), what `rpl --emit-man` prints: the program's options, every listed command with its usage and summary, exit statuses, files. In the man macros of roff
/// (groff's man(7)), ASCII alone.
std::string manual_page(const Registry& registry);

class Context;

/// Shows what `body` writes: on the screen when it fits, else in $RPL_PAGER, $PAGER or less. A pager that is quit early is a normal
/// end; one that cannot be started leaves the text on the screen.
Status page(const Context& context, const Sink& out,
            const std::function<Status(const Sink&)>& body);

}  // namespace rpl
