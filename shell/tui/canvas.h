// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/files.h"
#include "engine/base/result.h"

struct screen;

/// The terminal as a grid of cells, and its keys: what of ncurses the full-screen mode uses.
namespace rpl::tui {

/// What a text is; each differs without colour too (bold, reversed, dim). Colours are of the palette of Okabe and Ito, which colour-blind people tell apart.
enum class Style : std::uint8_t { plain, title, dim, chosen, key, wrong };

/// Columns and rows from the top left corner.
struct Area {
  int row = 0, column = 0, rows = 0, columns = 0;
  /// The upper `count` rows, which are taken off.
  Area take_top(int count);
  Area take_bottom(int count);
  /// The left part of so many columns, which is taken off.
  Area take_left(int count);
};

/// A key: a character, or one of these.
enum class Key : std::uint8_t {
  character,
  enter,
  tab,
  backspace,
  remove,
  escape,
  up,
  down,
  left,
  right,
  home,
  end,
  page_up,
  page_down,
  function,
  control,
  resized,
  interrupted,
  end_of_input,
};
struct Press {
  Key key = Key::character;
  std::string text = {};  ///< of a character, as UTF-8
  int number = 0;         ///< of a function key, from 1; the letter of Ctrl-LETTER ('a')
};

/// Takes the terminal over from its making to its end. One at a time.
class ScreenCells {
 public:
  /// Fails with missing_capability where the terminal cannot move its cursor, io where there is none.
  static Result<ScreenCells> open(bool color);
  ScreenCells(ScreenCells&& other) noexcept;
  ScreenCells& operator=(ScreenCells&&) = delete;
  ~ScreenCells();

  [[nodiscard]] Area all() const;
  void clear();
  /// At most `columns` columns of a text, from a place on. Control characters are blanks.
  void put(int row, int column, std::string_view text, int columns, Style style = Style::plain);
  /// A line of the area: its text, then blanks in its style.
  void line(const Area& area, int index, std::string_view text, Style style = Style::plain);
  /// Shows what was put since clear(), with the cursor there.
  void show(int row, int column);
  /// Waits for a key. Never waits longer than until a signal or a change of the window comes.
  Press key();

 private:
  ScreenCells() = default;
  Press read() const;
  [[nodiscard]] unsigned long attributes(Style style) const;

  screen* screen_ = nullptr;
  std::FILE* out_ = nullptr;
  bool color_ = false;
  bool unicode_ = true;  ///< the locale is UTF-8; else what is put is shown in ASCII
};

}  // namespace rpl::tui
