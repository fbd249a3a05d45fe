// SPDX-License-Identifier: MIT
#include "shell/tui/full_screen.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>

#include "engine/base/encode.h"
#include "engine/base/interrupt.h"
#include "engine/base/monitor.h"
#include "engine/base/text.h"
#include "shell/core/command/settings.h"
#include "shell/core/run/completion.h"
#include "shell/core/run/progress.h"
#include "shell/core/run/signals.h"
#include "shell/core/session/context.h"
#include "shell/core/session/history_file.h"
#include "shell/core/session/session_log.h"
#include "shell/core/session/workspace.h"
#include "shell/tui/captured.h"
#include "shell/tui/command_line.h"
#include "shell/tui/output_pane.h"
#include "shell/tui/view.h"

namespace rpl {
namespace {

using namespace tui;

/// The view that the next full-screen mode of this program begins with.
std::string& last_view() {
  static std::string name;
  return name;
}

/// Views that show where a kernel stands themselves.
bool shows_the_stop(const View& view) {
  return view.name() == "src" || view.name() == "asm" || view.name() == "regs";
}

class FullScreen {
 public:
  FullScreen(Context& context, Console& console, const ScreenHost& host, ScreenCells canvas)
      : context_(context),
        console_(console),
        host_(host),
        canvas_(std::move(canvas)),
        history_(HistoryFile::standard()),
        line_(history_.load().value_or(std::vector<std::string>{})) {}

  Status run(const std::string& view) {
    was_stopped_ = !context_.workspace().stepping.empty();
    show_view(view.empty() ? (last_view().empty() ? "kernels" : last_view()) : view);
    take_over();
    while (!leaves_ && !context_.face().leaving() && signals::ending() == 0) {
      interrupt::clear();
      draw();
      handle(canvas_.key());
    }
    give_back();
    last_view() = std::string(view_->name());
    return {};
  }

 private:
  // --- the terminal and the console are this mode's until give_back() ---
  void take_over() {
    host_.redirect([this](OutputBytes text) -> Status {
      output_.add(text.bytes());
      if (running_ && !updating_ && view_->follows_what_runs()) ask_again(updated_);
      if (running_) draw();
      return {};
    });
    pager_ = std::exchange(console_.pager, nullptr);
    progress_ =
        std::exchange(context_.monitor().progress,
                      [this](std::string_view what, std::uint64_t done, std::uint64_t total) {
                        constexpr std::size_t kWidth = 60;
                        const std::lock_guard lock(progress_lock_);
                        progress_text_ = rpl::progress_text(what, done, total, kWidth).string();
                      });
    console_.screens = [this](std::string_view wanted) {
      if (wanted.empty()) {
        leaves_ = true;
      } else if (wanted != "on") {
        wanted_view_ = std::string(wanted);
      }
    };
    attend();
    Terminal& terminal = context_.face().terminal();
    before_ = terminal;
    terminal.color = false;
    terminal.elide = terminal.interactive = true;
    source_ = console_.read_from([this](std::string_view prompt) -> std::optional<std::string> {
      return read_line(std::string(prompt) + " ");
    });
  }

  void give_back() {
    console_.read_from(std::move(source_));
    console_.pager = std::move(pager_);
    context_.monitor().progress = std::move(progress_);
    context_.face().terminal() = before_;
    host_.redirect(nullptr);
  }

  void attend() {
    console_.attend([this](const TerminalText& question) {
      const auto answer = read_line((question + " [y/N] ").string());
      return answer && !answer->empty() && ((*answer)[0] == 'y' || (*answer)[0] == 'Y');
    });
  }

  // --- what is shown ---
  /// As GDB's `layout next`: the views of a stopped kernel, or those of recordings, in a ring.
  [[nodiscard]] std::string other_view(std::string_view direction) const {
    const bool code = !context_.workspace().stepping.empty();
    const std::vector<std::string> ring =
        code ? std::vector<std::string>{"src", "asm", "regs"}
             : std::vector<std::string>{"kernels", "timeline", "loop"};
    const auto at = view_ == nullptr ? ring.end() : std::ranges::find(ring, view_->name());
    const std::size_t now = at == ring.end() ? 0 : static_cast<std::size_t>(at - ring.begin());
    const std::size_t step = at == ring.end() ? 0 : direction == "next" ? 1 : ring.size() - 1;
    return ring[(now + step) % ring.size()];
  }

  void show_view(const std::string& asked) {
    const std::string name = asked == "next" || asked == "prev" ? other_view(asked) : asked;
    if (!views_.contains(name)) views_[name] = make_view(name);
    view_ = views_[name].get();
    stale_ = true;
  }

  /// Whether the view asked for anything.
  bool update(const Area& area) {
    const bool resized = area.rows != updated_.rows || area.columns != updated_.columns;
    if (running_ || (!stale_ && !resized)) return false;
    stale_ = false;
    updated_ = area;
    running_ = true;
    ask_again(area);
    running_ = false;
    return true;
  }

  void ask_again(const Area& area) {
    updating_ = true;
    view_->update([this](const std::string& line) { return console_.evaluate(line); }, area);
    updating_ = false;
  }

  /// At most two lines of keys, each with its command.
  std::vector<std::string> key_lines(int columns) const {
    std::vector<KeyHint> hints = view_->keys();
    for (const auto& [key, line] : std::initializer_list<std::pair<const char*, const char*>>{
             {"^X A", "tui disable"},
             {"F2", "layout kernels"},
             {"F3", "layout timeline"},
             {"F4", context_.workspace().stepping.empty() ? "layout loop" : "layout src"},
             {"PgUp/PgDn", "scroll"},
             {"Esc", "hide the answer"}})
      hints.push_back({key, line});
    std::vector<std::string> out(1);
    for (const KeyHint& hint : hints) {
      if (hint.line.empty()) continue;
      const std::string one = hint.key + " " + hint.line;
      const bool fits =
          static_cast<int>(display_width(out.back()) + display_width(one)) + 3 <= columns;
      if (!fits && out.size() == 2) break;
      if (!fits) out.emplace_back();
      out.back() += (out.back().empty() ? "" : "   ") + one;
    }
    return out;
  }

  void draw() {
    const std::lock_guard lock(drawing_);
    Area area = canvas_.all();
    if (area.rows < 6 || area.columns < 20) return;
    const Area foot = area.take_bottom(1);
    std::vector<std::string> keys = key_lines(area.columns);
    const Area key_area = area.take_bottom(static_cast<int>(keys.size()));
    const int wanted = output_.answer_lines(area.columns);
    const bool is_loop = view_->name() == "loop";
    const int most = is_loop || running_                           ? area.rows / 2
                     : shows_the_stop(*view_) && output_.is_stop() ? area.rows / 4
                                                                   : area.rows / 3 + 1;
    Area output = area.take_bottom(wanted == 0 ? 0 : std::min(wanted, most) + 1);
    const Area head = area.take_top(1);
    // Keys name what is chosen now.
    if (update(area)) keys = key_lines(area.columns);
    canvas_.clear();
    canvas_.line(head, 0, fmt::format(" {} │ {}", view_->name(), view_->title()), Style::title);
    view_->draw(canvas_, area);
    if (output.rows > 0) {
      canvas_.line(output, 0, "── " + last_line_, Style::key);
      output.take_top(1);
      output_.draw(canvas_, output, running_);
    }
    for (std::size_t i = 0; i < keys.size(); ++i)
      canvas_.line(key_area, static_cast<int>(i), keys[i], Style::dim);
    canvas_.show(foot.row, draw_foot(foot));
  }

  int draw_foot(const Area& foot) {
    if (running_) {
      const std::lock_guard lock(progress_lock_);
      canvas_.line(foot, 0, progress_text_.empty() ? "running; Ctrl-C stops" : progress_text_);
      return 0;
    }
    return line_.draw(canvas_, foot, asked_.empty() ? host_.prompt().string() : asked_);
  }

  // --- keys ---
  void handle(const Press& press) {
    if (after_ctrl_x_) {
      after_ctrl_x_ = false;
      const bool is_a = press.text == "a" || press.text == "A" ||
                        (press.key == Key::control && press.number == 'a');
      if (is_a) leaves_ = true;
      return;
    }
    std::string run;
    switch (press.key) {
      case Key::resized:
        stale_ = true;
        return;
      case Key::interrupted:
        line_.clear();
        return;
      case Key::end_of_input:
        return end_of_input();
      case Key::page_up:
        return output_.scroll(5);
      case Key::page_down:
        return output_.scroll(-5);
      case Key::control:
        if (press.number == 'x') after_ctrl_x_ = true;
        if (press.number == 'd' && line_.empty()) return end_of_input();
        if (press.number == 'l') stale_ = true;
        break;
      case Key::function:
        if (function(press.number)) return;
        break;
      default:
        break;
    }
    if (line_.empty() && view_->press(press, run)) {
      stale_ = true;
      if (!run.empty()) execute(run);
      return;
    }
    if (press.key == Key::enter) return enter();
    if (press.key == Key::tab) return complete_line();
    if (press.key == Key::escape && line_.empty()) return output_.hide();
    line_.press(press);
  }

  void end_of_input() {
    if (signals::ending() != 0 || host_.may_leave()) context_.face().leave();
  }

  bool function(int number) {
    if (number == 1) execute("help layout");
    if (number == 2) show_view("kernels");
    if (number == 3) show_view("timeline");
    if (number == 4) show_view(context_.workspace().stepping.empty() ? "loop" : "src");
    return number <= 4;
  }

  void enter() {
    const std::string typed = line_.take();
    if (typed.find_first_not_of(" \t") != std::string::npos) {
      static_cast<void>(history_.append(context_.settings().without_secret(typed)));
      return execute(typed);
    }
    if (const std::string again = console_.repeatable_line(); !again.empty()) execute(again);
  }

  void complete_line() {
    const Completions found = complete(context_, line_.text(), line_.cursor());
    if (found.candidates.empty()) return;
    std::string common = found.candidates.front();
    for (const std::string& one : found.candidates) {
      const auto differs = std::ranges::mismatch(common, one);
      common.erase(differs.in1, common.end());
    }
    if (found.candidates.size() == 1 && !common.ends_with('/')) common += ' ';
    if (found.start <= line_.cursor()) line_.replace(found.start, common);
    if (found.candidates.size() == 1) return;
    constexpr std::size_t kMostShown = 60;
    std::string all;
    for (std::size_t i = 0; i < std::min(found.candidates.size(), kMostShown); ++i)
      all += found.candidates[i] + "  ";
    output_.begin_answer();
    last_line_ = "Tab";
    output_.add(wrapped(all, 0, static_cast<std::size_t>(canvas_.all().columns)));
  }

  /// Runs a line as if typed at the prompt.
  void execute(const std::string& line) {
    last_line_ = line;
    output_.begin_answer();
    const Area area = canvas_.all();
    context_.face().terminal().width = static_cast<std::size_t>(std::max(area.columns, 40));
    context_.face().terminal().height = static_cast<std::size_t>(area.rows);
    context_.log().recorder().read(line);
    {
      const std::lock_guard lock(progress_lock_);
      progress_text_.clear();
    }
    running_ = true;
    draw();
    CapturedOutput programs;
    const int status = console_.run(line);
    if (const std::string text = programs.take(); !text.empty()) output_.add(text);
    running_ = false;
    if (auto recorded = context_.log().recorder().ran(status); !recorded)
      console_.report(recorded.error(), Format::text);
    if (!wanted_view_.empty()) show_view(std::exchange(wanted_view_, {}));
    follow_what_stopped();
    stale_ = true;
  }

  /// A kernel that stops is looked at; when none is stopped any more there is nothing to see of it.
  void follow_what_stopped() {
    const bool stopped = !context_.workspace().stepping.empty();
    if (stopped == was_stopped_) return;
    was_stopped_ = stopped;
    const std::string name(view_->name());
    const bool shows_code = name == "src" || name == "asm" || name == "regs";
    if (stopped && !shows_code) show_view("src");
    if (!stopped && shows_code) show_view("kernels");
  }

  /// A line that a command asks for while it runs.
  std::optional<std::string> read_line(const std::string& prompt) {
    const bool was_running = std::exchange(running_, false);
    asked_ = prompt;
    std::optional<std::string> out;
    while (!out && signals::ending() == 0) {
      draw();
      const Press press = canvas_.key();
      if (press.key == Key::interrupted || press.key == Key::end_of_input) break;
      if (press.key == Key::enter) {
        out = line_.text();
      } else {
        line_.press(press);
      }
    }
    line_.clear();
    asked_.clear();
    running_ = was_running;
    return out;
  }

  Context& context_;
  Console& console_;
  const ScreenHost& host_;
  ScreenCells canvas_;
  HistoryFile history_;
  CommandLine line_;
  OutputPane output_;
  std::map<std::string, std::unique_ptr<View>> views_;
  View* view_ = nullptr;
  Area updated_;
  bool stale_ = true, running_ = false, updating_ = false, leaves_ = false, after_ctrl_x_ = false,
       was_stopped_ = false;
  std::string wanted_view_, last_line_, asked_, progress_text_;
  std::mutex progress_lock_;
  std::recursive_mutex drawing_;
  Terminal before_;
  Console::Redirect pager_;
  std::function<void(std::string_view, std::uint64_t, std::uint64_t)> progress_;
  Face::LineSource source_;
};

}  // namespace

Status run_full_screen(Context& context, Console& console, const ScreenHost& host,
                       const std::string& view) {
  ScreenCells canvas = TRY(ScreenCells::open(context.face().terminal().color));
  return FullScreen(context, console, host, std::move(canvas)).run(view);
}

}  // namespace rpl
