// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/result.h"

namespace rpl {

/// Which kernels to capture: a mangled name, a part of a name as in the source, or a /regular expression/ (POSIX extended) that finds one
/// in such a name.
class KernelPattern {
 public:
  /// Fails with usage for what is not a regular expression.
  static Result<KernelPattern> of(const std::string& text);
  [[nodiscard]] bool names(const std::string& mangled) const;

 private:
  std::string text_;
  std::shared_ptr<void> regex_;  ///< compiled; null for a plain text
};

/// Consecutive dispatches of a process, the first and the last by number, from 1, over all kernels.
struct DispatchRange {
  std::uint64_t first = 1, last = 1;

  [[nodiscard]] bool holds(std::uint64_t number) const { return first <= number && number <= last; }
};
/// Reads "3..4"; nothing for another text, for a range that is empty, and for more than kMostCapturedDispatches.
std::optional<DispatchRange> parse_dispatch_range(std::string_view text);
/// "3..4".
std::string to_text(const DispatchRange& range);

/// Which dispatch of a program to freeze, and how much memory with it.
struct CaptureWish {
  std::string kernel = {};  ///< as KernelPattern reads it; empty: none
  std::optional<DispatchRange> slice =
      {};  ///< instead of a kernel: all of these into one capture; grid, longer_us and dispatch do not count
  std::optional<std::array<std::uint32_t, 3>> grid =
      {};  ///< only dispatches of this grid, in work-items
  std::uint64_t longer_us =
      0;  ///< only where the same kernel with the same grid took at least this long the last time; 0: any
  std::uint64_t dispatch = 1;  ///< which of the dispatches that match, from 1
  std::string folder = {};     ///< the capture's; must not exist
  bool all_memory =
      false;  ///< every allocation; else those that can be reached from the arguments and variables
  std::uint64_t most_bytes = 0;  ///< of memory; 0: no limit
};

/// Reads "1024", "1024,2" or "1024,2,1" as a size in work-items of a grid or a workgroup; nothing for another text.
std::optional<std::array<std::uint32_t, 3>> parse_grid(std::string_view text);

}  // namespace rpl
