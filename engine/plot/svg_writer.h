// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/encode.h"

namespace rpl {

/// The text of a picture while it is being drawn.
class SvgWriter {
 protected:
  template <class... Args>
  void add(XmlText::Pattern<Args...> pattern, const Args&... args) {
    out_.add(pattern, args...);
  }
  /// Closes the picture and gives it away.
  XmlText take() {
    out_ += "</svg>\n";
    return std::move(out_);
  }

 private:
  XmlText out_;
};

}  // namespace rpl

/// Where names may stand in a picture without writing over lines, marks and each other. All in pixels, y downwards.
namespace rpl {

struct PicturePoint {
  double x = 0, y = 0;
};

/// A rectangle at any angle; a line is one of no height.
struct PictureBox {
  std::array<PicturePoint, 4> corners;  ///< in order around it
};

/// A rectangle whose lower left corner is at `from`, turned around it by `angle` degrees (clockwise, as in SVG).
PictureBox turned_box(PicturePoint from, double width, double height, double angle);
PictureBox line_box(PicturePoint from, PicturePoint to);
/// Whether two of them share more than an edge (separating axes).
bool overlap(const PictureBox& a, const PictureBox& b);

/// Width of a text in a sans-serif font of 12 pixels, rather too much than too little.
double text_width(std::string_view text);

/// Keeps what was drawn and chooses among places for what is still to be written.
class LabelPlaces {
 public:
  void block(const PictureBox& box) { taken_.push_back(box); }
  /// The first of `places` that overlaps nothing, else the one that overlaps least things; it is taken from now on. `places` must not be empty.
  std::size_t choose(const std::vector<PictureBox>& places);

 private:
  [[nodiscard]] std::size_t overlaps(const PictureBox& box) const;
  std::vector<PictureBox> taken_;
};

}  // namespace rpl
