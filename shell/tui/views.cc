// SPDX-License-Identifier: MIT
// Lists with one thing chosen: kernels and findings; proposals.
#include <fmt/format.h>

#include <array>

#include "engine/base/text.h"
#include "shell/render/render.h"
#include "shell/tui/table.h"
#include "shell/tui/view.h"

namespace rpl::tui {
namespace {

constexpr std::array<std::string_view, 6> kNames{"src",     "asm",      "regs",
                                                 "kernels", "timeline", "loop"};

/// Above a list, below what a command says of what is chosen in it.
class ListView : public View {
 public:
  void update(const AskFor& ask, const Area& area) override {
    list_.set(ask(list_line()));
    detail_.clear();
    if (const std::string line = detail_line(); shows_detail_ && !line.empty())
      detail_ = text_lines(ask(line), area.columns);
  }

  void draw(ScreenCells& canvas, Area area) override {
    if (!detail_.empty()) {
      constexpr int kListShare = 2;
      const int wanted = static_cast<int>(detail_.size()) + 1;
      Area below = area.take_bottom(std::min(wanted, area.rows - area.rows / (kListShare + 1)));
      const int hidden = wanted - below.rows;
      canvas.line(below, 0,
                  hidden > 0 ? fmt::format("── {}, {} of {} lines", detail_line(), below.rows - 1,
                                           detail_.size())
                             : fmt::format("── {} ", detail_line()),
                  Style::key);
      below.take_top(1);
      for (std::size_t i = 0; i < detail_.size(); ++i)
        canvas.line(below, static_cast<int>(i), detail_[i]);
    }
    list_.draw(canvas, area);
  }

  bool press(const Press& press, std::string& run) override {
    if (list_.press(press)) return true;
    if (press.key == Key::enter && !list_.chosen().empty()) {
      shows_detail_ = !shows_detail_;
      return true;
    }
    return other(press, run);
  }

 protected:
  [[nodiscard]] virtual std::string list_line() const = 0;
  /// "" where nothing is chosen.
  [[nodiscard]] virtual std::string detail_line() const = 0;
  virtual bool other(const Press& press, std::string& run) = 0;
  [[nodiscard]] std::string chosen() const { return list_.chosen(); }

 private:
  Table list_;
  std::vector<std::string> detail_;
  bool shows_detail_ = false;
};

class KernelsView : public ListView {
 public:
  [[nodiscard]] std::string_view name() const override { return "kernels"; }
  [[nodiscard]] std::string title() const override {
    return findings_ ? "findings" : "kernels, the longest total first";
  }
  [[nodiscard]] std::vector<KeyHint> keys() const override {
    std::vector<KeyHint> out{{"Up/Down", "choose"}, {"Enter", detail_line()}};
    out.push_back({"Tab", findings_ ? "info kernels" : "findings"});
    if (findings_ || chosen().empty()) return out;
    out.push_back({"F5", "classify " + chosen()});
    out.push_back({"F6", whatif_line()});
    return out;
  }

 protected:
  [[nodiscard]] std::string list_line() const override {
    return findings_ ? "findings" : "info kernels";
  }
  [[nodiscard]] std::string detail_line() const override {
    if (chosen().empty()) return {};
    return (findings_ ? "findings " : "info kernel ") + chosen();
  }
  bool other(const Press& press, std::string& run) override {
    if (press.key == Key::tab) {
      findings_ = !findings_;
      return true;
    }
    if (press.key != Key::function || chosen().empty() || findings_) return false;
    if (press.number == 5) run = "classify " + chosen();
    if (press.number == 6) run = whatif_line();
    return !run.empty();
  }

 private:
  [[nodiscard]] std::string whatif_line() const {
    return fmt::format("whatif {} --speedup 2", chosen());
  }
  bool findings_ = false;
};

class LoopView : public ListView {
 public:
  [[nodiscard]] std::string_view name() const override { return "loop"; }
  [[nodiscard]] std::string title() const override { return "the optimization and its proposals"; }
  [[nodiscard]] bool follows_what_runs() const override { return true; }
  [[nodiscard]] std::vector<KeyHint> keys() const override {
    std::vector<KeyHint> out{{"Up/Down", "choose"}};
    if (!chosen().empty()) {
      out.push_back({"Enter", detail_line()});
      out.push_back({"F5", "finish " + chosen()});
    }
    out.push_back({"F6", "step"});
    return out;
  }

 protected:
  [[nodiscard]] std::string list_line() const override { return "info proposals"; }
  [[nodiscard]] std::string detail_line() const override {
    return chosen().empty() ? "" : "info proposal " + chosen();
  }
  bool other(const Press& press, std::string& run) override {
    if (press.key != Key::function) return false;
    if (press.number == 5 && !chosen().empty()) run = "finish " + chosen();
    if (press.number == 6) run = "step";
    return !run.empty();
  }
};

}  // namespace

std::unique_ptr<View> kernels_view() { return std::make_unique<KernelsView>(); }
std::unique_ptr<View> loop_view() { return std::make_unique<LoopView>(); }

std::span<const std::string_view> view_names() { return kNames; }

std::unique_ptr<View> make_view(std::string_view name) {
  if (name == "timeline") return timeline_view();
  if (name == "loop") return loop_view();
  if (name == "src" || name == "asm" || name == "regs") return code_view(name);
  return kernels_view();
}

std::vector<std::string> text_lines(const Result<Document>& document, int columns) {
  if (!document) {
    const Error& error = document.error();
    return {error.hint.empty() ? error.message : fmt::format("{}; {}", error.message, error.hint)};
  }
  Terminal terminal;
  terminal.width = static_cast<std::size_t>(columns);
  terminal.elide = terminal.unicode = true;
  std::vector<std::string> out = split_lines(render_text(*document, terminal).bytes());
  if (out.empty() && !document->notes.empty()) out.push_back(document->notes.front());
  return out;
}

}  // namespace rpl::tui
