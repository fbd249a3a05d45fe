// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>

namespace rpl::att {

/// Calls add(bin, length) for the pieces of [from, to) that fall into bins of `width`, the last of which is open.
template <class Add>
void spread_over_bins(double from, double to, double width, std::size_t bins, Add&& add) {
  auto bin = std::min(static_cast<std::size_t>(std::max(from / width, 0.0)), bins - 1);
  while (from < to) {
    const double until = bin + 1 == bins ? to : std::min(to, static_cast<double>(bin + 1) * width);
    // Rounding may put the end of the bin before `from`.
    if (until > from) {
      add(bin, until - from);
      from = until;
    }
    if (bin + 1 < bins) ++bin;
  }
}

}  // namespace rpl::att
