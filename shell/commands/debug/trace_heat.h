// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/att/analyse/lines.h"
#include "engine/att/read/code_table.h"

/// Lines as `list` shows them, and what those of a thread trace or of PC samples cost.
namespace rpl {

struct ListedLine {
  std::uint32_t line = 0;
  bool current = false;
  std::string_view text;
  std::optional<std::uint64_t> executed = {}, stall_caused = {};
  std::optional<double> share = {};
  std::string cause = {};
  std::optional<std::uint64_t> cycles = {}, stalled = {};
  std::optional<std::uint64_t> samples = {}, samples_waited = {};
};

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
  std::uint64_t whole_ = 0, waited_ = 0;  ///< cycles of waves, or samples
};

}  // namespace rpl
