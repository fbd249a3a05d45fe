// SPDX-License-Identifier: MIT
#include "shell/tui/output_pane.h"

#include <algorithm>

#include "engine/base/encode.h"
#include "engine/base/text.h"

namespace rpl::tui {
namespace {

constexpr std::size_t kMostLines = 5000;

}  // namespace

void OutputPane::add(std::string_view text) {
  // A line that was begun goes on.
  partial_ += terminal_text(text).bytes();
  for (std::size_t end = partial_.find('\n'); end != std::string::npos; end = partial_.find('\n')) {
    lines_.push_back(partial_.substr(0, end));
    partial_.erase(0, end + 1);
  }
  for (; lines_.size() > kMostLines; lines_.pop_front()) {
    if (answer_from_ > 0) --answer_from_;
  }
  back_ = 0;
}

void OutputPane::hide() {
  lines_.clear();
  partial_.clear();
  answer_from_ = 0;
}

void OutputPane::begin_answer() {
  answer_from_ = lines_.size();
  back_ = 0;
}

std::vector<std::string> OutputPane::rows_from(std::size_t first, int columns) const {
  std::vector<std::string> out;
  const auto width = static_cast<std::size_t>(std::max(columns, 20));
  const auto add = [&](const std::string& line) {
    if (display_width(line) <= width) return out.push_back(line);
    for (std::string& part : split_lines(broken_between_words(line + "\n", width)))
      out.push_back(std::move(part));
  };
  for (std::size_t i = first; i < lines_.size(); ++i) add(lines_[i]);
  if (!partial_.empty()) add(partial_);
  return out;
}

int OutputPane::answer_lines(int columns) const {
  return static_cast<int>(rows_from(std::min(answer_from_, lines_.size()), columns).size());
}

bool OutputPane::is_stop() const {
  return std::any_of(
      lines_.begin() + static_cast<std::ptrdiff_t>(std::min(answer_from_, lines_.size())),
      lines_.end(), [](const std::string& line) { return line.starts_with("=> 0x"); });
}

void OutputPane::draw(ScreenCells& canvas, const Area& area, bool running) {
  const std::vector<std::string> all = rows_from(0, area.columns);
  const int most = std::max(static_cast<int>(all.size()) - area.rows, 0);
  const int answer = static_cast<int>(all.size()) - answer_lines(area.columns);
  // What was told as it went on is read where it ended.
  const bool is_course = answer_from_ < lines_.size() && lines_[answer_from_].starts_with("note: ");
  const int usual = running || is_course ? most : std::min(answer, most);
  const int first = std::clamp(usual - back_, 0, most);
  back_ = usual - first;
  bool is_wrong = false;
  for (int i = first; i < static_cast<int>(all.size()) && i < first + area.rows; ++i) {
    const std::string& line = all[static_cast<std::size_t>(i)];
    // An error goes on in the rows below it that are set in.
    is_wrong = line.starts_with("error:") || (is_wrong && line.starts_with("  "));
    canvas.line(area, i - first, line, is_wrong ? Style::wrong : Style::plain);
  }
}

}  // namespace rpl::tui
