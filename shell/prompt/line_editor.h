// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>

#include "engine/base/encode.h"
#include "shell/core/session/history_file.h"

namespace rpl {

class Context;

/// Reads lines from a person with readline: editing, history across runs, completion. One at a time, as readline is one.
class LineEditor {
 public:
  enum class Outcome {
    line,
    screen,   ///< Ctrl-X A: the full-screen mode is wanted
    dropped,  ///< Ctrl-C: what was typed is gone; the interrupt flag stays up
    end,      ///< Ctrl-D on an empty line, or the terminal is gone
  };
  struct Read {
    Outcome outcome = Outcome::line;
    std::string line;
  };

  explicit LineEditor(Context& context);
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  /// Text that was pasted with line breaks comes line by line. News may change what the prompt says: `renewed`, where it is
  /// given, is then asked for it.
  Read read(const TerminalText& prompt, std::function<TerminalText()> renewed = {});
  /// Asked while a line is being typed, and what it gives is written above that line. It may be asked again soon as long as
  /// `expects_news` says so.
  std::function<std::string()> news;
  std::function<bool()> expects_news;
  /// The prompt as it now is, of the line that is being read; may be null.
  [[nodiscard]] const std::function<TerminalText()>& renewed() const { return renewed_; }

  /// Adds a line to the history and its file, unless it repeats the line before. The first failure to write is a note.
  void remember(const std::string& line);

 private:
  void load_history();

  Context& context_;
  HistoryFile history_;
  std::function<TerminalText()> renewed_;
  std::string last_;
  std::deque<std::string> waiting_;
  bool history_failed_ = false;
};

}  // namespace rpl
