// SPDX-License-Identifier: MIT
// A timeline that zooms and pans. Each picture is that of `timeline --indexed`.
#include <fmt/format.h>

#include <algorithm>

#include "engine/base/text.h"
#include "shell/tui/view.h"

namespace rpl::tui {
namespace {

class TimelineView : public View {
 public:
  [[nodiscard]] std::string_view name() const override { return "timeline"; }
  [[nodiscard]] std::string title() const override { return "what ran when"; }

  void update(const AskFor& ask, const Area& area) override {
    // A row takes two lines, the path, the scale and what is said about it six.
    rows_ = std::max((area.rows - 6) / 2, 1);
    const auto document = ask(line() + fmt::format(" --width {} --indexed", area.columns));
    if (!document) {
      text_ = text_lines(document, area.columns);
      return;
    }
    text_ = split_lines(document->text);
    const auto known = [&](const char* field) {
      const Value* value = document->get(field);
      return static_cast<std::int64_t>(value == nullptr ? 0 : value->number().value_or(0));
    };
    from_ = known("from_ns");
    to_ = known("to_ns");
    if (whole_ == 0) whole_ = to_;
    below_.clear();
    const int room = area.rows - static_cast<int>(text_.size()) - 1;
    const bool few = known("operations") <= kMostListed;
    if (room >= kFewestBelow && few) below_ = text_lines(ask(kernels_line()), area.columns);
  }

  void draw(ScreenCells& canvas, Area area) override {
    for (std::size_t i = 0; i < text_.size(); ++i) canvas.line(area, static_cast<int>(i), text_[i]);
    if (below_.empty()) return;
    area.take_top(static_cast<int>(text_.size()));
    canvas.line(area, 0, "── " + kernels_line(), Style::key);
    area.take_top(1);
    for (std::size_t i = 0; i < below_.size(); ++i)
      canvas.line(area, static_cast<int>(i), below_[i]);
  }

  bool press(const Press& press, std::string& /*run*/) override {
    const std::int64_t span = std::max<std::int64_t>(to_ - from_, 1),
                       quarter = std::max<std::int64_t>(span / 4, 1);
    if (press.key == Key::left) return go(from_ - quarter, span);
    if (press.key == Key::right) return go(from_ + quarter, span);
    if (press.key == Key::home) return go(0, whole_);
    if (press.key == Key::up) return go(from_ + quarter, std::max<std::int64_t>(span / 2, 1));
    if (press.key == Key::down) return go(from_ - span / 2, span * 2);
    if (press.key != Key::character) return false;
    if (press.text == "+") return go(from_ + quarter, std::max<std::int64_t>(span / 2, 1));
    if (press.text == "-") return go(from_ - span / 2, span * 2);
    return false;
  }

  [[nodiscard]] std::vector<KeyHint> keys() const override {
    return {{"Left/Right", line()}, {"+/-", "half or twice as long"}, {"Home", "timeline"}};
  }

 private:
  [[nodiscard]] std::string line() const {
    if (to_ == 0) return fmt::format("timeline --rows {}", rows_);
    return fmt::format("timeline --from {}ns --to {}ns --rows {}", from_, to_, rows_);
  }

  [[nodiscard]] std::string kernels_line() const {
    return fmt::format("info kernels --from {}ns --to {}ns", from_, to_);
  }

  bool go(std::int64_t from, std::int64_t span) {
    constexpr std::int64_t kShortest = 100;  // ns
    span = std::clamp(span, std::min(kShortest, whole_), whole_);
    from_ = std::clamp<std::int64_t>(from, 0, whole_ - span);
    to_ = from_ + span;
    return true;
  }

  std::int64_t from_ = 0, to_ = 0, whole_ = 0;
  int rows_ = 4;
  std::vector<std::string> text_, below_;
  /// What is listed below the picture is counted anew for each one: of more operations that would be seen.
  static constexpr std::int64_t kMostListed = 200'000;
  static constexpr int kFewestBelow = 5;
};

}  // namespace

std::unique_ptr<View> timeline_view() { return std::make_unique<TimelineView>(); }

}  // namespace rpl::tui
