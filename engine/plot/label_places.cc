// SPDX-License-Identifier: MIT
#include "engine/plot/svg_writer.h"

#include <algorithm>
#include <cmath>

namespace rpl {
namespace {

constexpr double kDegree = 3.14159265358979323846 / 180;

/// Whether an edge of `a` has all of `b` on its other side.
bool edge_parts(const PictureBox& a, const PictureBox& b) {
  for (std::size_t i = 0; i < a.corners.size(); ++i) {
    const PicturePoint& from = a.corners[i];
    const PicturePoint& to = a.corners[(i + 1) % a.corners.size()];
    const double nx = from.y - to.y, ny = to.x - from.x;
    const double length = std::sqrt(nx * nx + ny * ny);  // pixels; std::hypot asks for glibc 2.35
    // The short sides of a line: it has no direction there.
    if (length < 1e-9) continue;
    const auto reach = [&](const PictureBox& box) {
      double low = HUGE_VAL, high = -HUGE_VAL;
      for (const PicturePoint& corner : box.corners) {
        const double at = (corner.x * nx + corner.y * ny) / length;
        low = std::min(low, at);
        high = std::max(high, at);
      }
      return std::pair(low, high);
    };
    const auto [low_a, high_a] = reach(a);
    const auto [low_b, high_b] = reach(b);
    constexpr double kTouch = 1e-6;
    if (high_a <= low_b + kTouch || high_b <= low_a + kTouch) return true;
  }
  return false;
}

}  // namespace

PictureBox turned_box(PicturePoint from, double width, double height, double angle) {
  const double along_x = std::cos(angle * kDegree), along_y = std::sin(angle * kDegree);
  const PicturePoint right{from.x + width * along_x, from.y + width * along_y};
  const double up_x = height * along_y, up_y = -height * along_x;
  return {{from, right, PicturePoint{right.x + up_x, right.y + up_y},
           PicturePoint{from.x + up_x, from.y + up_y}}};
}

PictureBox line_box(PicturePoint from, PicturePoint to) { return {{from, to, to, from}}; }

bool overlap(const PictureBox& a, const PictureBox& b) {
  return !edge_parts(a, b) && !edge_parts(b, a);
}

double text_width(std::string_view text) {
  constexpr double kWidest = 7;
  return kWidest * static_cast<double>(text.size());
}

std::size_t LabelPlaces::overlaps(const PictureBox& box) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(taken_, [&](const PictureBox& other) { return overlap(box, other); }));
}

std::size_t LabelPlaces::choose(const std::vector<PictureBox>& places) {
  std::size_t best = 0, fewest = overlaps(places[0]);
  for (std::size_t i = 1; i < places.size() && fewest > 0; ++i) {
    const std::size_t here = overlaps(places[i]);
    if (here >= fewest) continue;
    best = i;
    fewest = here;
  }
  block(places[best]);
  return best;
}

}  // namespace rpl
