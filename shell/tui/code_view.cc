// SPDX-License-Identifier: MIT
// A stopped kernel: its source, machine code, registers and waves beside one another.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/text.h"
#include "shell/tui/view.h"

namespace rpl::tui {
namespace {

struct Pane {
  std::string line;
  std::vector<std::string> text;
};

class CodeView : public View {
 public:
  explicit CodeView(std::string_view name) : name_(name) {
    panes_.push_back({name == "regs" ? "disassemble" : "list *$pc", {}});
    if (name == "asm") panes_.push_back({"disassemble", {}});
    if (name == "regs") panes_.push_back({"info registers", {}});
    panes_.push_back({"info waves", {}});
  }

  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] std::string title() const override {
    return name_ == "src"   ? "source of the stopped kernel"
           : name_ == "asm" ? "source and machine code"
                            : "machine code and registers";
  }

  void update(const AskFor& ask, const Area& area) override {
    const bool halves = is_wide(area) && panes_.size() > 2;
    for (Pane& pane : panes_) {
      const bool has_half = halves && &pane != &panes_.back();
      // As many lines of source or machine code as the pane may have.
      const bool is_code = pane.line.starts_with("list") || pane.line == "disassemble";
      const std::string line =
          is_code ? fmt::format("{} --lines {}", pane.line, std::max(area.rows, kFewest))
                  : pane.line;
      pane.text = text_lines(ask(line), has_half ? area.columns / 2 - kBetween : area.columns);
    }
    left_ = halves ? left_columns(area.columns) : area.columns;
  }

  void draw(ScreenCells& canvas, Area area) override {
    // The waves need few lines, and the whole width.
    constexpr int kWaves = 6;
    const int all = static_cast<int>(panes_.back().text.size()) + 1;
    int rows = std::min({kWaves, area.rows / 3, all});
    if (rows < all) rows = std::min(rows, all - table_at(panes_.back()));
    const Area waves = area.take_bottom(rows);
    draw_pane(canvas, waves, panes_.back());
    const std::size_t others = panes_.size() - 1;
    const bool beside = is_wide(area);
    for (std::size_t i = 0; i < others; ++i) {
      const auto left = static_cast<int>(others - i);
      Area part = left == 1 ? area
                  : beside  ? area.take_left(left_)
                            : area.take_top(area.rows / left);
      if (left > 1 && beside) part.columns -= kBetween;
      draw_pane(canvas, part, panes_[i]);
    }
  }

  bool press(const Press& press, std::string& run) override {
    if (press.key != Key::function) return false;
    for (const auto& [number, line] : kKeys) {
      if (press.number == number) run = line;
    }
    return !run.empty();
  }

  [[nodiscard]] std::vector<KeyHint> keys() const override {
    std::vector<KeyHint> out;
    for (const auto& [number, line] : kKeys) out.push_back({fmt::format("F{}", number), line});
    out.push_back({"Enter", "the last line again"});
    return out;
  }

 private:
  static constexpr std::array<std::pair<int, const char*>, 6> kKeys{{{5, "continue"},
                                                                     {6, "next"},
                                                                     {7, "step"},
                                                                     {8, "stepi"},
                                                                     {9, "reverse-stepi"},
                                                                     {10, "reverse-continue"}}};

  static constexpr int kFewest = 10;
  static constexpr int kBetween = 2;  ///< blank columns between two panes

  static int widest(const Pane& pane) {
    std::size_t out = 0;
    for (const std::string& line : pane.text) out = std::max(out, display_width(line));
    return static_cast<int>(out);
  }

  /// Of the left one of two panes: half, or more where the right one leaves it room.
  [[nodiscard]] int left_columns(int columns) const {
    const int half = columns / 2, wanted = widest(panes_[0]) + kBetween;
    return wanted <= half ? half : std::clamp(columns - widest(panes_[1]), half, wanted);
  }

  static bool is_wide(const Area& area) {
    constexpr int kWide = 120;
    return area.columns >= kWide;
  }

  /// The line with the headings of a table that has text above it; 0 for others.
  static int table_at(const Pane& pane) {
    const auto blank = std::ranges::find(pane.text, std::string());
    return blank == pane.text.end() ? 0 : static_cast<int>(blank - pane.text.begin()) + 1;
  }

  /// So that the line where the kernel stands is in it.
  static void draw_pane(ScreenCells& canvas, Area area, const Pane& pane) {
    canvas.line(area, 0, fmt::format("── {} ", pane.line), Style::key);
    area.take_top(1);
    const auto marked = std::ranges::find_if(
        pane.text, [](const std::string& line) { return line.find("=>") != std::string::npos; });
    const auto at = marked == pane.text.end() ? 0 : static_cast<int>(marked - pane.text.begin());
    const int last = std::max(static_cast<int>(pane.text.size()) - area.rows, 0);
    // Where there is no room for all, what stands above a table goes first.
    const int table = marked == pane.text.end() ? table_at(pane) : 0;
    const int first = table > 0 ? (last > 0 ? table : 0) : std::clamp(at - area.rows / 2, 0, last);
    for (int i = 0; i < area.rows && first + i < static_cast<int>(pane.text.size()); ++i) {
      const bool is_place = marked != pane.text.end() && first + i == at;
      canvas.line(area, i, pane.text[static_cast<std::size_t>(first + i)],
                  is_place ? Style::chosen : Style::plain);
    }
  }

  std::string name_;
  std::vector<Pane> panes_;
  int left_ = 0;  ///< columns of the left pane with the blanks behind it
};

}  // namespace

std::unique_ptr<View> code_view(std::string_view name) { return std::make_unique<CodeView>(name); }

}  // namespace rpl::tui
