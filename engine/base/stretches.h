// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "engine/base/interrupt.h"
#include "engine/base/result.h"

/// Work on gigabytes, which looks at the interrupt flag between stretches that take milliseconds.
namespace rpl::interrupt {

/// Calls `work(begin, end)` for one stretch of `count` things after the other, with a look at the flag before each. Fails as check() and as `work` do, whose
/// result is a Status.
template <class Work>
Status in_stretches(std::size_t count, std::size_t of_stretch, const Work& work) {
  for (std::size_t begin = 0; begin < count; begin += of_stretch) {
    TRY(check());
    TRY(work(begin, begin + std::min(of_stretch, count - begin)));
  }
  return {};
}

/// As std::ranges::sort, of a vector of millions: in pieces that are merged, with a look at the flag in between. What is in order already costs one pass.
/// Fails with interrupted only; the values are then in any order.
template <class Values, class Less = std::ranges::less>
[[nodiscard]] Status sort(Values& values, Less less = {}) {
  if (std::ranges::is_sorted(values, less)) return {};
  const auto at = [&](std::size_t i) {
    return values.begin() + static_cast<std::ptrdiff_t>(std::min(i, values.size()));
  };
  constexpr std::size_t kPiece = kRowsBetweenChecks;
  for (std::size_t from = 0; from < values.size(); from += kPiece) {
    TRY(check());
    std::sort(at(from), at(from + kPiece), less);
  }
  for (std::size_t width = kPiece; width < values.size(); width *= 2) {
    for (std::size_t from = 0; from + width < values.size(); from += 2 * width) {
      TRY(check());
      std::inplace_merge(at(from), at(from + width), at(from + 2 * width), less);
    }
  }
  return {};
}

/// Copies as memcpy does. Fails with interrupted, with a part of it done.
[[nodiscard]] Status copy(std::span<const std::byte> from, std::byte* to);
/// Room for so many bytes, and none of them yet. Of many MiB in large pages, where the system gives them: small ones take a tenth of a second to be given back,
/// which nothing interrupts.
[[nodiscard]] std::vector<std::byte> room_for(std::size_t bytes);
/// A copy of its own.
[[nodiscard]] Result<std::vector<std::byte>> copied(std::span<const std::byte> bytes);

}  // namespace rpl::interrupt
