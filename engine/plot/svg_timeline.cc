// SPDX-License-Identifier: MIT
#include "engine/plot/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <unordered_map>

#include "engine/base/interrupt.h"
#include "engine/base/numbers.h"
#include "engine/plot/path_stretches.h"
#include "engine/plot/timeline.h"

namespace rpl {
namespace {

constexpr std::int64_t kLeft = 90, kRight = 60, kRow = 22, kBar = 16, kLegendRow = 16;
constexpr std::int64_t kTitled = 34, kUntitled = 8;  ///< above the first row
constexpr std::int64_t kLegendColumns = 3;
constexpr double kMergeBelowPixels = 0.5;

/// A rectangle under construction: one operation, or several that lie too close to be distinguished.
struct Block {
  bool open = false;
  std::int64_t start_ns = 0, end_ns = 0;
  std::uint64_t operations = 0;
  NodeId longest = kNoNode;
  std::int64_t longest_ns = -1;
  bool on_path = false;
};

class Picture {
 public:
  Picture(const Graph& graph, const CriticalPath* path, const Timeline& timeline, TimelineBy by,
          const SvgOptions& options, const SinkOf<XmlText>& write)
      : graph_(graph), path_(path), timeline_(timeline), by_(by), options_(options), write_(write) {
    band_ = path_ ? 1 : 0;
    const auto rows = static_cast<std::int64_t>(timeline_.rows.size());
    top_ = options_.title.empty() ? kUntitled : kTitled;
    bottom_ = top_ + (rows + band_) * kRow;
  }

  Status run() {
    head();
    axis();
    labels();
    TRY(blocks());
    if (path_) TRY(path_band());
    legend();
    text_ += "</svg>\n";
    return write_(text_);
  }

 private:
  template <class... Args>
  void add(XmlText::Pattern<Args...> pattern, const Args&... args) {
    text_.add(pattern, args...);
  }

  [[nodiscard]] double x(std::int64_t ns) const {
    const std::int64_t clipped = std::clamp(ns, timeline_.from_ns, timeline_.to_ns);
    const auto plot = static_cast<double>(options_.width - kLeft - kRight);
    const auto span =
        static_cast<double>(std::max<std::int64_t>(timeline_.to_ns - timeline_.from_ns, 1));
    return static_cast<double>(kLeft) +
           plot * static_cast<double>(clipped - timeline_.from_ns) / span;
  }

  void head() {
    const auto legend_rows =
        (static_cast<std::int64_t>(options_.legend) + kLegendColumns - 1) / kLegendColumns + 1;
    const std::int64_t height = bottom_ + 28 + legend_rows * kLegendRow;
    add("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
        "{1}\" "
        "font-family=\"sans-serif\" font-size=\"11\">\n",
        options_.width, height);
    add("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n");
    if (!options_.title.empty())
      add("<text x=\"{}\" y=\"18\" font-size=\"13\">{}</text>\n", kLeft, options_.title);
  }

  void axis() {
    const std::int64_t origin = graph_.span_ns().first;
    std::vector<std::int64_t> ticks = round_ticks(timeline_.from_ns, timeline_.to_ns, origin, 10);
    for (std::int64_t& tick : ticks) tick -= origin;
    const std::vector<std::string> times = axis_times(ticks);
    for (std::size_t i = 0; i < ticks.size(); ++i) {
      const double at = x(ticks[i] + origin);
      add("<path d=\"M{0:.1f} {1}V{2}\" stroke=\"#eeeeee\"/>", at, top_, bottom_);
      add("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\" fill=\"#555555\">{}</text>\n", at,
          bottom_ + 14, times[i]);
    }
  }

  void labels() {
    std::int64_t y = top_ + kBar - 3;
    const auto span =
        static_cast<double>(std::max<std::int64_t>(timeline_.to_ns - timeline_.from_ns, 1));
    for (const TimelineRow& row : timeline_.rows) {
      add("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>", kLeft - 8, y,
          timeline_row_id(by_, row.entity));
      add("<text x=\"{}\" y=\"{}\" fill=\"#555555\">{}</text>\n", options_.width - kRight + 6, y,
          format_share(static_cast<double>(row.busy_ns) / span));
      y += kRow;
    }
    if (path_) add("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">path</text>\n", kLeft - 8, y);
  }

  Status blocks() {
    std::unordered_map<std::uint32_t, std::size_t> row_of;
    for (std::size_t i = 0; i < timeline_.rows.size(); ++i) row_of[timeline_.rows[i].entity] = i;
    std::vector<Block> open(timeline_.rows.size());
    OperationsInWindow operations(graph_, timeline_.from_ns, timeline_.to_ns);
    std::uint64_t count = 0;
    for (NodeId node = operations.next(); node != kNoNode; node = operations.next()) {
      if (++count % 65536 == 0) TRY(interrupt::check());
      const auto row = row_of.find(timeline_entity(graph_, node, by_));
      if (row == row_of.end()) continue;
      TRY(extend(open[row->second], row->second, node));
    }
    for (std::size_t row = 0; row < open.size(); ++row) TRY(close(open[row], row));
    return {};
  }

  Status extend(Block& block, std::size_t row, NodeId node) {
    const std::int64_t start = graph_.start_ns(node), end = graph_.end_ns(node);
    const bool small = x(end) - x(start) < kMergeBelowPixels ||
                       x(block.end_ns) - x(block.start_ns) < kMergeBelowPixels ||
                       block.operations > 1;
    if (block.open && !(small && x(start) - x(block.end_ns) < kMergeBelowPixels))
      TRY(close(block, row));
    if (!block.open) block = Block{.open = true, .start_ns = start, .end_ns = end};
    block.end_ns = std::max(block.end_ns, end);
    ++block.operations;
    if (end - start > block.longest_ns) {
      block.longest_ns = end - start;
      block.longest = node;
    }
    if (path_ && path_->on_path[node]) block.on_path = true;
    return {};
  }

  [[nodiscard]] std::string_view color_of_kernel(std::uint32_t kernel) const {
    if (kernel == kNone) return kCopyColor;
    return options_.color ? options_.color(kernel)
                          : kernel_color(graph_.trace().kernels()[kernel].mangled);
  }

  [[nodiscard]] std::string_view color_of(NodeId node) const {
    const std::uint32_t kernel = graph_.kernel_of(node);
    return color_of_kernel(kernel);
  }

  Status close(Block& block, std::size_t row) {
    if (!block.open) return {};
    block.open = false;
    const double left = x(block.start_ns), width = std::max(x(block.end_ns) - left, 0.3);
    const std::int64_t y = top_ + static_cast<std::int64_t>(row) * kRow;
    const std::uint32_t kernel =
        block.longest < graph_.dispatches() ? graph_.kernel_of(block.longest) : kNone;
    const std::string link = kernel != kNone && options_.link ? options_.link(kernel) : "";
    if (!link.empty()) add("<a href=\"{}\">", link);
    add("<rect x=\"{:.2f}\" y=\"{}\" width=\"{:.2f}\" height=\"{}\" fill=\"{}\">", left, y, width,
        kBar, color_of(block.longest));
    std::string name(operation_name(graph_, block.longest));
    if (options_.shorten) name = options_.shorten(name);
    if (block.operations > 1)
      name = fmt::format("{} operations, longest {}", block.operations, name);
    add("<title>{}: {}</title></rect>{}\n", name, format_ns(block.end_ns - block.start_ns),
        when(!link.empty(), "</a>"));
    // A line at the foot, not an outline: where many short operations follow each other, outlines would be all that is seen.
    if (block.on_path)
      add("<rect x=\"{:.2f}\" y=\"{}\" width=\"{:.2f}\" height=\"3\" fill=\"#1c2126\"/>\n", left,
          y + kBar - 3, width);
    blocks_[kernel] += 1;
    return flush_if_full();
  }

  /// Segments that are too short to see alone are drawn as one, in the colour of what most of it is.
  Status path_band() {
    constexpr double kTiny = 0.2;  // of a pixel
    const double pixel = x(timeline_.to_ns) - x(timeline_.from_ns);
    const auto span = static_cast<double>(timeline_.to_ns - timeline_.from_ns);
    const auto least = static_cast<std::int64_t>(pixel > 0 ? kTiny * span / pixel : 0);
    const std::int64_t y = top_ + static_cast<std::int64_t>(timeline_.rows.size()) * kRow;
    for (const PathStretch& one :
         TRY(path_stretches(graph_, timeline_.from_ns, timeline_.to_ns, least))) {
      add("<rect x=\"{:.2f}\" y=\"{}\" width=\"{:.2f}\" height=\"{}\" fill=\"{}\"><title>{}: "
          "{}</title></rect>\n",
          x(one.start_ns), y, std::max(x(one.end_ns) - x(one.start_ns), 0.1), kBar,
          segment_color(one.kind), to_string(one.kind), format_ns(one.end_ns - one.start_ns));
      TRY(flush_if_full());
    }
    return {};
  }

  void legend() {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> most;
    for (const auto& [kernel, blocks] : blocks_) most.emplace_back(blocks, kernel);
    std::ranges::sort(most, [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    most.resize(std::min(most.size(), options_.legend));
    std::int64_t y = bottom_ + 36, column = 0;
    const std::int64_t wide = (options_.width - kLeft) / kLegendColumns;
    for (const auto& [blocks, kernel] : most) {
      if (column == kLegendColumns) {
        column = 0;
        y += kLegendRow;
      }
      const std::int64_t left = kLeft + column++ * wide;
      const auto kernels = graph_.trace().kernels();
      std::string name = kernel == kNone ? "memory copy" : kernels[kernel].name;
      if (options_.shorten) name = options_.shorten(name);
      // What has no room in its column would run into the next one.
      constexpr std::int64_t kWidestLetter = 7;
      name = elide_middle(name, static_cast<std::size_t>((wide - 24) / kWidestLetter));
      add("<rect x=\"{}\" y=\"{}\" width=\"10\" height=\"10\" fill=\"{}\"/>", left, y - 9,
          color_of_kernel(kernel));
      add("<text x=\"{}\" y=\"{}\">{}</text>\n", left + 16, y, name);
    }
    if (!path_) return;
    y += kLegendRow;
    std::int64_t left = kLeft;
    for (std::size_t i = 0; i < kSegmentKinds; ++i) {
      const auto kind = static_cast<SegmentKind>(i);
      add("<rect x=\"{}\" y=\"{}\" width=\"10\" height=\"10\" fill=\"{}\"/>", left, y - 9,
          segment_color(kind));
      add("<text x=\"{}\" y=\"{}\">path: {}</text>\n", left + 16, y, to_string(kind));
      left += 110;
    }
  }

  Status flush_if_full() {
    if (text_.bytes().size() < (std::size_t{1} << 18)) return {};
    TRY(write_(text_));
    text_.clear();
    return {};
  }

  const Graph& graph_;
  const CriticalPath* path_;
  const Timeline& timeline_;
  TimelineBy by_;
  const SvgOptions& options_;
  const SinkOf<XmlText>& write_;
  std::int64_t band_ = 0, top_ = 0, bottom_ = 0;
  XmlText text_;
  std::map<std::uint32_t, std::uint64_t> blocks_;  ///< drawn, by kernel
};

}  // namespace

Status write_svg_timeline(const Graph& graph, const CriticalPath* path, const Timeline& timeline,
                          TimelineBy by, const SvgOptions& options, const SinkOf<XmlText>& write) {
  return Picture(graph, path, timeline, by, options, write).run();
}

}  // namespace rpl
