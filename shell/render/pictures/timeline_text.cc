// SPDX-License-Identifier: MIT
#include "shell/render/pictures/text_pictures.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/numbers.h"
#include "engine/plot/timeline.h"

namespace rpl {
namespace {

char letter_of(const std::optional<SegmentKind>& kind) {
  if (!kind) return ' ';
  switch (*kind) {
    case SegmentKind::kernel:
      return 'k';
    case SegmentKind::copy:
      return 'c';
    case SegmentKind::launch:
      return 'l';
    case SegmentKind::host:
      return 'h';
    case SegmentKind::idle:
      return '.';
  }
  return ' ';
}

std::string trimmed(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + '\n';
}

class Picture {
 public:
  Picture(const Timeline& timeline, const Canvas& canvas, const TimelineTextOptions& options)
      : timeline_(timeline),
        canvas_(canvas),
        options_(options),
        cells_(timeline_cells(canvas)),
        edge_(canvas.unicode ? "│" : "|") {}

  std::string run() {
    for (const TimelineRow& row : timeline_.rows) {
      text_ += busy_line(row);
      if (std::ranges::find(row.on_path, true) != row.on_path.end()) text_ += mark_line(row);
    }
    if (!timeline_.path.empty()) text_ += path_line();
    text_ += axis_lines();
    if (timeline_.hidden_rows > 0) {
      text_ +=
          fmt::format("not shown: {} less busy, --rows N\n", format_count(timeline_.hidden_rows));
    }
    return std::move(text_);
  }

 private:
  [[nodiscard]] std::string busy_line(const TimelineRow& row) const {
    const std::string label =
        options_.label ? options_.label(row) : timeline_row_id(options_.by, row.entity);
    std::string line = fitted(label, kTimelineLabel - 1) + edge_;
    for (const double share : row.busy) line += level(share, canvas_.unicode);
    const auto span = static_cast<double>(timeline_.to_ns - timeline_.from_ns);
    return fmt::format("{}{}{:>8}\n", line, edge_,
                       format_share(span > 0 ? static_cast<double>(row.busy_ns) / span : 0));
  }

  [[nodiscard]] std::string mark_line(const TimelineRow& row) const {
    std::string line(kTimelineLabel, ' ');
    for (const bool marked : row.on_path) line += marked ? (canvas_.unicode ? "▔" : "^") : " ";
    return trimmed(std::move(line));
  }

  [[nodiscard]] std::string path_line() const {
    std::string line = fitted("path", kTimelineLabel - 1) + edge_;
    for (const auto& kind : timeline_.path) line += letter_of(kind);
    return line + edge_ + '\n';
  }

  [[nodiscard]] std::string axis_lines() const {
    std::string rule, numbers(kTimelineLabel + cells_ + kTimelineShare, ' ');
    std::vector<bool> ticks(cells_);
    const auto span =
        static_cast<double>(std::max<std::int64_t>(timeline_.to_ns - timeline_.from_ns, 1));
    std::size_t free_from = 0;
    std::vector<std::int64_t> at_ns =
        round_ticks(timeline_.from_ns, timeline_.to_ns, options_.origin_ns, cells_ / 14 + 1);
    for (std::int64_t& tick : at_ns) tick -= options_.origin_ns;
    const std::vector<std::string> times = axis_times(at_ns);
    for (std::size_t i = 0; i < at_ns.size(); ++i) {
      const std::int64_t tick = at_ns[i] + options_.origin_ns;
      const auto cell = static_cast<std::size_t>(static_cast<double>(tick - timeline_.from_ns) /
                                                 span * static_cast<double>(cells_));
      if (cell >= cells_) continue;
      ticks[cell] = true;
      const std::string& label = times[i];
      const std::size_t at = kTimelineLabel + cell;
      if (at < free_from || at + label.size() > canvas_.width) continue;
      numbers.replace(at, label.size(), label);
      free_from = at + label.size() + 1;
    }
    for (const bool tick : ticks) rule += canvas_.unicode ? (tick ? "┬" : "─") : (tick ? "+" : "-");
    return std::string(kTimelineLabel, ' ') + rule + '\n' + trimmed(std::move(numbers));
  }

  const Timeline& timeline_;
  const Canvas& canvas_;
  const TimelineTextOptions& options_;
  std::size_t cells_;
  std::string edge_, text_;
};

}  // namespace

std::size_t timeline_cells(const Canvas& canvas) {
  constexpr std::size_t kAround = kTimelineLabel + kTimelineShare;
  return canvas.width > kAround + 10 ? canvas.width - kAround : 10;
}

std::string timeline_text(const Timeline& timeline, const Canvas& canvas,
                          const TimelineTextOptions& options) {
  if (timeline.rows.empty()) return "nothing ran in this window\n";
  return Picture(timeline, canvas, options).run();
}

}  // namespace rpl
