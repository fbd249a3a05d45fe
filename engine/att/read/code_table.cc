// SPDX-License-Identifier: MIT
#include "engine/att/read/code_table.h"

#include <algorithm>

namespace rpl::att {

std::string_view stall_reason_name(std::size_t reason) {
  // rocprofiler-sdk/pc_sampling.h, in the order of the enumeration.
  constexpr std::array<std::string_view, kStallReasons> kNames{"NONE",
                                                               "NO_INSTRUCTION_AVAILABLE",
                                                               "ALU_DEPENDENCY",
                                                               "WAITCNT",
                                                               "INTERNAL_INSTRUCTION",
                                                               "BARRIER_WAIT",
                                                               "ARBITER_NOT_WIN",
                                                               "ARBITER_WIN_EX_STALL",
                                                               "OTHER_WAIT",
                                                               "SLEEP_WAIT"};
  return reason < kStallReasons ? kNames[reason] : "UNKNOWN";
}

void CodeTable::index() {
  dense_.clear();
  sparse_.clear();
  // Line numbers are nearly always 0 to the number of rows; a hostile file must not make a table of 2^63.
  const auto small = [&](std::int64_t line) {
    return line >= 0 && static_cast<std::uint64_t>(line) < 4 * rows.size() + 1024;
  };
  std::int64_t largest = -1;
  for (const Instruction& row : rows) {
    if (small(row.line)) largest = std::max(largest, row.line);
  }
  dense_.assign(static_cast<std::size_t>(largest + 1), kNone);
  for (std::uint32_t at = 0; at < rows.size(); ++at) {
    if (rows[at].label) continue;
    if (small(rows[at].line)) {
      dense_[static_cast<std::size_t>(rows[at].line)] = at;
    } else {
      sparse_[rows[at].line] = at;
    }
  }
}

std::string CodeTable::function_of(std::uint32_t row) const {
  if (row >= rows.size()) return {};
  for (std::uint32_t at = row + 1; at-- > 0;) {
    if (!rows[at].label) continue;
    if (!rows[at].source.empty()) return rows[at].source;
    const std::string_view text = rows[at].text;
    const std::size_t begin = text.find_first_not_of("; ");
    return begin == std::string_view::npos ? std::string() : std::string(text.substr(begin));
  }
  return {};
}

}  // namespace rpl::att
