// SPDX-License-Identifier: MIT
#include "engine/export/svg_roofline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace rpl {
namespace {

constexpr double kLeftEdge = 70, kRightEdge = 24, kTopEdge = 40, kAxisHeight = 44, kLine = 20;

std::string exponent_text(int exponent) {
  if (exponent >= 0 && exponent <= 3)
    return fmt::format("{}", static_cast<int>(std::pow(10, exponent)));
  return exponent == -1 ? "0.1" : fmt::format("1e{}", exponent);
}

class RooflineSvg {
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

  std::string run() {
    add("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
        "viewBox=\"0 0 {0:.0f} {1:.0f}\" "
        "font-family=\"sans-serif\" font-size=\"12\">\n<title>{2}</title>\n",
        width_, height_, xml_text("roofline: " + plot_.title));
    add("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n");
    add("<text x=\"{:.0f}\" y=\"22\" font-size=\"14\">{}</text>\n", kLeftEdge,
        xml_text("Roofline: " + plot_.title));
    grid();
    for (const auto& roof : plot_.roofs) roof.slope ? slope(roof) : flat(roof);
    for (const auto& point : plot_.points) mark(point);
    table();
    out_ += "</svg>\n";
    return std::move(out_);
  }

 private:
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }
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

  /// Both ends are within the axes.
  void slope(const RooflinePlot::Roof& roof) {
    const double first = std::max(plot_.from_intensity, plot_.from_gflops / roof.rate);
    const double last = std::min(plot_.to_intensity, ceiling() / roof.rate);
    if (first >= last) return;
    const double x1 = x(first), y1 = y(first * roof.rate), x2 = x(last), y2 = y(last * roof.rate);
    add("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" stroke=\"{}\" stroke-width=\"{}\" "
        "fill=\"none\"{}/>",
        x1, y1, x2, y2, roof.main ? "#333333" : "#999999", roof.main ? 2 : 1,
        roof.main ? "" : " stroke-dasharray=\"4 3\"");
    const double angle = std::atan2(y2 - y1, x2 - x1) * 180 / 3.14159265358979;
    // Names of close lines stand one behind the other.
    const double at = roof.main ? 0.45 : 0.1 + 0.2 * static_cast<double>(dotted_++ % 4);
    add("<text transform=\"translate({:.1f} {:.1f}) rotate({:.1f})\" fill=\"#333333\">{}</text>\n",
        x1 + (x2 - x1) * at, y1 + (y2 - y1) * at - 6, angle, xml_text(roof.label));
  }

  void flat(const RooflinePlot::Roof& roof) {
    double ridge = plot_.from_intensity;
    for (const auto& slope : plot_.roofs) {
      if (slope.slope && slope.main) ridge = std::max(ridge, roof.rate / slope.rate);
    }
    if (ridge >= plot_.to_intensity || roof.rate < plot_.from_gflops) return;
    add("<path d=\"M{:.1f} {:.1f}H{:.1f}\" stroke=\"{}\" stroke-width=\"{}\"/>", x(ridge),
        y(roof.rate), right_, roof.main ? "#333333" : "#777777", roof.main ? 2 : 1);
    // Close roofs would write over each other: a name moves left until it is free.
    double end = right_ - 4;
    for (const auto& [row, left] : names_) {
      if (std::abs(row - y(roof.rate)) < 13) end = std::min(end, left - 10);
    }
    add("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\" fill=\"#333333\">{}</text>\n", end,
        y(roof.rate) - 5, xml_text(roof.label));
    names_.emplace_back(y(roof.rate), end - 6.5 * static_cast<double>(roof.label.size()));
  }

  void mark(const RooflinePlot::Point& point) {
    if (!point.placed()) return;
    const double px = x(*point.intensity), py = y(*point.gflops);
    add("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"9\" fill=\"{}\" "
        "stroke=\"white\"><title>{}</title></circle>",
        px, py, kernel_color(point.name), xml_text(point.name));
    add("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\" fill=\"white\" "
        "font-weight=\"bold\">{}</text>\n",
        px, py + 4, point.letter);
  }

  void table() {
    double row = bottom_ + kAxisHeight + 14;
    const double columns[] = {kLeftEdge,    right_ - 400, right_ - 310, right_ - 215,
                              right_ - 135, right_ - 60,  right_};
    const auto line = [&](const std::vector<std::string>& cells, const char* extra) {
      for (std::size_t i = 0; i < cells.size(); ++i) {
        add("<text x=\"{:.1f}\" y=\"{:.1f}\"{}{}>{}</text>", columns[i], row,
            i == 0 ? "" : " text-anchor=\"end\"", extra, xml_text(cells[i]));
      }
      out_ += "\n";
      row += kLine;
    };
    line({"kernel", "FLOP/byte", "FLOP/s", "bytes/s", "roof", "bound", "calls"},
         " fill=\"#555555\"");
    for (const auto& point : plot_.points) {
      add("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"8\" fill=\"{}\"/>", kLeftEdge - 16, row - 4,
          kernel_color(point.name));
      add("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\" fill=\"white\" "
          "font-weight=\"bold\">{}</text>",
          kLeftEdge - 16, row, point.letter);
      line({options_.shorten ? options_.shorten(point.name) : point.name,
            point.intensity ? fmt::format("{:.3g}", *point.intensity) : "–",
            point.gflops ? short_gflops(*point.gflops) : "–",
            point.gbps ? short_gbps(*point.gbps) : "–",
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
  std::string out_;
  std::size_t dotted_ = 0;                        ///< slopes of other levels drawn so far
  std::vector<std::pair<double, double>> names_;  ///< of flat roofs: height and left end
};

}  // namespace

std::string svg_roofline(const RooflinePlot& plot, const SvgPlotOptions& options) {
  return RooflineSvg(plot, options).run();
}

}  // namespace rpl
