// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

namespace rpl {

/// Spreads the slices of one track over lanes such that viewers, which draw a lane as a stack, show each slice whole. Slices must come
/// in the order of their starts, the longer one first on ties.
class SliceLanes {
 public:
  /// `nesting`: a slice that lies within another may share its lane (calls that call); otherwise slices of a lane do not overlap at all.
  explicit SliceLanes(bool nesting) : nesting_(nesting) {}

  /// The lane of the next slice, 0 for most.
  std::size_t place(std::int64_t start_ns, std::int64_t end_ns) {
    for (std::size_t lane = 0; lane < open_.size(); ++lane) {
      if (fits(open_[lane], start_ns, end_ns)) {
        open_[lane].push_back(end_ns);
        return lane;
      }
    }
    open_.push_back({end_ns});
    return open_.size() - 1;
  }

  [[nodiscard]] std::size_t lanes() const { return open_.size(); }

 private:
  [[nodiscard]] bool fits(std::vector<std::int64_t>& ends, std::int64_t start_ns,
                          std::int64_t end_ns) const {
    while (!ends.empty() && ends.back() <= start_ns) ends.pop_back();
    return ends.empty() || (nesting_ && end_ns <= ends.back());
  }

  bool nesting_;
  std::vector<std::vector<std::int64_t>> open_;  // ends of the slices that are open, innermost last
};

}  // namespace rpl
