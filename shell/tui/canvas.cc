// SPDX-License-Identifier: MIT
#include "shell/tui/canvas.h"

// Only this file sees the macros of curses (erase, move, timeout).
#define NCURSES_NOMACROS 1
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <langinfo.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <utility>

#include "engine/base/encode.h"
#include "engine/base/interrupt.h"
#include "engine/base/text.h"
#include "shell/core/run/signals.h"

namespace rpl::tui {
namespace {

enum Pair : short { kTitle = 1, kChosen, kKey, kWrong };

/// The palette's nearest colours of 256, of 8 where there are no more.
void start_colors() {
  start_color();
  use_default_colors();
  constexpr int kMany = 256;
  constexpr short kBlue = 25, kOrange = 214, kVermilion = 166, kWhite = 231, kBlack = 16;
  const bool many = COLORS >= kMany;
  init_pair(kTitle, many ? kWhite : COLOR_WHITE, many ? kBlue : COLOR_BLUE);
  init_pair(kChosen, many ? kBlack : COLOR_BLACK, many ? kOrange : COLOR_YELLOW);
  init_pair(kKey, many ? kOrange : COLOR_YELLOW, -1);
  init_pair(kWrong, many ? kVermilion : COLOR_RED, -1);
}

std::string utf8_of(wint_t character) {
  std::string out;
  const auto code = static_cast<std::uint32_t>(character);
  const auto tail = [&](unsigned shift) {
    out += static_cast<char>(0x80U | ((code >> shift) & 0x3fU));
  };
  if (code < 0x80U) {
    out += static_cast<char>(code);
  } else if (code < 0x800U) {
    out += static_cast<char>(0xc0U | (code >> 6U));
    tail(0);
  } else if (code < 0x10000U) {
    out += static_cast<char>(0xe0U | (code >> 12U));
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xf0U | (code >> 18U));
    tail(12);
    tail(6);
    tail(0);
  }
  return out;
}

/// For a terminal that takes no UTF-8, as one that a remote login gave no locale: characters of one column each.
std::string ascii_of(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, char>, 17> kAlike{{{"─", '-'},
                                                                             {"│", '|'},
                                                                             {"┬", '+'},
                                                                             {"▔", '^'},
                                                                             {"▁", '.'},
                                                                             {"▂", '.'},
                                                                             {"▃", ':'},
                                                                             {"▄", ':'},
                                                                             {"▅", '='},
                                                                             {"▆", '='},
                                                                             {"▏", ' '},
                                                                             {"▎", ' '},
                                                                             {"▍", ' '},
                                                                             {"…", '.'},
                                                                             {"µ", 'u'},
                                                                             {"×", 'x'},
                                                                             {"·", '.'}}};
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = std::max<std::size_t>(utf8_length(text, at), 1);
    const std::string_view one = text.substr(at, length);
    at += length;
    if (length == 1 && static_cast<unsigned char>(one[0]) < 0x80U) {
      out += one;
      continue;
    }
    const auto alike = std::ranges::find(kAlike, one, &std::pair<std::string_view, char>::first);
    // What is left of the block elements is at least half full.
    const bool block = one >= "▀" && one <= "▟";
    out.append(display_width(one), alike != kAlike.end() ? alike->second : block ? '#' : '?');
  }
  return out;
}

/// As much of a text as fits into so many columns, without what a terminal would take as a command.
std::string fitting(std::string_view given, int columns) {
  const TerminalText encoded = terminal_line(given);
  const std::string_view text = encoded.bytes();
  std::string out;
  int used = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = std::max<std::size_t>(utf8_length(text, at), 1);
    const std::string one(text.substr(at, length));
    const int wide = static_cast<int>(display_width(one));
    if (used + wide > columns) break;
    out += one;
    used += wide;
    at += length;
  }
  return out;
}

Press special(int code) {
  static constexpr std::array<std::pair<int, Key>, 13> kKeys{{{KEY_UP, Key::up},
                                                              {KEY_DOWN, Key::down},
                                                              {KEY_LEFT, Key::left},
                                                              {KEY_RIGHT, Key::right},
                                                              {KEY_HOME, Key::home},
                                                              {KEY_END, Key::end},
                                                              {KEY_PPAGE, Key::page_up},
                                                              {KEY_NPAGE, Key::page_down},
                                                              {KEY_BACKSPACE, Key::backspace},
                                                              {KEY_DC, Key::remove},
                                                              {KEY_ENTER, Key::enter},
                                                              {KEY_BTAB, Key::tab},
                                                              {KEY_RESIZE, Key::resized}}};
  for (const auto& [known, key] : kKeys) {
    if (known == code) return {.key = key};
  }
  constexpr int kFunctions = 12;
  if (code > KEY_F0 && code <= KEY_F0 + kFunctions)
    return {.key = Key::function, .number = code - KEY_F0};
  return {.key = Key::escape};
}

Press ordinary(wint_t code) {
  constexpr wint_t kEscape = 27, kDelete = 127;
  switch (code) {
    case L'\r':
    case L'\n':
      return {.key = Key::enter};
    case L'\t':
      return {.key = Key::tab};
    case L'\b':
    case kDelete:
      return {.key = Key::backspace};
    case kEscape:
      return {.key = Key::escape};
    default:
      break;
  }
  if (code < L' ') return {.key = Key::control, .number = static_cast<int>('a' + code - 1)};
  return {.key = Key::character, .text = utf8_of(code)};
}

}  // namespace

Area Area::take_top(int count) {
  const int taken = std::clamp(count, 0, rows);
  const Area out{row, column, taken, columns};
  row += taken;
  rows -= taken;
  return out;
}

Area Area::take_bottom(int count) {
  const int taken = std::clamp(count, 0, rows);
  rows -= taken;
  return {row + rows, column, taken, columns};
}

Area Area::take_left(int count) {
  const int taken = std::clamp(count, 0, columns);
  const Area out{row, column, rows, taken};
  column += taken;
  columns -= taken;
  return out;
}

Result<ScreenCells> ScreenCells::open(bool color) {
  const auto no_screen = [] {
    return fail(Errc::missing_capability, "this terminal has no full-screen mode",
                "start rpl at a terminal whose TERM terminfo knows, as xterm-256color");
  };
  if (isatty(STDIN_FILENO) != 1 || isatty(STDOUT_FILENO) != 1) return no_screen();
  ScreenCells out;
  // What programs print to descriptor 1 goes elsewhere while a line runs: the screen has one of its own.
  const int own = ::dup(STDOUT_FILENO);
  if (own < 0) return fail(Errc::io, "the terminal cannot be opened", "");
  out.out_ = ::fdopen(own, "w");
  if (out.out_ == nullptr) return fail(Errc::io, "the terminal cannot be opened", "");
  // Signals stay rpl's own: curses takes those that nobody has.
  set_escdelay(25);
  out.screen_ = newterm(nullptr, out.out_, stdin);
  if (out.screen_ == nullptr) return no_screen();
  set_term(out.screen_);
  cbreak();
  noecho();
  nonl();
  keypad(stdscr, TRUE);
  // A screen that is half drawn while somebody types ahead is of no use.
  typeahead(-1);
  // Some terminals send these whatever mode they were put into.
  for (const auto& [sequence, code] : {std::pair{"\033[A", KEY_UP},
                                       {"\033[B", KEY_DOWN},
                                       {"\033[C", KEY_RIGHT},
                                       {"\033[D", KEY_LEFT}})
    define_key(sequence, code);
  out.unicode_ = std::string_view(nl_langinfo(CODESET)) == "UTF-8";
  out.color_ = color && has_colors() == TRUE;
  if (out.color_) start_colors();
  return out;
}

ScreenCells::ScreenCells(ScreenCells&& other) noexcept
    : screen_(std::exchange(other.screen_, nullptr)),
      out_(std::exchange(other.out_, nullptr)),
      color_(other.color_),
      unicode_(other.unicode_) {}

ScreenCells::~ScreenCells() {
  if (screen_ != nullptr) {
    endwin();
    delscreen(screen_);
  }
  if (out_ != nullptr) std::fclose(out_);
}

Area ScreenCells::all() const { return {0, 0, getmaxy(stdscr), getmaxx(stdscr)}; }

void ScreenCells::clear() { ::erase(); }

unsigned long ScreenCells::attributes(Style style) const {
  const auto colored = [this](short pair) -> unsigned long {
    return color_ ? COLOR_PAIR(pair) : 0;
  };
  switch (style) {
    case Style::plain:
      return A_NORMAL;
    case Style::title:
      return A_BOLD | (color_ ? COLOR_PAIR(kTitle) : A_REVERSE);
    case Style::dim:
      return A_DIM;
    case Style::chosen:
      return A_BOLD | (color_ ? COLOR_PAIR(kChosen) : A_REVERSE);
    case Style::key:
      return A_BOLD | colored(kKey);
    case Style::wrong:
      return A_BOLD | colored(kWrong);
  }
  return A_NORMAL;
}

void ScreenCells::put(int row, int column, std::string_view text, int columns, Style style) {
  if (columns <= 0 || row < 0 || row >= getmaxy(stdscr)) return;
  attrset(static_cast<int>(attributes(style)));
  const std::string shown = fitting(text, std::min(columns, getmaxx(stdscr) - column));
  mvaddstr(row, column, unicode_ ? shown.c_str() : ascii_of(shown).c_str());
  attrset(A_NORMAL);
}

void ScreenCells::line(const Area& area, int index, std::string_view text, Style style) {
  if (index < 0 || index >= area.rows) return;
  std::string padded = fitting(text, area.columns);
  // What goes on at the right of what is shown is seen to.
  if (area.columns > 1 && static_cast<int>(display_width(terminal_line(text))) > area.columns)
    padded = fitting(text, area.columns - 1) + "…";
  const auto wide = static_cast<int>(display_width(padded));
  padded.append(static_cast<std::size_t>(std::max(area.columns - wide, 0)), ' ');
  put(area.row + index, area.column, padded, area.columns, style);
}

void ScreenCells::show(int row, int column) {
  ::move(row, std::min(column, getmaxx(stdscr) - 1));
  ::refresh();
}

Press ScreenCells::read() const {
  wint_t code = 0;
  const int kind = ::get_wch(&code);
  if (kind == ERR) return {.key = Key::end_of_input};
  return kind == KEY_CODE_YES ? special(static_cast<int>(code)) : ordinary(code);
}

Press ScreenCells::key() {
  // Signals arrive only inside ppoll, so that none falls between looking at the flags and waiting.
  sigset_t ours, before;
  sigemptyset(&ours);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGCONT}) sigaddset(&ours, number);
  pthread_sigmask(SIG_BLOCK, &ours, &before);
  ::timeout(0);
  Press out;
  while (true) {
    if (signals::ending() != 0) {
      out.key = Key::end_of_input;
      break;
    }
    if (interrupt::pending()) {
      out.key = Key::interrupted;
      break;
    }
    if (signals::take_continued()) clearok(stdscr, TRUE);
    if (signals::take_resized()) {
      winsize size{};
      if (::ioctl(fileno(out_), TIOCGWINSZ, &size) == 0 && size.ws_row > 0)
        resizeterm(size.ws_row, size.ws_col);
      out.key = Key::resized;
      break;
    }
    // What curses has read already is not in the descriptor any more.
    out = read();
    if (out.key != Key::end_of_input) break;
    pollfd wanted{STDIN_FILENO, POLLIN, 0};
    const int ready = ppoll(&wanted, 1, nullptr, &before);
    if (ready > 0) {
      out = read();
      const bool gone = (wanted.revents & (POLLHUP | POLLERR)) != 0;
      if (out.key != Key::end_of_input || gone) break;
    }
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return out;
}

}  // namespace rpl::tui
