// SPDX-License-Identifier: MIT
#include "shell/prompt/line_editor.h"

#include <poll.h>
#include <readline/history.h>
#include <readline/readline.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "engine/base/interrupt.h"
#include "engine/base/monitor.h"
#include "engine/base/text.h"
#include "shell/core/command/settings.h"
#include "shell/core/run/completion.h"
#include "shell/core/run/signals.h"
#include "shell/core/session/context.h"
#include "shell/core/session/face.h"
#include "shell/core/terminal/terminal.h"

namespace rpl {
namespace {

/// readline has no user data for its callbacks: the context of the one editor that lives.
Context* completing = nullptr;
LineEditor* editing = nullptr;
bool dropped = false;
bool wants_screen = false;

void follow_terminal() {
  if (signals::take_continued()) {
    rl_deprep_terminal();
    rl_prep_terminal(1);
    rl_forced_update_display();
  }
  if (signals::take_resized()) {
    rl_resize_terminal();
    const Terminal now = Terminal::of(STDOUT_FILENO);
    Terminal& terminal = completing->face().terminal();
    terminal.height = now.height;
    if (completing->settings().integer("width") == 0) terminal.width = now.width;
  }
}

/// Whether the line on the screen is the line being typed, and not a search or a list of completions.
bool shows_the_line() {
  constexpr unsigned long kOther = RL_STATE_ISEARCH | RL_STATE_NSEARCH | RL_STATE_NUMERICARG |
                                   RL_STATE_METANEXT | RL_STATE_MOREINPUT | RL_STATE_VIMOTION;
  return !RL_ISSTATE(kOther) && RL_ISSTATE(RL_STATE_READCMD);
}

/// Puts a text where the line is, and the line below it, with the cursor where it was.
void write_above(const TerminalText& text) {
  rl_clear_visible_line();
  std::fputs(text.string().c_str(), rl_outstream);
  std::fflush(rl_outstream);
  if (editing->renewed()) rl_set_prompt(editing->renewed()().string().c_str());
  rl_on_new_line();
  rl_redisplay();
}

/// Writes what there is to tell; gives how long to wait for more, null for as long as it takes.
const timespec* tell_news() {
  static constexpr timespec kSoon{0, 30'000'000};
  if (editing == nullptr || !editing->news || !editing->expects_news()) return nullptr;
  if (!shows_the_line()) return &kSoon;
  if (const std::string text = editing->news(); !text.empty()) write_above(terminal_text(text));
  return editing->expects_news() ? &kSoon : nullptr;
}

/// Waits for a key. Signals arrive only inside ppoll, so that none falls between looking at the flags and waiting.
bool wait_for_key(int descriptor) {
  sigset_t ours, before;
  sigemptyset(&ours);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGCONT}) sigaddset(&ours, number);
  pthread_sigmask(SIG_BLOCK, &ours, &before);
  pollfd wanted{descriptor, POLLIN, 0};
  int ready = 0;
  while (ready == 0 && !interrupt::pending()) {
    follow_terminal();
    ready = ppoll(&wanted, 1, tell_news(), &before);
    if (ready < 0 && errno == EINTR) ready = 0;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return ready != 0;
}

/// readline's source of keys. A Ctrl-C ends the line as Enter does; read() then drops it.
int read_key(FILE* stream) {
  if (!wait_for_key(fileno(stream))) {
    dropped = true;
    return '\n';
  }
  unsigned char byte = 0;
  ssize_t count = 0;
  do {
    count = ::read(fileno(stream), &byte, 1);
  } while (count < 0 && errno == EINTR);
  return count == 1 ? byte : EOF;
}

bool needs_quotes(const std::string& text) {
  return text.find_first_of(" \t'\"\\#|$") != std::string::npos;
}

char* copy_of(const std::string& text) { return strdup(text.c_str()); }

std::string common_start(const std::vector<std::string>& texts) {
  std::string common = texts.front();
  for (const std::string& text : texts) {
    std::size_t same = 0;
    while (same < common.size() && same < text.size() && common[same] == text[same]) ++same;
    common.resize(same);
  }
  return common;
}

/// The array that readline takes and frees: what all have in common, each candidate, a null.
char** matches_of(const std::vector<std::string>& candidates) {
  auto** matches = static_cast<char**>(std::calloc(candidates.size() + 2, sizeof(char*)));
  if (matches == nullptr) return nullptr;
  matches[0] = copy_of(common_start(candidates));
  for (std::size_t i = 0; i < candidates.size() && candidates.size() > 1; ++i) {
    matches[i + 1] = copy_of(candidates[i]);
  }
  return matches;
}

/// Puts quotes around what a command line would take apart; readline closes a quote that the person opened. Of several
/// candidates only the part they have in common is inserted: that alone decides.
void quote(std::vector<std::string>& candidates) {
  if (rl_completion_quote_character != 0) return;
  if (!needs_quotes(common_start(candidates)) || candidates[0][0] == '$') return;
  for (std::string& text : candidates) {
    text = "'" + text;
    if (candidates.size() == 1) text += "'";
  }
}

/// Ctrl-X A: ends the line as Enter does; read() then tells.
int ask_for_screen(int, int) {
  wants_screen = true;
  rl_replace_line("", 0);
  rl_done = 1;
  return 0;
}

char** complete_word(const char*, int start, int) {
  rl_attempted_completion_over = 1;
  const std::string line(rl_line_buffer);
  Completions found = complete(*completing, line, static_cast<std::size_t>(rl_point));
  const auto from = static_cast<std::size_t>(start);
  if (found.candidates.empty() || found.start < from) return nullptr;
  // readline and complete() may disagree on where the word begins: "!" belongs to its word only.
  const std::string before = line.substr(from, found.start - from);
  const bool folder = found.candidates.size() == 1 && found.candidates[0].ends_with('/');
  rl_completion_append_character = folder ? '\0' : ' ';
  rl_completion_suppress_quote = folder ? 1 : 0;
  if (before.empty()) quote(found.candidates);
  for (std::string& text : found.candidates) text.insert(0, before);
  return matches_of(found.candidates);
}

}  // namespace

LineEditor::LineEditor(Context& context) : context_(context), history_(HistoryFile::standard()) {
  completing = &context;
  editing = this;
  rl_readline_name = "rpl";
  rl_catch_signals = 0;
  rl_catch_sigwinch = 0;
  rl_getc_function = read_key;
  rl_attempted_completion_function = complete_word;
  rl_completer_word_break_characters = " \t\n";
  rl_completer_quote_characters = "'\"";
  // Results may go to a file while a person types: the prompt is for the person.
  if (isatty(STDOUT_FILENO) == 0) rl_outstream = stderr;
  for (const char* keys : {"\\C-xa", "\\C-xA", "\\C-x\\C-a"}) rl_bind_keyseq(keys, ask_for_screen);
  load_history();
}

LineEditor::~LineEditor() {
  completing = nullptr;
  editing = nullptr;
}

void LineEditor::load_history() {
  using_history();
  const auto size = context_.settings().integer("history size");
  stifle_history(static_cast<int>(size));
  const Status trimmed = history_.trim(static_cast<std::size_t>(size));
  const auto lines = history_.load();
  if (!lines || !trimmed) {
    history_failed_ = true;
    return;
  }
  for (const std::string& line : *lines) add_history(line.c_str());
  if (!lines->empty()) last_ = lines->back();
}

LineEditor::Read LineEditor::read(const TerminalText& prompt,
                                  std::function<TerminalText()> renewed) {
  if (waiting_.empty()) {
    renewed_ = std::move(renewed);
    dropped = wants_screen = false;
    char* typed = readline(prompt.string().c_str());
    if (dropped || typed == nullptr) {
      std::free(typed);
      return {dropped ? Outcome::dropped : Outcome::end, {}};
    }
    if (wants_screen) {
      std::free(typed);
      return {Outcome::screen, {}};
    }
    for (std::string& line : split_lines(typed)) waiting_.push_back(std::move(line));
    std::free(typed);
    if (waiting_.empty()) return {};
  }
  Read out{Outcome::line, std::move(waiting_.front())};
  waiting_.pop_front();
  return out;
}

void LineEditor::remember(const std::string& line) {
  if (line == last_) return;
  last_ = line;
  add_history(line.c_str());
  if (history_failed_) return;
  if (auto status = history_.append(line); !status) {
    history_failed_ = true;
    if (context_.monitor().note) context_.monitor().note(status.error().message);
  }
}

}  // namespace rpl
