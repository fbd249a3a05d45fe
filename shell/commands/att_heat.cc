// SPDX-License-Identifier: MIT
// Stall heat beside source and instructions.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "shell/commands/att_view.h"

namespace rpl {
namespace {

std::size_t heat_bar_width(const Canvas& canvas) {
  constexpr std::size_t kNarrow = 10, kWide = 30;
  return std::clamp(canvas.width / 8, kNarrow, kWide);
}

}  // namespace

std::size_t heat_width(const Canvas& canvas) { return 20 + heat_bar_width(canvas); }

std::string heat_header(bool samples, const Canvas& canvas) {
  return fmt::format("{:>8} {:>8}  {:<{}} ", samples ? "samples" : "cycles", "stalled", "", heat_bar_width(canvas));
}

std::string heat_cells(double share_pct, double stalled_pct, double most_pct, const Canvas& canvas) {
  const std::size_t width = heat_bar_width(canvas);
  const double share = most_pct > 0 ? std::clamp(share_pct / most_pct, 0.0, 1.0) : 0;
  auto filled = static_cast<std::size_t>(std::lround(share * static_cast<double>(width)));
  if (share_pct > 0 && filled == 0) filled = 1;
  const auto dark = static_cast<std::size_t>(std::lround(static_cast<double>(filled) * std::clamp(stalled_pct, 0.0, 100.0) / 100));
  std::string bar;
  for (std::size_t i = 0; i < width; ++i) {
    const bool stalled = i < dark;
    bar += i >= filled ? " " : canvas.unicode ? (stalled ? "█" : "░") : (stalled ? "#" : "-");
  }
  if (share_pct == 0) return fmt::format("{:>8} {:>8}  {} ", "", "", bar);
  return fmt::format("{:>6.2f} % {:>6.1f} %  {} ", share_pct, stalled_pct, bar);
}

const std::string& SourceLines::text(const att::Place& place) {
  static const std::string kNothing;
  const auto [file, is_new] = files_.try_emplace(place.file);
  if (is_new && !place.file.empty()) {
    const auto whole = trace_.source_text(place.file);
    const std::string_view all = whole ? std::string_view(*whole) : std::string_view();
    for (std::size_t at = 0; at < all.size();) {
      const std::size_t end = std::min(all.find('\n', at), all.size());
      const std::size_t first = std::min(all.find_first_not_of(" \t", at), end);
      file->second.emplace_back(all.substr(first, end - first));
      at = end + 1;
    }
  }
  const auto index = static_cast<std::uint64_t>(place.line - 1);
  return place.line > 0 && index < file->second.size() ? file->second[static_cast<std::size_t>(index)] : kNothing;
}

}  // namespace rpl
