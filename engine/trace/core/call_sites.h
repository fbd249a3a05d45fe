// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "engine/trace/core/entities.h"

namespace rpl {

/// A function of the program that was on the stack of a call, inlined ones too.
struct SiteFrame {
  std::string file;  ///< "" without a line table
  std::uint32_t line = 0, column = 0;
  std::string function;  ///< "" where nothing names it
  std::string module;    ///< the program's or library's file
  std::uint64_t offset =
      0;                 ///< without a line: from the function's beginning, else from the module's
  bool program = false;  ///< of the program itself, not of a library
};

/// From where in the program calls were made (call sites), and whether they were needed. Recorded on the emulated device alone.
struct CallSiteTable {
  struct Row {
    std::uint32_t process = 0;
    std::uint64_t correlation = 0;  ///< ApiCall::correlation
    std::uint32_t site = kNone;     ///< index into sites
    /// Whether it did what had been done before: copied the bytes that lay there already, or loaded code that had been loaded. Nothing: not known.
    std::optional<bool> again = {};
  };
  std::vector<Row> rows;                      ///< by process and correlation
  std::vector<std::vector<SiteFrame>> sites;  ///< from the call outwards; never empty
  std::vector<std::string> notes;             ///< what was left out or odd, for people

  /// What is known of a call; null for nothing.
  [[nodiscard]] const Row* row_of(std::uint32_t process, std::uint64_t correlation) const {
    const auto key = [](const Row& row) { return std::tuple(row.process, row.correlation); };
    const auto found = std::ranges::lower_bound(rows, std::tuple(process, correlation), {}, key);
    return found == rows.end() || key(*found) != std::tuple(process, correlation) ? nullptr
                                                                                  : &*found;
  }
};

}  // namespace rpl
