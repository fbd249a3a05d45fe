// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>

#include "engine/att/analyse/diff.h"

namespace rpl::att {
namespace {

using Rows = std::vector<const Instruction*>;
using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// Cells of the exact method: one byte each.
constexpr std::size_t kMostCells = std::size_t{24} << 20;

int similarity(const Instruction& a, const Instruction& b) {
  if (a.text == b.text) return a.source == b.source ? 6 : 5;
  if (mnemonic_of(a.text) != mnemonic_of(b.text)) return 0;
  return a.source == b.source ? 3 : 2;
}

struct Segment {
  std::uint32_t a0 = 0, a1 = 0, b0 = 0, b1 = 0;
};

class Alignment {
 public:
  Alignment(const Rows& a, const Rows& b) : a_(a), b_(b) {}

  Pairs run() {
    segment({0, static_cast<std::uint32_t>(a_.size()), 0, static_cast<std::uint32_t>(b_.size())},
            0);
    std::ranges::sort(pairs_);
    return std::move(pairs_);
  }

 private:
  void segment(Segment at, int depth) {
    while (at.a0 < at.a1 && at.b0 < at.b1 && a_[at.a0]->text == b_[at.b0]->text) {
      pairs_.emplace_back(at.a0++, at.b0++);
    }
    while (at.a0 < at.a1 && at.b0 < at.b1 && a_[at.a1 - 1]->text == b_[at.b1 - 1]->text) {
      pairs_.emplace_back(--at.a1, --at.b1);
    }
    const std::size_t cells = std::size_t{at.a1 - at.a0} * (at.b1 - at.b0);
    if (cells == 0) return;
    if (cells <= kMostCells) return exact(at);
    constexpr int kDeepest = 40;
    if (depth < kDeepest) between_anchors(at, depth);
  }

  /// Dynamic programming: the best sum of similarities of the ends of both, right to left.
  void exact(const Segment& at) {
    const std::size_t n = at.a1 - at.a0, m = at.b1 - at.b0;
    std::vector<std::int32_t> below(m + 1), row(m + 1);
    std::vector<std::uint8_t> step(n * m);
    for (std::size_t i = n; i-- > 0;) {
      row[m] = 0;
      for (std::size_t j = m; j-- > 0;) {
        const int same = similarity(*a_[at.a0 + i], *b_[at.b0 + j]);
        std::int32_t best = below[j];
        std::uint8_t how = 1;  // leave out a's
        if (row[j + 1] > best) {
          best = row[j + 1];
          how = 2;  // leave out b's
        }
        if (same > 0 && below[j + 1] + same >= best) {
          best = below[j + 1] + same;
          how = 3;
        }
        row[j] = best;
        step[i * m + j] = how;
      }
      std::swap(row, below);
    }
    for (std::size_t i = 0, j = 0; i < n && j < m;) {
      const std::uint8_t how = step[i * m + j];
      if (how == 3)
        pairs_.emplace_back(at.a0 + static_cast<std::uint32_t>(i),
                            at.b0 + static_cast<std::uint32_t>(j));
      i += how != 2 ? 1 : 0;
      j += how != 1 ? 1 : 0;
    }
  }

  /// Instructions that stand once on either side, in the longest order that both share, cut the rest into pieces.
  void between_anchors(const Segment& at, int depth) {
    std::map<std::string_view, std::pair<int, std::uint32_t>> in_a, in_b;
    for (std::uint32_t i = at.a0; i < at.a1; ++i)
      in_a[a_[i]->text] = {in_a[a_[i]->text].first + 1, i};
    for (std::uint32_t j = at.b0; j < at.b1; ++j)
      in_b[b_[j]->text] = {in_b[b_[j]->text].first + 1, j};
    Pairs unique;
    for (const auto& [text, place] : in_a) {
      const auto other = in_b.find(text);
      if (place.first == 1 && other != in_b.end() && other->second.first == 1)
        unique.emplace_back(place.second, other->second.second);
    }
    std::ranges::sort(unique);
    const Pairs anchors = longest_rising(unique);
    if (anchors.empty()) return;  // nothing in common that is certain: one side was written again
    Segment piece = at;
    for (const auto& [i, j] : anchors) {
      segment({piece.a0, i, piece.b0, j}, depth + 1);
      pairs_.emplace_back(i, j);
      piece.a0 = i + 1;
      piece.b0 = j + 1;
    }
    segment(piece, depth + 1);
  }

  /// Patience sorting by the second number.
  static Pairs longest_rising(const Pairs& pairs) {
    std::vector<std::size_t> tops, before(pairs.size(), SIZE_MAX);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const auto pile = std::ranges::lower_bound(
          tops, pairs[i].second, {}, [&](std::size_t top) { return pairs[top].second; });
      if (pile != tops.begin()) before[i] = *(pile - 1);
      if (pile == tops.end()) {
        tops.push_back(i);
      } else {
        *pile = i;
      }
    }
    Pairs out;
    for (std::size_t i = tops.empty() ? SIZE_MAX : tops.back(); i != SIZE_MAX; i = before[i])
      out.push_back(pairs[i]);
    std::ranges::reverse(out);
    return out;
  }

  const Rows& a_;
  const Rows& b_;
  Pairs pairs_;
};

}  // namespace

Pairs align_listings(const Rows& a, const Rows& b) { return Alignment(a, b).run(); }

}  // namespace rpl::att
