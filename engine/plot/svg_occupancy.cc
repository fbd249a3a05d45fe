// SPDX-License-Identifier: MIT
#include "engine/plot/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "engine/base/text.h"
#include "engine/plot/svg_writer.h"

namespace rpl {
namespace {

constexpr int kMargin = 16, kRowHeight = 20, kFirstRow = 84;
constexpr std::string_view kFree = "#86bcb6", kLimits = "#c0392b", kEmpty = "#eeeeee";

class OccupancySvg : private SvgWriter {
 public:
  OccupancySvg(const std::string& title, const std::string& subtitle, std::size_t rows, int width)
      : width_(std::max(width, 480)) {
    const int height = kFirstRow + static_cast<int>(rows) * kRowHeight + kMargin;
    add("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} "
        "{1}\" font-family=\"sans-serif\" "
        "font-size=\"12\">\n<title>{2}</title>\n<rect width=\"100%\" height=\"100%\" "
        "fill=\"white\"/>\n",
        width_, height, title);
    add("<text x=\"{}\" y=\"24\" font-size=\"14\">{}</text>\n", kMargin, title);
    add("<text x=\"{}\" y=\"44\" fill=\"#555555\">{}</text>\n", kMargin, subtitle);
  }

  [[nodiscard]] int width() const { return width_; }
  /// A text of the row; ends at x when `right`.
  void cell(int x, std::string_view text, bool right = false, std::string_view color = "#333333",
            bool strong = false) {
    add("<text x=\"{}\" y=\"{}\"{}{} fill=\"{}\">{}</text>", x, row_ + 14,
        when(right, " text-anchor=\"end\""), when(strong, " font-weight=\"bold\""), color, text);
  }
  void head(int x, std::string_view text, bool right = false) { cell(x, text, right, "#555555"); }
  /// A bar from x, of which `share` (clamped) is filled.
  void bar(int x, int length, double share, std::string_view color) {
    const double filled = std::isfinite(share) ? std::clamp(share, 0.0, 1.0) : 0;
    add("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>", x, row_ + 4, length,
        kRowHeight - 7, kEmpty);
    add("<rect x=\"{}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\" fill=\"{}\"/>", x, row_ + 4,
        filled * length, kRowHeight - 7, color);
  }
  void mark(int x, int length, double share) {
    const double at = x + length * std::clamp(share, 0.0, 1.0);
    add("<path d=\"M{0:.1f} {1}v{2}\" stroke=\"#333333\" stroke-width=\"2\"/>", at, row_ + 1,
        kRowHeight - 1);
  }
  void next_row() {
    add("\n");
    row_ += kRowHeight;
  }
  using SvgWriter::take;

 private:
  int width_;
  int row_ = kFirstRow - kRowHeight;
};

std::string known_count(std::uint32_t value) { return value == 0 ? "–" : std::to_string(value); }

/// As many characters as fit into `pixels` of this font; a cut is marked.
std::string fitting(const std::string& text, int pixels) {
  constexpr int kCharacter = 7;
  const auto most = static_cast<std::size_t>(std::max(pixels / kCharacter, 4));
  return text.size() <= most ? text : text.substr(0, most - 2) + "..";
}

}  // namespace

XmlText svg_occupancy(const OccupancyPicture& picture, int width) {
  const arch::Occupancy& found = picture.occupancy;
  OccupancySvg svg(picture.title, picture.subtitle,
                   found.limits.size() + picture.remarks.size() + 2, width);
  std::uint32_t most = 1;
  for (const arch::Limit& limit : found.limits) {
    if (limit.workgroups != arch::kUnlimited) most = std::max(most, limit.workgroups);
  }
  constexpr int kColumns[] = {180, 260, 340, 440};
  const int from = kColumns[3] + 20, length = std::max(svg.width() - from - kMargin - 60, 40);
  svg.head(kMargin, "resource");
  constexpr std::string_view kNames[] = {"asked", "allocated", "available", "workgroups"};
  for (int i = 0; i < 4; ++i) svg.head(kColumns[i], kNames[i], true);
  svg.next_row();
  for (const arch::Limit& limit : found.limits) {
    const bool any = limit.workgroups == arch::kUnlimited,
               limits = limit.workgroups == found.workgroups;
    svg.cell(kMargin, to_string(limit.what), false, "#333333", limits);
    const std::string cells[] = {known_count(limit.asked), known_count(limit.allocated),
                                 known_count(limit.available),
                                 any ? "any" : std::to_string(limit.workgroups)};
    for (int i = 0; i < 4; ++i) svg.cell(kColumns[i], cells[i], true);
    if (!any)
      svg.bar(from, length, static_cast<double>(limit.workgroups) / most, limits ? kLimits : kFree);
    if (limits) svg.cell(from + length + 8, "limits", false, kLimits);
    svg.next_row();
  }
  svg.next_row();
  for (const std::string& remark : picture.remarks) {
    svg.cell(kMargin, remark);
    svg.next_row();
  }
  return svg.take();
}

XmlText svg_occupancy_of_kernels(const std::string& title, const std::vector<OccupancyBar>& kernels,
                                 int width) {
  OccupancySvg svg(title,
                   "waves on a compute unit, of its wave slots; a mark: the kernel's grid fills no "
                   "more of the device",
                   kernels.size() + 1, width);
  const int name = svg.width() * 3 / 10, from = kMargin + name + 10, length = svg.width() / 4,
            number = from + length + 60, limiter = number + 16, change = limiter + 100;
  svg.head(kMargin, "kernel");
  svg.head(number, "waves", true);
  svg.head(limiter, "limiter");
  svg.head(change, "change");
  svg.next_row();
  for (const OccupancyBar& kernel : kernels) {
    svg.cell(kMargin, fitting(kernel.name, name));
    if (kernel.slots > 0) {
      svg.bar(from, length, kernel.waves / kernel.slots,
              kernel.waves < kernel.slots ? kLimits : kFree);
      if (kernel.grid_cap && *kernel.grid_cap < kernel.waves / kernel.slots)
        svg.mark(from, length, *kernel.grid_cap);
      svg.cell(number, fmt::format("{:g} of {:g}", kernel.waves, kernel.slots), true);
      svg.cell(limiter, kernel.limiter);
      svg.cell(change, fitting(kernel.change, svg.width() - change - kMargin));
    } else {
      svg.cell(from, "unknown", false, "#555555");
    }
    svg.next_row();
  }
  return svg.take();
}

}  // namespace rpl
