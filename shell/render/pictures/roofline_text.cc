// SPDX-License-Identifier: MIT
#include "shell/render/pictures/text_pictures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <vector>

#include "engine/base/numbers.h"
#include "engine/base/text.h"

namespace rpl {
namespace {

constexpr std::size_t kAxisWidth = 7;  // "  1e6 ┤"

/// A raster of characters, each of which may be several bytes long.
class CharacterRaster {
 public:
  CharacterRaster(std::size_t width, std::size_t height)
      : width_(width), cells_(width * height, " ") {}

  [[nodiscard]] bool free(std::size_t column, std::size_t row, std::size_t length) const {
    if (column + length > width_ || row >= height()) return false;
    for (std::size_t i = 0; i < length; ++i) {
      if (cells_[row * width_ + column + i] != " ") return false;
    }
    return true;
  }
  void put(std::size_t column, std::size_t row, std::string cell) {
    if (column < width_ && row < height()) cells_[row * width_ + column] = std::move(cell);
  }
  void write(std::size_t column, std::size_t row, std::string_view ascii) {
    for (std::size_t i = 0; i < ascii.size(); ++i) put(column + i, row, std::string(1, ascii[i]));
  }
  [[nodiscard]] const std::string& at(std::size_t column, std::size_t row) const {
    return cells_[row * width_ + column];
  }
  [[nodiscard]] std::size_t width() const { return width_; }
  [[nodiscard]] std::size_t height() const { return cells_.size() / width_; }
  [[nodiscard]] std::string line(std::size_t row) const {
    std::string out;
    for (std::size_t column = 0; column < width_; ++column) out += at(column, row);
    out.erase(out.find_last_not_of(' ') + 1);
    return out;
  }

 private:
  std::size_t width_;
  std::vector<std::string> cells_;
};

std::string power_label(int exponent) {
  if (exponent >= 0 && exponent <= 3)
    return fmt::format("{}", static_cast<int>(std::pow(10, exponent)));
  return exponent == -1 ? "0.1" : fmt::format("1e{}", exponent);
}

class RooflinePicture {
 public:
  RooflinePicture(const RooflinePlot& plot, const Canvas& canvas)
      : plot_(plot),
        unicode_(canvas.unicode),
        cells_(std::max<std::size_t>(canvas.width, 40) - kAxisWidth - 1,
               std::clamp<std::size_t>(canvas.width / 6, 16, 24)) {}

  std::string run() {
    for (const auto& roof : plot_.roofs) {
      if (roof.slope) draw_slope(roof);
    }
    for (const auto& roof : plot_.roofs) {
      if (!roof.slope) draw_flat(roof);
    }
    for (const auto& point : plot_.points) draw_point(point);
    label_slope();
    std::string out = fmt::format("GFLOP/s  {}\n", plot_.title);
    for (std::size_t row = 0; row < cells_.height(); ++row)
      out += axis_label(row) + cells_.line(row) + "\n";
    return out + x_axis() + dotted_lines() + off_axis();
  }

 private:
  [[nodiscard]] double position(double value, double from, double to, std::size_t cells) const {
    return (std::log10(value) - std::log10(from)) / (std::log10(to) - std::log10(from)) *
           static_cast<double>(cells - 1);
  }
  /// Outside the raster for what is outside the axes.
  [[nodiscard]] std::optional<std::size_t> row_of(double gflops) const {
    const double up = position(gflops, plot_.from_gflops, plot_.to_gflops, cells_.height());
    if (!(up > -0.5 && up < static_cast<double>(cells_.height()) - 0.5)) return std::nullopt;
    return cells_.height() - 1 - static_cast<std::size_t>(std::lround(up));
  }
  [[nodiscard]] std::optional<std::size_t> column_of(double intensity) const {
    const double along =
        position(intensity, plot_.from_intensity, plot_.to_intensity, cells_.width());
    if (!(along > -0.5 && along < static_cast<double>(cells_.width()) - 0.5)) return std::nullopt;
    return static_cast<std::size_t>(std::lround(along));
  }
  [[nodiscard]] double intensity_at(std::size_t column) const {
    const double share = static_cast<double>(column) / static_cast<double>(cells_.width() - 1);
    return plot_.from_intensity * std::pow(plot_.to_intensity / plot_.from_intensity, share);
  }
  [[nodiscard]] double highest_flat() const {
    double rate = plot_.to_gflops;
    for (const auto& roof : plot_.roofs) {
      if (!roof.slope && roof.main) rate = roof.rate;
    }
    return rate;
  }

  void draw_slope(const RooflinePlot::Roof& roof) {
    for (std::size_t column = 0; column < cells_.width(); ++column) {
      const double gflops = roof.rate * intensity_at(column);
      if (gflops > highest_flat()) break;
      const auto row = row_of(gflops);
      if (row && cells_.free(column, *row, 1))
        cells_.put(column, *row, roof.main ? slope_mark() : dot());
    }
  }

  /// From where the level's slope reaches it to the right edge, where its name stands.
  void draw_flat(const RooflinePlot::Roof& roof) {
    const auto row = row_of(roof.rate);
    if (!row) return;
    double ridge = plot_.from_intensity;
    for (const auto& slope : plot_.roofs) {
      if (slope.slope && slope.main) ridge = std::max(ridge, roof.rate / slope.rate);
    }
    const std::size_t first = column_of(ridge).value_or(cells_.width());
    for (std::size_t column = first; column < cells_.width(); ++column)
      cells_.put(column, *row, unicode_ ? "─" : "-");
    const std::size_t length = roof.label.size() + 1;
    if (first + length > cells_.width()) return;
    // Two roofs in one row share it: the names stand side by side.
    std::size_t end = cells_.width();
    while (end > first + length && cells_.at(end - 1, *row) != "─" &&
           cells_.at(end - 1, *row) != "-")
      --end;
    if (labels_.size() <= *row) labels_.resize(*row + 1, cells_.width());
    end = std::min(end, labels_[*row]);
    if (end < first + length) return;
    cells_.write(end - length, *row, " " + roof.label);
    labels_[*row] = end - length - 1;
  }

  /// A name may cover dots of other levels, but no point and no line of the level or of a unit.
  [[nodiscard]] bool writable(std::size_t column, std::size_t row, std::size_t length) const {
    if (column + length > cells_.width()) return false;
    for (std::size_t i = 0; i < length; ++i) {
      const std::string& cell = cells_.at(column + i, row);
      if (cell != " " && cell != dot()) return false;
    }
    return true;
  }
  [[nodiscard]] std::string dot() const { return unicode_ ? "·" : "."; }
  [[nodiscard]] std::string slope_mark() const { return unicode_ ? "╱" : "/"; }

  void label_slope() {
    for (const auto& roof : plot_.roofs) {
      if (!roof.slope || !roof.main) continue;
      for (std::size_t column = cells_.width() / 3; column < cells_.width(); ++column) {
        const double gflops = roof.rate * intensity_at(column);
        const auto row = row_of(gflops);
        if (!row || gflops > highest_flat()) continue;
        // Right of the line, where it has gone on upwards.
        std::size_t at = column + 2;
        while (at < cells_.width() && cells_.at(at - 1, *row) == slope_mark()) ++at;
        if (!writable(at - 1, *row, roof.label.size() + 2)) continue;
        cells_.write(at - 1, *row, " " + roof.label + " ");
        return;
      }
    }
  }

  void draw_point(const RooflinePlot::Point& point) {
    if (!point.placed()) return;
    const auto column = column_of(*point.intensity), row = row_of(*point.gflops);
    if (!column || !row) return;
    std::size_t at = *column;
    while (at < cells_.width() && placed_.contains({at, *row})) ++at;
    cells_.put(at, *row, std::string(1, point.letter));
    placed_.insert({at, *row});
  }

  [[nodiscard]] std::string axis_label(std::size_t row) const {
    const int first = static_cast<int>(std::lround(std::log10(plot_.from_gflops)));
    const int last = static_cast<int>(std::lround(std::log10(plot_.to_gflops)));
    for (int exponent = first; exponent <= last; ++exponent) {
      if (row_of(std::pow(10.0, exponent)) == row) {
        return fmt::format("{:>5} {}", power_label(exponent), unicode_ ? "┤" : "+");
      }
    }
    return std::string(kAxisWidth - 1, ' ') + (unicode_ ? "│" : "|");
  }

  [[nodiscard]] std::string x_axis() const {
    std::string rule, numbers(kAxisWidth + cells_.width() + 1, ' ');
    const int first = static_cast<int>(std::lround(std::log10(plot_.from_intensity)));
    const int last = static_cast<int>(std::lround(std::log10(plot_.to_intensity)));
    std::vector<bool> ticks(cells_.width());
    for (int exponent = first; exponent <= last; ++exponent) {
      const auto column = column_of(std::pow(10.0, exponent));
      if (!column) continue;
      ticks[*column] = true;
      const std::string label = power_label(exponent);
      const std::size_t at = std::min(kAxisWidth + *column, numbers.size() - label.size());
      numbers.replace(at, label.size(), label);
    }
    for (const bool tick : ticks) rule += unicode_ ? (tick ? "┬" : "─") : (tick ? "+" : "-");
    const std::string unit = "FLOP/byte";
    numbers.erase(numbers.find_last_not_of(' ') + 1);
    return std::string(kAxisWidth - 1, ' ') + (unicode_ ? "└" : "+") + rule + "\n" + numbers +
           "\n" + fmt::format("{:>{}}\n", unit, kAxisWidth + cells_.width());
  }

  [[nodiscard]] std::string dotted_lines() const {
    std::string names;
    for (const auto& roof : plot_.roofs) {
      if (roof.slope && !roof.main) names += (names.empty() ? "" : ", ") + roof.label;
    }
    return names.empty() ? "" : fmt::format("dotted, from the left: {}\n", names);
  }

  [[nodiscard]] std::string off_axis() const {
    std::string idle, unknown;
    for (const auto& point : plot_.points) {
      if (point.placed()) continue;
      const bool zero = point.intensity && *point.intensity == 0;
      (zero ? idle : unknown) += fmt::format(" {}", point.letter);
    }
    std::string out;
    if (!idle.empty())
      out += fmt::format("not on the axes, no floating-point operation:{}\n", idle);
    if (!unknown.empty())
      out += fmt::format("not on the axes, time or counters unknown:{}\n", unknown);
    return out;
  }

  const RooflinePlot& plot_;
  bool unicode_;
  CharacterRaster cells_;
  std::vector<std::size_t> labels_;
  std::set<std::pair<std::size_t, std::size_t>> placed_;  ///< cells of points
};

}  // namespace

std::string roofline_text(const RooflinePlot& plot, const Canvas& canvas) {
  return RooflinePicture(plot, canvas).run();
}

std::string roofline_legend(const RooflinePlot& plot, const Canvas& canvas) {
  constexpr std::size_t kNumbers = 58;
  const std::size_t width = std::max<std::size_t>(canvas.width, 72);
  const std::size_t name = std::min<std::size_t>(width - kNumbers, 60);
  std::string out = fmt::format("  {:<{}}  {:>9}  {:>8}  {:>9}  {:>7}  {:<7}  {:>4}\n", "kernel",
                                name, "FLOP/byte", "FLOP/s", "bytes/s", "roof", "bound", "n");
  const RateUnit flops = unit_of_gflops(plot.points), bytes = unit_of_gbps(plot.points);
  for (const auto& point : plot.points) {
    const std::string intensity = point.intensity ? fmt::format("{:.3g}", *point.intensity) : "-";
    const std::string share =
        point.roof_share ? fmt::format("{:.1f} %", 100 * *point.roof_share) : "-";
    out += fmt::format("{} {}  {:>9}  {:>8}  {:>9}  {:>7}  {:<7}  {:>4}\n", point.letter,
                       fitted(elide_middle(short_kernel(point.name), name), name), intensity,
                       flops.shown(point.gflops, "-"), bytes.shown(point.gbps, "-"), share,
                       to_string(point.bound), point.calls);
    if (!point.levels.empty()) out += fmt::format("    of the bandwidth: {}\n", point.levels);
    if (!point.remark.empty()) out += "  ! " + wrapped(point.remark, 4, width).substr(4);
  }
  if (plot.left_out > 0)
    out += fmt::format("not drawn: {} kernels with less time\n", plot.left_out);
  return out;
}

}  // namespace rpl
