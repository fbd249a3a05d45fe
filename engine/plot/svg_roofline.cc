// SPDX-License-Identifier: MIT
#include "engine/plot/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "engine/plot/svg_writer.h"

namespace rpl {
namespace {

constexpr double kLeftEdge = 70, kRightEdge = 24, kTopEdge = 40, kAxisHeight = 44, kLine = 20;

std::string exponent_text(int exponent) {
  if (exponent >= 0 && exponent <= 3)
    return fmt::format("{}", static_cast<int>(std::pow(10, exponent)));
  return exponent == -1 ? "0.1" : fmt::format("1e{}", exponent);
}

class RooflineSvg : private SvgWriter {
 public:
  RooflineSvg(const RooflinePlot& plot, const SvgPlotOptions& options)
      : plot_(plot),
        options_(options),
        width_(static_cast<double>(std::max<std::int64_t>(options.width, 400))) {
    right_ = width_ - kRightEdge;
    bottom_ = kTopEdge + std::round((right_ - kLeftEdge) * 0.5);
    height_ =
        bottom_ + kAxisHeight + kLine * static_cast<double>(plot.points.size() + remarks() + 2);
  }

  XmlText run() {
    add("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
        "viewBox=\"0 0 {0:.0f} {1:.0f}\" "
        "font-family=\"sans-serif\" font-size=\"12\">\n<title>{2}</title>\n",
        width_, height_, "roofline: " + plot_.title);
    add("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n");
    add("<text x=\"{:.0f}\" y=\"22\" font-size=\"14\">{}</text>\n", kLeftEdge,
        "Roofline: " + plot_.title);
    grid();
    roofs();
    for (const auto& point : plot_.points) mark(point);
    table();
    return take();
  }

 private:
  [[nodiscard]] std::size_t remarks() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        plot_.points, [](const auto& point) { return !point.remark.empty(); }));
  }
  static double share(double value, double from, double to) {
    return std::clamp((std::log10(value) - std::log10(from)) / (std::log10(to) - std::log10(from)),
                      0.0, 1.0);
  }
  [[nodiscard]] double x(double intensity) const {
    return kLeftEdge +
           (right_ - kLeftEdge) * share(intensity, plot_.from_intensity, plot_.to_intensity);
  }
  [[nodiscard]] double y(double gflops) const {
    return bottom_ - (bottom_ - kTopEdge) * share(gflops, plot_.from_gflops, plot_.to_gflops);
  }

  void grid() {
    const auto each_decade = [](double from, double to, auto draw) {
      const int first = static_cast<int>(std::lround(std::log10(from))),
                last = static_cast<int>(std::lround(std::log10(to)));
      for (int exponent = first; exponent <= last; ++exponent)
        draw(exponent, std::pow(10.0, exponent));
    };
    each_decade(plot_.from_intensity, plot_.to_intensity, [&](int exponent, double value) {
      add("<path d=\"M{0:.1f} {1:.1f}V{2:.1f}\" stroke=\"#e4e4e4\"/>", x(value), kTopEdge, bottom_);
      add("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\" fill=\"#555555\">{}</text>\n",
          x(value), bottom_ + 16, exponent_text(exponent));
    });
    each_decade(plot_.from_gflops, plot_.to_gflops, [&](int exponent, double value) {
      add("<path d=\"M{0:.1f} {1:.1f}H{2:.1f}\" stroke=\"#e4e4e4\"/>", kLeftEdge, y(value), right_);
      add("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\" fill=\"#555555\">{}</text>\n",
          kLeftEdge - 6, y(value) + 4, exponent_text(exponent));
    });
    add("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\" fill=\"#333333\">FLOP/byte</text>\n",
        right_, bottom_ + 34);
    add("<text transform=\"translate(16 {:.1f}) rotate(-90)\" text-anchor=\"middle\" "
        "fill=\"#333333\">GFLOP/s</text>\n",
        (kTopEdge + bottom_) / 2);
  }

  [[nodiscard]] double ceiling() const {
    for (const auto& roof : plot_.roofs) {
      if (!roof.slope && roof.main) return roof.rate;
    }
    return plot_.to_gflops;
  }

  /// The ends of a slope within the axes; nothing when it does not pass there.
  [[nodiscard]] std::optional<std::pair<PicturePoint, PicturePoint>> slope_line(
      const RooflinePlot::Roof& roof) const {
    const double first = std::max(plot_.from_intensity, plot_.from_gflops / roof.rate);
    const double last = std::min(plot_.to_intensity, ceiling() / roof.rate);
    if (first >= last) return std::nullopt;
    return std::pair{PicturePoint{x(first), y(first * roof.rate)},
                     PicturePoint{x(last), y(last * roof.rate)}};
  }

  [[nodiscard]] std::optional<std::pair<PicturePoint, PicturePoint>> flat_line(
      const RooflinePlot::Roof& roof) const {
    double ridge = plot_.from_intensity;
    for (const auto& slope : plot_.roofs) {
      if (slope.slope && slope.main) ridge = std::max(ridge, roof.rate / slope.rate);
    }
    if (ridge >= plot_.to_intensity || roof.rate < plot_.from_gflops) return std::nullopt;
    return std::pair{PicturePoint{x(ridge), y(roof.rate)}, PicturePoint{right_, y(roof.rate)}};
  }

  /// All lines before all names, so that these find room between them.
  void roofs() {
    std::vector<std::pair<const RooflinePlot::Roof*, std::pair<PicturePoint, PicturePoint>>> drawn;
    for (const auto& roof : plot_.roofs) {
      const auto line = roof.slope ? slope_line(roof) : flat_line(roof);
      if (!line) continue;
      const auto& [from, to] = *line;
      add("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" stroke=\"{}\" stroke-width=\"{}\" "
          "fill=\"none\"{}/>\n",
          from.x, from.y, to.x, to.y,
          roof.main    ? OwnText("#333333")
          : roof.slope ? OwnText("#999999")
                       : OwnText("#777777"),
          roof.main ? 2 : 1, when(roof.slope && !roof.main, " stroke-dasharray=\"4 3\""));
      places_.block(line_box(from, to));
      drawn.emplace_back(&roof, *line);
    }
    constexpr double kDot = 9;
    for (const auto& point : plot_.points) {
      if (point.placed())
        places_.block(turned_box({x(*point.intensity) - kDot, y(*point.gflops) + kDot}, 2 * kDot,
                                 2 * kDot, 0));
    }
    // Flat roofs first: their names have less room.
    for (const bool slopes : {false, true}) {
      for (const auto& [roof, line] : drawn) {
        if (roof->slope == slopes) name_roof(*roof, line.first, line.second);
      }
    }
  }

  /// A name stands above its line or, where another one is too close above, below it; a slope's somewhere along it, a flat roof's as far right as it can.
  void name_roof(const RooflinePlot::Roof& roof, PicturePoint from, PicturePoint to) {
    constexpr double kHeight = 13, kAbove = 4, kBelow = 15, kSteps = 20;
    const double across = to.x - from.x, up = to.y - from.y, width = text_width(roof.label);
    const double length =
        std::sqrt(across * across + up * up);  // pixels; std::hypot asks for glibc 2.35
    const double dx = length > 0 ? across / length : 1, dy = length > 0 ? up / length : 0;
    const double angle = std::atan2(dy, dx) * 180 / 3.14159265358979;
    const double room = std::max(length - width - 8, 0.0);
    std::vector<PicturePoint> starts;
    std::vector<PictureBox> boxes;
    for (const double off : {-kAbove, kBelow}) {
      for (int step = 0; step <= kSteps; ++step) {
        // From the middle of a slope outwards, from the right end of a flat roof leftwards.
        const double share =
            roof.slope ? 0.5 + (step % 2 == 0 ? 1 : -1) * 0.5 * step / kSteps : 1 - step / kSteps;
        const double along = 4 + room * share;
        starts.push_back({from.x + dx * along - dy * off, from.y + dy * along + dx * off});
        boxes.push_back(turned_box({starts.back().x - dy * 2, starts.back().y + dx * 2}, width,
                                   kHeight, angle));
      }
    }
    const PicturePoint at = starts[places_.choose(boxes)];
    // Flat roofs' names end on one line, whatever the font.
    // In front of lines that it crosses all the same.
    add("<text transform=\"translate({:.1f} {:.1f}) rotate({:.1f})\"{} fill=\"#333333\" "
        "stroke=\"white\" stroke-width=\"3\" paint-order=\"stroke\">{}</text>\n",
        at.x + (roof.slope ? 0 : width), at.y, angle, when(!roof.slope, " text-anchor=\"end\""),
        roof.label);
  }

  [[nodiscard]] std::string_view color_of(const RooflinePlot::Point& point) const {
    return options_.color ? options_.color(point.name) : kernel_color(point.name);
  }

  void mark(const RooflinePlot::Point& point) {
    if (!point.placed()) return;
    const double px = x(*point.intensity), py = y(*point.gflops);
    const std::string link = options_.link ? options_.link(point.name) : "";
    if (!link.empty()) add("<a href=\"{}\">", link);
    add("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"9\" fill=\"{}\" "
        "stroke=\"white\"><title>{}</title></circle>",
        px, py, color_of(point), point.name);
    add("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\" fill=\"{}\" "
        "font-weight=\"bold\">{}</text>{}\n",
        px, py + 4, ink_on(color_of(point)), std::string_view(&point.letter, 1),
        when(!link.empty(), "</a>"));
  }

  void table() {
    double row = bottom_ + kAxisHeight + 14;
    const double columns[] = {kLeftEdge,    right_ - 400, right_ - 310, right_ - 215,
                              right_ - 135, right_ - 60,  right_};
    const auto line = [&](const std::vector<std::string>& cells, OwnText extra) {
      for (std::size_t i = 0; i < cells.size(); ++i) {
        add("<text x=\"{:.1f}\" y=\"{:.1f}\"{}{}>{}</text>", columns[i], row,
            when(i != 0, " text-anchor=\"end\""), extra, cells[i]);
      }
      add("\n");
      row += kLine;
    };
    const RateUnit flops = unit_of_gflops(plot_.points), bytes = unit_of_gbps(plot_.points);
    line({"kernel", "FLOP/byte", "FLOP/s", "bytes/s", "roof", "bound", "calls"},
         " fill=\"#555555\"");
    for (const auto& point : plot_.points) {
      add("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"8\" fill=\"{}\"/>", kLeftEdge - 16, row - 4,
          color_of(point));
      add("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\" fill=\"{}\" "
          "font-weight=\"bold\">{}</text>",
          kLeftEdge - 16, row, ink_on(color_of(point)), std::string_view(&point.letter, 1));
      line({options_.shorten ? options_.shorten(point.name) : point.name,
            point.intensity ? fmt::format("{:.3g}", *point.intensity) : "–",
            flops.shown(point.gflops, "–"), bytes.shown(point.gbps, "–"),
            point.roof_share ? fmt::format("{:.1f} %", 100 * *point.roof_share) : "–",
            std::string(to_string(point.bound)), fmt::format("{}", point.calls)},
           "");
      if (!point.remark.empty()) line({point.remark}, " fill=\"#b30000\"");
    }
    if (plot_.left_out > 0)
      line({fmt::format("not drawn: {} kernels with less time", plot_.left_out)},
           " fill=\"#555555\"");
  }

  const RooflinePlot& plot_;
  const SvgPlotOptions& options_;
  double width_, right_ = 0, bottom_ = 0, height_ = 0;
  LabelPlaces places_;
};

}  // namespace

XmlText svg_roofline(const RooflinePlot& plot, const SvgPlotOptions& options) {
  return RooflineSvg(plot, options).run();
}

}  // namespace rpl
