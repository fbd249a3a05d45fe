// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/encode.h"
#include "shell/core/command/line.h"
#include "shell/core/session/face.h"
#include "shell/core/session/session_log.h"
#include "shell/core/terminal/terminal.h"

namespace rpl {

class Context;

/// Runs lines and shows what they return: the one place where results meet output streams. Prompt, command line, scripts and
/// files of commands all come through it.
class Console : public Face {
 public:
  /// Turns a result into the bytes of a form; shell/render has the one that rpl uses.
  using Renderer = Status (*)(const Document& document, const Form& form, const Terminal& terminal,
                              const Sink& sink);
  /// Writes the body's output somewhere else than `out`: to a pager or a host command.
  using Redirect = std::function<Status(const std::function<Status(const Sink&)>& body)>;

  /// Attaches itself to the context.
  Console(Context& context, Renderer render, Sink out, Sink err);
  ~Console() override;
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;

  /// Runs one line as typed and shows the result. Returns the exit status and stores it in the context.
  int run(std::string_view line);
  /// The same for words that a host shell has already split (one-shot use).
  int run(const std::vector<std::string>& words);
  /// A result that its asker shows, and at most how many of its rows were asked for.
  struct Answer {
    std::shared_ptr<const Document> document;
    std::optional<std::uint64_t> limit;
  };
  /// What a line asks for, as run() would understand it.
  Result<Invocation> understood(std::string_view line);
  /// Runs it as run() does (hooks, session, value history, `line` in the log), but gives the result back instead of showing it. What a pipe takes
  /// is shown all the same. Fails with what the command fails with, with denied for a hook that did not end with 0.
  Result<Answer> answer(Invocation invocation, const std::string& line);
  /// Keeps in the session that a line could not be understood.
  void keep_misunderstood(const Error& error, const std::string& line);
  /// Runs a line and returns its result; shows nothing.
  Result<Document> evaluate(std::string_view line);
  /// Shows an error as the form wants it and returns its exit status.
  int report(const Error& error, Format format);
  /// Says something that is not a result, on the stream for that.
  void note(std::string_view text);
  /// What goes to stderr: broken between words where a person reads it at a terminal.
  [[nodiscard]] TerminalText for_reader(std::string_view text) const;
  /// Asks a person a yes/no question.
  using Ask = std::function<bool(const TerminalText& question)>;
  /// A person sits at the prompt, and `ask` asks them; empty: nobody does.
  void attend(Ask ask) { ask_ = std::move(ask); }

  int run_line(std::string_view line) override { return run(line); }
  Result<Document> evaluate_line(std::string_view line) override { return evaluate(line); }
  Status write(OutputBytes text) override;
  Status show(const Document& document) override;
  bool confirm(std::string_view question, bool otherwise) override;
  [[nodiscard]] bool at_terminal() const override;
  bool decide(std::string_view question) override;
  void announce(std::string_view text) override;
  void suggest(std::vector<std::string> lines, Document& out) override;
  bool waits_for(const std::function<bool()>& ready, std::chrono::milliseconds patience) override;
  Status edit_copy(const std::string& source, const std::string& copy, Error otherwise) override;
  void add_displays(const std::function<void()>& add) override;
  Result<Document> start_script(ScriptHost& scripts, const std::string& path) override;
  void resume_after_interrupt() override;
  bool watch(std::shared_ptr<LineWatcher> watcher) override;
  bool full_screen(std::string_view view) override;
  [[nodiscard]] std::shared_ptr<LineWatcher> watcher() const override { return watcher_; }

  /// Shows a result that was not made by a command line (a script's).
  Status show(const Document& document, const Form& form);

  /// The form of results whose command says none (`rpl --json …`).
  Format default_format = Format::text;
  /// Pages long text at the prompt; empty: never.
  Redirect pager;
  /// Takes wishes for the full-screen mode; empty: nobody has it.
  std::function<void(std::string_view view)> screens;
  /// Called when a command starts; may be empty.
  std::function<void()> on_start;
  /// The command run last, if an empty line at the prompt may repeat it; else "".
  [[nodiscard]] const std::string& repeatable_line() const { return repeatable_; }

 private:
  [[nodiscard]] bool attended() const { return static_cast<bool>(ask_); }
  Result<Invocation> understand(std::string_view line);
  Result<Invocation> piped(std::string_view raw);
  void skip_body(std::string_view line);
  [[nodiscard]] ParseHooks hooks() const;
  Result<Document> execute(const Invocation& invocation, std::string_view line);
  Result<Document> execute_body(const Invocation& invocation, std::string_view line);
  int begin(const Command& command);
  int perform(const Invocation& invocation, const std::string& line);
  Result<Document> kept(const Invocation& invocation, const std::string& line);
  int misunderstood(const Error& error, const std::string& line, Format format);
  /// Makes `set width` and `set print demangle` hold for what runs next.
  void take_screen_settings();
  void after_typed(const Command& command, int status);
  Status open_named(const Invocation& invocation);
  Status present(std::shared_ptr<const Document> document, const Invocation& invocation);
  Status to_host(const std::string& command, const std::function<Status(const Sink&)>& body);
  void remember(const std::shared_ptr<const Document>& document, const Command& command);
  [[nodiscard]] std::optional<std::string> numbered_text(const Document& document,
                                                         const Command& command,
                                                         Format format) const;
  void remarks(const Document& document, Format format);
  int finish(Result<Document> result, const Invocation& invocation);

  Context& context_;
  Renderer render_;
  Sink out_, err_;
  std::string repeatable_;
  std::string last_line_;                 ///< as typed, for `!!`
  Ask ask_;                               ///< empty: nobody sits at the prompt
  std::shared_ptr<LineWatcher> watcher_;  ///< null: nobody looks on
  SessionLog::Question question_ = 0;     ///< what is being answered now
  std::optional<Terminal>
      before_width_;  ///< the terminal without `set width`, while that is in force
  Format running_format_ = Format::text;  ///< of the result that the running command will give
};

/// Whether the line says itself that a pipe follows, so that the text of a raw command ends there: `pipe LINE | PROGRAM`, `| LINE | PROGRAM`.
bool asks_for_pipe(std::string_view line);

/// `!cmd`, `=expr` and `?` spelled as the commands they stand for.
std::string without_sugar(std::string_view line);

}  // namespace rpl
