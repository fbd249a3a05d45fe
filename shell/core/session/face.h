// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/document/document.h"
#include "shell/core/terminal/terminal.h"

namespace rpl {

class ScriptHost;
struct Command;

/// Looks on while a person works.
class LineWatcher {
 public:
  virtual ~LineWatcher() = default;
  /// A line that was typed has run and its result was shown; `status` is its exit status.
  virtual void ended(const Command& command, int status) = 0;
};

/// Whoever gives lines and reads results: a person at the prompt, a script, a program. Commands talk to it without asking who it is: what only a
/// person wants is dropped by the faces of the others. A face attaches itself to the context (Context::attach).
class Face {
 public:
  /// Gives the next line of where commands come from; nullopt at its end.
  using LineSource = std::function<std::optional<std::string>(std::string_view prompt)>;

  virtual ~Face() = default;

  /// Runs one line as if typed and shows its result; returns its exit status.
  virtual int run_line(std::string_view line) = 0;
  /// Runs one line and returns its result instead of showing it.
  virtual Result<Document> evaluate_line(std::string_view line) = 0;
  /// Writes text of a script (print, rpl.ui.print), or what a program of the user's printed, to where results go, or to stderr while results are for
  /// programs.
  virtual Status write(OutputBytes text) = 0;
  /// Shows a result at once, before the command that made it has ended.
  virtual Status show(const Document& document) = 0;
  /// Asks a yes/no question; `otherwise` is the answer where nobody sits.
  virtual bool confirm(std::string_view question, bool otherwise = false) = 0;
  /// Whether a person at a terminal of this machine can be asked for a decision: no pipe, no program, no file of lines.
  [[nodiscard]] virtual bool at_terminal() const { return false; }
  /// Asks that person; false where nobody sits there.
  virtual bool decide(std::string_view question) { return at_terminal() && confirm(question); }
  /// Says how far long work is; dropped where nobody waits for it.
  virtual void announce(std::string_view text) = 0;
  /// Adds lines to `out.next` that work only as long as this program does; dropped where it ends with this result.
  virtual void suggest(std::vector<std::string> lines, Document& out) = 0;
  /// Whether an answer shall wait until `ready`, however long that takes. A person waits at most `patience`: false when that is over.
  virtual bool waits_for(const std::function<bool()>& ready,
                         std::chrono::milliseconds patience) = 0;
  /// Copies a text file and has a person change the copy with the program that $VISUAL or $EDITOR names, until that ends. Fails with `otherwise`
  /// where nobody works on this machine's terminal, and with its hint: missing_capability where no editor is named (nothing is written then), or io.
  virtual Status edit_copy(const std::string& source, const std::string& copy, Error otherwise) = 0;
  /// Calls `add`, which adds the `display` expressions to a result, unless they are shown after each command that moved something.
  virtual void add_displays(const std::function<void()>& add) = 0;
  /// Runs a script without arguments. For a person, who goes on typing, it only adds what the script defines.
  virtual Result<Document> start_script(ScriptHost& scripts, const std::string& path) = 0;
  /// Ctrl-C ended what a command did, and the command has a result all the same: a person goes on typing, a list of lines ends.
  virtual void resume_after_interrupt() = 0;
  /// Has `watcher` look on from now on, null to end that; false where nobody types.
  virtual bool watch(std::shared_ptr<LineWatcher> watcher) = 0;
  [[nodiscard]] virtual std::shared_ptr<LineWatcher> watcher() const = 0;
  /// Shows a view of the full-screen mode once this line has run ("on": the last one), or leaves it (""); false where no person sits at a terminal.
  virtual bool full_screen(std::string_view view) = 0;

  /// The next line of where commands come from now (prompt, file, body of a user-defined command); nullopt at its end and where there is none.
  std::optional<std::string> read_line(std::string_view prompt);
  /// Takes lines from `source` and gives back what they were taken from before.
  LineSource read_from(LineSource source);

  /// What results are shown on.
  [[nodiscard]] Terminal& terminal() { return state_.terminal; }
  [[nodiscard]] const Terminal& terminal() const { return state_.terminal; }
  /// The exit status of the last command, and of the program at its end.
  [[nodiscard]] int& exit_code() { return state_.exit_code; }
  /// No further line shall run.
  void leave() { state_.leaving = true; }
  [[nodiscard]] bool leaving() const { return state_.leaving; }

  /// Goes on where another face was: terminal, source of lines, exit status.
  void take_over(Face& other) { state_ = std::move(other.state_); }

 private:
  struct State {
    Terminal terminal;
    LineSource source;
    int exit_code = 0;
    bool leaving = false;
  } state_;
};

/// The face of a context that no console is attached to (tests of handlers): runs no lines, drops what is shown, answers no question.
std::unique_ptr<Face> null_face();

}  // namespace rpl
