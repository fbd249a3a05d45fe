// SPDX-License-Identifier: MIT
#include "engine/plot/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "engine/plot/paint.h"

namespace rpl::att {
namespace {

constexpr int kHead = 30, kLine = 18;
constexpr std::string_view kBusy = "#f3c08a", kStalled = "#8c2d04";
constexpr std::array<std::string_view, kWaveStates> kStateColors{"#ffffff", "#c9cdd2", "#4477aa",
                                                                 "#ddaa33", "#661100"};

/// What is not a number is drawn as nothing.
double bounded(double pct) { return std::isfinite(pct) ? std::clamp(pct, 0.0, 100.0) : 0; }

XmlText head(const std::string& title, int width, int height) {
  return encoded<XmlText>(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
      "{1}\" font-family=\"monospace\" "
      "font-size=\"12\" shape-rendering=\"crispEdges\">\n<title>{2}</title>\n<rect width=\"{0}\" "
      "height=\"{1}\" fill=\"white\"/>\n"
      "<text x=\"8\" y=\"18\" font-size=\"14\">{2}</text>\n",
      width, height, title);
}

/// At most `most` characters; bytes that are no text are xml_text's business.
std::string shortened(const std::string& text, std::size_t most) {
  return text.size() <= most ? text : text.substr(0, most) + "..";
}

constexpr int kSide = 8;

/// What stands below a strip: its length, at the right end.
void cycles_text(std::int64_t cycles, int y, int width, XmlText& out) {
  out.add("<text x=\"{}\" y=\"{}\" text-anchor=\"end\" fill=\"#555555\">{} cycles</text>\n",
          width - kSide, y, cycles);
}

void draw_states(const StateStrip& strip, int width, XmlText& out) {
  constexpr int kHeight = 80;
  const double cell =
      static_cast<double>(width - 2 * kSide) / static_cast<double>(strip.bins.size());
  for (std::size_t i = 0; i < strip.bins.size(); ++i) {
    double whole = 0;
    for (const double cycles : strip.bins[i]) whole += cycles;
    double y = kHead;
    // From the top: what the waves lost, then what they did.
    for (const std::size_t state : {kStallState, kWaitState, kIdleState, kExecState}) {
      const double part = whole > 0 ? kHeight * strip.bins[i][state] / whole : 0;
      if (part > 0.05) {
        out.add(
            "<rect x=\"{:.2f}\" y=\"{:.1f}\" width=\"{:.2f}\" height=\"{:.1f}\" fill=\"{}\"/>\n",
            kSide + cell * static_cast<double>(i), y, cell, part, kStateColors[state]);
      }
      y += part;
    }
  }
  int x = kSide;
  for (const std::size_t state : {kExecState, kIdleState, kWaitState, kStallState}) {
    out.add(
        "<rect x=\"{}\" y=\"{}\" width=\"10\" height=\"10\" fill=\"{}\"/><text x=\"{}\" "
        "y=\"{}\">{}</text>\n",
        x, kHead + kHeight + 12, kStateColors[state], x + 15, kHead + kHeight + 21,
        wave_state_name(state));
    x += 80;
  }
  cycles_text(strip.last - strip.first, kHead + kHeight + 21, width, out);
}

void draw_waves(const OccupancyStrip& waves, int top, int width, XmlText& out) {
  constexpr int kHeight = 60;
  const double cell =
      static_cast<double>(width - 2 * kSide) / static_cast<double>(waves.waves.size());
  const double most = *std::ranges::max_element(waves.waves);
  const int bottom = top + kHeight;
  std::string path = fmt::format("M{} {}", kSide, bottom);
  for (std::size_t i = 0; i < waves.waves.size(); ++i) {
    const double y =
        bottom - (most > 0 ? kHeight * std::clamp(waves.waves[i] / most, 0.0, 1.0) : 0);
    path += fmt::format("V{:.1f}h{:.3f}", y, cell);
  }
  out.add(
      "<path d=\"{}V{}Z\" fill=\"#4e79a7\"/>\n<text x=\"{}\" y=\"{}\">waves in flight, "
      "up to {:.0f}</text>\n",
      path, bottom, kSide, bottom + 21, most);
  cycles_text(waves.last - waves.first, bottom + 21, width, out);
}

}  // namespace

XmlText stall_heat_svg(const std::string& title, const std::vector<HeatRow>& rows, int width) {
  constexpr int kPlace = 170, kBar = 170;
  const int height = kHead + static_cast<int>(rows.size()) * kLine + 30;
  XmlText out = head(title, width, height);
  double most = 0;
  for (const HeatRow& row : rows) most = std::max(most, bounded(row.share_pct));
  int y = kHead;
  for (const HeatRow& row : rows) {
    const double length = most > 0 ? kBar * bounded(row.share_pct) / most : 0;
    const double stalled = length * bounded(row.stalled_pct) / 100;
    out.add(
        "<g><title>{}: {:.2f} % of the cycles, {:.1f} % of them stalled</title>"
        "<text x=\"8\" y=\"{}\" fill=\"#555555\">{}</text>"
        "<rect x=\"{}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\" fill=\"{}\"/>"
        "<rect x=\"{}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\" fill=\"{}\"/>"
        "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{:.1f} %</text>"
        "<text x=\"{}\" y=\"{}\" xml:space=\"preserve\">{}</text></g>\n",
        row.place, row.share_pct, row.stalled_pct, y + 13, shortened(row.place, 22), kPlace, y + 3,
        length, kLine - 5, kBusy, kPlace, y + 3, stalled, kLine - 5, kStalled, kPlace + kBar + 62,
        y + 13, row.share_pct, kPlace + kBar + 74, y + 13, shortened(row.text, 90));
    y += kLine;
  }
  out.add(
      "<text x=\"8\" y=\"{}\" fill=\"#555555\">bar: share of all cycles; dark: of "
      "these, stalled</text>\n</svg>\n",
      y + 18);
  return out;
}

XmlText state_strip_svg(const std::string& title, const StateStrip& strip,
                        const OccupancyStrip& waves, int width) {
  constexpr int kStates = 80 + 50, kWaves = 60 + 40;
  const int states = strip.bins.empty() ? 0 : kStates, below = waves.waves.empty() ? 0 : kWaves;
  XmlText out = head(title, width, kHead + states + below);
  if (states > 0) draw_states(strip, width, out);
  if (below > 0) draw_waves(waves, kHead + states, width, out);
  return out + "</svg>\n";
}

XmlText cycle_bars_svg(const std::string& title,
                       const std::vector<std::pair<std::string, double>>& pct_by_cause, int width) {
  constexpr int kName = 150, kNumber = 70;
  const int height = kHead + static_cast<int>(pct_by_cause.size()) * kLine + 12;
  XmlText out = head(title, width, height);
  int y = kHead;
  for (const auto& [name, pct] : pct_by_cause) {
    out.add(
        "<text x=\"8\" y=\"{}\">{}</text><text x=\"{}\" y=\"{}\" "
        "text-anchor=\"end\">{:.2f} %</text>"
        "<rect x=\"{}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\" fill=\"{}\"/>\n",
        y + 13, name, kName + kNumber, y + 13, pct, kName + kNumber + 12, y + 3,
        (width - kName - kNumber - 24) * bounded(pct) / 100, kLine - 5,
        name.starts_with("issue")                               ? std::string_view("#4477aa")
        : name.starts_with("stall") || name.starts_with("wait") ? kStalled
                                                                : kBusy);
    y += kLine;
  }
  return out + "</svg>\n";
}

}  // namespace rpl::att
