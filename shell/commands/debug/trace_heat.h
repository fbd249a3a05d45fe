// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/att/analyse/lines.h"
#include "engine/att/read/code_table.h"
#include "shell/commands/debug/list_columns.h"

/// What the lines of a thread trace or of PC samples cost.
namespace rpl {

/// Shares of one thread trace, or of PC samples alone, of which the cycles are not known.
class TraceHeat {
 public:
  /// `own`: what each line cost by itself, each instruction once.
  TraceHeat(const att::CodeTable& code, const std::vector<att::LineCost>& own);
  [[nodiscard]] std::string header() const;
  /// Fills the row, and gives it as it is shown.
  std::string line(const att::LineCost& cost, ListedLine& row) const;

 private:
  [[nodiscard]] std::string worst_of(const att::LineCost& line) const;

  const att::CodeTable& code_;
  void add_waits(const att::LineCost& line, ListedLine& row) const;
  void add_lanes(const att::LineCost& line, ListedLine& row) const;
  std::uint64_t whole_ = 0, waited_ = 0;  ///< cycles of waves, or samples
};

}  // namespace rpl
