// SPDX-License-Identifier: MIT
#include "shell/prompt/prompt.h"

#include <fmt/format.h>
#include <unistd.h>

#include "engine/base/interrupt.h"
#include "engine/optimize/loop/loop.h"
#include "shell/core/command/settings.h"
#include "shell/core/run/background.h"
#include "shell/core/run/init_files.h"
#include "shell/core/run/signals.h"
#include "shell/core/session/context.h"
#include "shell/core/session/face.h"
#include "shell/core/session/jobs.h"
#include "shell/core/session/session_log.h"
#include "shell/core/session/version.h"
#include "shell/core/session/workspace.h"

namespace rpl {
namespace {

constexpr const char* kMore = "> ";

bool blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

std::string_view after_first_word(std::string_view line) {
  const std::size_t end = line.find_first_of(" \t");
  return end == std::string_view::npos ? std::string_view() : line.substr(end + 1);
}

}  // namespace

TerminalText prompt_text(Context& context) {
  std::string stepped = context.workspace().stepping;
  if (const auto& proposals = context.log().proposals(); stepped.empty() && proposals)
    stepped = next_text(*proposals);
  if (!stepped.empty()) return encoded<TerminalText>("(rpl {}) ", stepped);
  const auto current = context.workspace().current();
  if (!current) return OwnText("(rpl) ");
  TerminalText text = encoded<TerminalText>("(rpl {}", (*current)->id());
  const Selection& selection = context.workspace().selection;
  if (selection.dispatch) {
    text.add(" d{}", *selection.dispatch + 1);
  } else if (selection.kernel && (*current)->ready()) {
    const auto trace = (*current)->get({});
    if (trace) text.add(" {}", (*trace)->kernels()[*selection.kernel].id);
  }
  return text + ") ";
}

Prompt::Prompt(Context& context, Console& console, Sink out)
    : context_(context), console_(console), out_(std::move(out)), input_(STDIN_FILENO) {
  if (isatty(STDIN_FILENO) == 1) {
    signals::keep_prompt();
    editor_ = std::make_unique<LineEditor>(context_);
    editor_->expects_news = [this] {
      return expects_counts(context_.workspace()) || context_.jobs().expects_news();
    };
    editor_->news = [this] {
      return arrived_counts(context_.workspace(), context_.monitor(), context_.log()) +
             context_.jobs().news();
    };
    attend();
  }
  console_.read_from(
      [this](std::string_view prompt) { return next_line(std::string(prompt) + " "); });
}

void Prompt::attend() {
  console_.attend([this](const TerminalText& question) {
    const LineEditor::Read answer = editor_->read(question + " [y/N] ");
    return !answer.line.empty() && (answer.line[0] == 'y' || answer.line[0] == 'Y');
  });
  console_.screens = [this](std::string_view view) { screen_ = std::string(view); };
}

void Prompt::open_screen() {
  const std::string view = std::exchange(screen_, {});
  if (!full_screen) return;
  const Status shown = full_screen(view == "on" ? "" : view);
  // Questions and wishes are the prompt's again.
  attend();
  if (!shown) console_.report(shown.error(), Format::text);
}

Prompt::~Prompt() {
  console_.screens = nullptr;
  console_.read_from(nullptr);
  console_.attend(nullptr);
}

void Prompt::run_init_files() {
  AskLine ask;
  if (editor_) {
    ask = [this](const TerminalText& question) -> std::optional<std::string> {
      LineEditor::Read answer = editor_->read(question);
      if (answer.outcome != LineEditor::Outcome::line) return std::nullopt;
      return std::move(answer.line);
    };
  }
  rpl::run_init_files(context_, ask, out_);
}

void Prompt::greet() {
  if (!editor_ || !context_.workspace().traces().empty()) return;
  const Status shown = out_(encoded<TerminalText>(
      "rpl {}\n"
      "  tutorial       learn it by doing, in fourteen steps; no GPU is needed\n"
      "  open TRACE     a recording: rocpd, RPD, rocprofv3 CSV or JSON\n"
      "  profile -- APP run a program and record it\n"
      "  doctor         what works on this machine, and what is missing\n"
      "  help           the commands\n"
      "  apropos WORD   what there is about something\n",
      version()));
  if (!shown) context_.face().leave();
}

int Prompt::run() { return editor_ ? run_interactively() : run_plainly(); }

/// A further line of what is being typed: the body of a definition, the rest of a Lua statement.
std::optional<std::string> Prompt::next_line(const std::string& prompt) {
  std::optional<std::string> line;
  if (editor_) {
    LineEditor::Read read = editor_->read(terminal_text(prompt));
    if (read.outcome == LineEditor::Outcome::line) line = std::move(read.line);
    if (line && !blank(*line)) editor_->remember(context_.settings().without_secret(*line));
  } else {
    line = input_.next();
  }
  if (line) context_.log().recorder().read(*line);
  return line;
}

bool Prompt::wants_more(const std::string& line) const {
  if (!is_incomplete) return false;
  const std::string full = without_alias(context_.registry(), without_sugar(line));
  const auto raw = parse_raw(context_.registry(), full);
  if (!raw || !*raw) return false;
  const std::string& path = (*raw)->command->path;
  const std::string text(after_first_word(full));
  if (path == "lua") return is_incomplete(text);
  // While a kernel is stopped it is C, which ends with its line.
  return path == "print" && context_.workspace().stepping.empty() &&
         is_incomplete("return " + text);
}

void Prompt::run_line(std::string line) {
  context_.log().recorder().read(line);
  while (wants_more(line)) {
    const std::optional<std::string> more = next_line(kMore);
    if (!more) break;
    line += "\n" + *more;
  }
  // Ctrl-C may come when the line is typed but does not run yet, or while more of it is asked for.
  const int status = interrupt::pending() ? dropped() : console_.run(line);
  if (auto recorded = context_.log().recorder().ran(status); !recorded) {
    console_.report(recorded.error(), Format::text);
  }
}

int Prompt::dropped() {
  if (editor_ && !out_("Quit\n")) context_.face().leave();
  return exit_status(Errc::interrupted);
}

int Prompt::run_interactively() {
  while (!context_.face().leaving() && signals::ending() == 0) {
    interrupt::clear();
    if (!screen_.empty()) {
      open_screen();
      continue;
    }
    const LineEditor::Read read =
        editor_->read(prompt_text(context_), [this] { return prompt_text(context_); });
    if (read.outcome == LineEditor::Outcome::screen) {
      screen_ = "on";
      continue;
    }
    if (read.outcome == LineEditor::Outcome::end) {
      if (!may_leave(context_.jobs(), context_.workspace(), context_.settings(), context_.face()))
        continue;
      context_.face().exit_code() = 0;
      return out_("\n") ? 0 : exit_status(Errc::io);
    }
    if (read.outcome == LineEditor::Outcome::dropped) {
      if (signals::ending() == 0 && !out_("Quit\n")) break;
      continue;
    }
    if (blank(read.line)) {
      const std::string again = console_.repeatable_line();
      if (!again.empty()) run_line(again);
      continue;
    }
    editor_->remember(context_.settings().without_secret(read.line));
    run_line(read.line);
  }
  return signals::exit_status(context_.face().exit_code());
}

int Prompt::run_plainly() {
  while (!context_.face().leaving() && !interrupt::pending()) {
    std::optional<std::string> line = input_.next();
    if (!line) break;
    run_line(std::move(*line));
  }
  return signals::exit_status(interrupt::pending() ? exit_status(Errc::interrupted)
                                                   : context_.face().exit_code());
}

}  // namespace rpl
