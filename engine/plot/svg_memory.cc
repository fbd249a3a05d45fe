// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "engine/base/numbers.h"
#include "engine/plot/svg.h"
#include "engine/plot/svg_writer.h"

namespace rpl {
namespace {

constexpr double kBoxLeft = 40, kBoxWidth = 150, kBoxHeight = 46, kGap = 66, kFirstBox = 70,
                 kFoot = 12;
constexpr double kThinnest = 1.5, kThickest = 28;  ///< of arrows, in pixels, for a share of 0 and 1

std::string amount_text(const std::optional<double>& bytes) {
  if (!bytes) return "not counted";
  if (*bytes < 0) return fmt::format("{:.0f} B (impossible)", *bytes);
  return format_bytes(static_cast<std::uint64_t>(std::llround(std::min(*bytes, 9e18))));
}

std::string hit_text(double share) {
  const bool possible = share >= 0 && share <= 1;
  return possible ? format_share(share) : fmt::format("{:.1f} % (impossible)", 100 * share);
}

class MemorySvg : private SvgWriter {
 public:
  MemorySvg(const MemoryCascade& cascade, const SvgPlotOptions& options)
      : cascade_(cascade),
        options_(options),
        width_(static_cast<double>(std::max<std::int64_t>(options.width, 560))) {}

  XmlText run() {
    const double height = kFirstBox +
                          static_cast<double>(cascade_.stations.size() + 1) * (kBoxHeight + kGap) -
                          kGap + kFoot;
    const std::string name = options_.shorten ? options_.shorten(cascade_.kernel) : cascade_.kernel;
    add("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
        "viewBox=\"0 0 {0:.0f} {1:.0f}\" "
        "font-family=\"sans-serif\" font-size=\"12\">\n<title>{2}</title>\n",
        width_, height, "memory traffic of " + name);
    add("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n");
    add("<text x=\"{:.0f}\" y=\"24\" font-size=\"14\">{}</text>\n", kBoxLeft, name);
    add("<text x=\"{:.0f}\" y=\"44\" fill=\"#555555\">{}</text>\n", kBoxLeft, subtitle());
    box("CUs", units(), std::nullopt);
    lds();
    for (const auto& station : cascade_.stations) {
      link(station.inward);
      std::string text = station.inward.remark;
      if (station.has_hit_rate)
        text = station.hit_rate ? "hit " + hit_text(*station.hit_rate) : "hit rate not counted";
      box(station.name, text, station.hit_rate);
    }
    return take();
  }

 private:
  [[nodiscard]] std::string subtitle() const {
    std::string text = fmt::format("{}, mean of {} dispatches", cascade_.gpu, cascade_.calls);
    if (cascade_.time_ns) text += fmt::format(", {}", format_ns(*cascade_.time_ns));
    if (cascade_.time_source == "instrumented") text += " in the counting run";
    return text;
  }
  [[nodiscard]] std::string units() const {
    std::string text = cascade_.waves ? format_count(static_cast<std::uint64_t>(
                                            std::llround(std::max(*cascade_.waves, 0.0)))) +
                                            " waves"
                                      : "";
    const auto share = [&](const char* name, const std::optional<double>& value) {
      if (value) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, hit_text(*value));
    };
    share("VALU", cascade_.valu_utilization);
    share("MFMA", cascade_.mfma_utilization);
    share("lanes", cascade_.active_lanes);
    share("occupancy", cascade_.occupancy);
    return text;
  }

  /// A box, filled from the left by its hit rate, with a text to its right.
  void box(const std::string& name, const std::string& text, const std::optional<double>& hit) {
    add("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"#f4f4f4\" "
        "stroke=\"#333333\"/>",
        kBoxLeft, y_, kBoxWidth, kBoxHeight);
    if (hit) {
      add("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"#a9c8e3\"/>",
          kBoxLeft + 1, y_ + 1, (kBoxWidth - 2) * std::clamp(*hit, 0.0, 1.0), kBoxHeight - 2);
    }
    add("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\" font-weight=\"bold\">{}</text>",
        kBoxLeft + kBoxWidth / 2, y_ + 28, name);
    add("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", kBoxLeft + kBoxWidth + 16, y_ + 28, text);
    y_ += kBoxHeight;
  }

  static std::string speed(const MemoryCascade::Traffic& traffic) {
    if (!traffic.gbps) return "";
    if (!traffic.peak_gbps) return short_gbps(*traffic.gbps);
    const double share = *traffic.gbps / *traffic.peak_gbps;
    return fmt::format("{}, {} of {}{}", short_gbps(*traffic.gbps), format_share(share),
                       short_gbps(*traffic.peak_gbps), share > 1 ? " (impossible)" : "");
  }

  void link(const MemoryCascade::Traffic& traffic) {
    const double share = traffic.gbps && traffic.peak_gbps
                             ? std::clamp(*traffic.gbps / *traffic.peak_gbps, 0.0, 1.0)
                             : 0;
    const double middle = kBoxLeft + kBoxWidth / 2, end = y_ + kGap;
    add("<path d=\"M{0:.1f} {1:.1f}V{2:.1f}\" stroke=\"#4e79a7\" stroke-width=\"{3:.1f}\"/>",
        middle, y_, end, kThinnest + (kThickest - kThinnest) * share);
    std::string text = amount_text(traffic.bytes);
    if (traffic.read_bytes || traffic.write_bytes) {
      text = fmt::format("read {}, write {}", amount_text(traffic.read_bytes),
                         amount_text(traffic.write_bytes));
    } else if (traffic.bytes && !traffic.remark.empty()) {
      text += " (" + traffic.remark + ")";
    }
    const double left = kBoxLeft + kBoxWidth + 16;
    add("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", left, y_ + 28, text);
    add("<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"#555555\">{}</text>\n", left, y_ + 46,
        speed(traffic));
    y_ = end;
  }

  /// The LDS belongs to the CUs; it stands beside them.
  void lds() {
    std::string text = "LDS " + amount_text(cascade_.lds.bytes);
    if (const std::string rate = speed(cascade_.lds); !rate.empty()) text += ", " + rate;
    if (cascade_.lds_conflict_rate)
      text +=
          fmt::format(", {:.2f} conflict cycles for each useful one", *cascade_.lds_conflict_rate);
    add("<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"#555555\">{}</text>\n", kBoxLeft + kBoxWidth + 16,
        y_, text);
  }

  const MemoryCascade& cascade_;
  const SvgPlotOptions& options_;
  double width_, y_ = kFirstBox;
};

}  // namespace

XmlText svg_memory(const MemoryCascade& cascade, const SvgPlotOptions& options) {
  return MemorySvg(cascade, options).run();
}

}  // namespace rpl
