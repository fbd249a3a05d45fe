// SPDX-License-Identifier: MIT
#include "engine/plot/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/base/numbers.h"
#include "engine/base/text.h"
#include "engine/plot/svg_writer.h"

namespace rpl {
namespace {

constexpr int kConvergenceLeft = 90, kConvergenceTop = 50, kConvergenceBottom = 40,
              kConvergenceRight = 20, kConvergenceHeight = 360;
constexpr std::string_view kConvergenceStrokes[] = {"#c0392b", "#4c78a8", "#86bcb6", "#888888"};

class ConvergenceSvg : private SvgWriter {
 public:
  ConvergenceSvg(const std::string& title, const std::vector<ConvergenceLine>& lines, int width)
      : width_(std::max(width, 320)) {
    for (const ConvergenceLine& line : lines) {
      evaluations_ = std::max(evaluations_, line.best_ns.size());
      for (const double value : line.best_ns) {
        if (value <= 0) continue;
        low_ = low_ == 0 ? value : std::min(low_, value);
        high_ = std::max(high_, value);
      }
    }
    add("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
        "{1}\" font-family=\"sans-serif\" font-size=\"12\">\n"
        "<title>{2}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<text "
        "x=\"{3}\" y=\"24\" font-size=\"14\">{2}</text>\n",
        width_, kConvergenceHeight, title, kConvergenceLeft);
  }

  XmlText picture(const std::vector<ConvergenceLine>& lines) {
    axes();
    for (std::size_t i = 0; i < lines.size(); ++i)
      line(lines[i], kConvergenceStrokes[i % std::size(kConvergenceStrokes)], static_cast<int>(i));
    return take();
  }

 private:
  [[nodiscard]] double x(std::size_t evaluation) const {
    const double share =
        evaluations_ < 2 ? 0
                         : static_cast<double>(evaluation) / static_cast<double>(evaluations_ - 1);
    return kConvergenceLeft + share * (width_ - kConvergenceLeft - kConvergenceRight);
  }
  [[nodiscard]] double y(double value) const {
    const double share =
        high_ > low_ ? (std::log(high_) - std::log(value)) / (std::log(high_) - std::log(low_)) : 1;
    return kConvergenceTop + share * (kConvergenceHeight - kConvergenceTop - kConvergenceBottom);
  }
  void axes() {
    constexpr int kMarks = 5;
    for (int i = 0; i < kMarks && low_ > 0; ++i) {
      const double value =
          std::exp(std::log(low_) + (std::log(high_) - std::log(low_)) * i / (kMarks - 1));
      add("<path d=\"M{} {:.1f}H{}\" stroke=\"#dddddd\"/><text x=\"{}\" y=\"{:.1f}\" "
          "text-anchor=\"end\" fill=\"#333333\">{}</text>\n",
          kConvergenceLeft, y(value), width_ - kConvergenceRight, kConvergenceLeft - 6,
          y(value) + 4, format_ns(value));
      if (high_ <= low_) break;
    }
    add("<text x=\"{}\" y=\"{}\" fill=\"#333333\">1</text><text x=\"{}\" y=\"{}\" "
        "text-anchor=\"end\" fill=\"#333333\">{} evaluations</text>\n",
        kConvergenceLeft, kConvergenceHeight - 18, width_ - kConvergenceRight,
        kConvergenceHeight - 18, evaluations_);
  }
  void line(const ConvergenceLine& one, std::string_view stroke, int number) {
    add("<path fill=\"none\" stroke=\"{}\" stroke-width=\"2\" d=\"", stroke);
    bool begun = false;
    for (std::size_t i = 0; i < one.best_ns.size(); ++i) {
      if (one.best_ns[i] <= 0) continue;
      if (begun) add("H{:.1f}V{:.1f}", x(i), y(one.best_ns[i]));
      if (!begun) add("M{:.1f} {:.1f}", x(i), y(one.best_ns[i]));
      begun = true;
    }
    constexpr int kEntry = 220;
    add("\"/>\n<text x=\"{}\" y=\"42\" fill=\"{}\">{}</text>\n", kConvergenceLeft + number * kEntry,
        stroke, one.name);
  }

  int width_;
  std::size_t evaluations_ = 0;
  double low_ = 0, high_ = 0;
};

}  // namespace

XmlText svg_convergence(const std::string& title, const std::vector<ConvergenceLine>& lines,
                        int width) {
  ConvergenceSvg svg(title, lines, width);
  return svg.picture(lines);
}

}  // namespace rpl
