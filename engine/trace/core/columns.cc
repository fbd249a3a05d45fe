// SPDX-License-Identifier: MIT
#include "engine/trace/core/columns.h"

namespace rpl {

std::int64_t CompactColumn::far(std::size_t row) const { return escaped_.at(row); }

void CompactColumn::set_far(std::size_t row, std::int64_t value) {
  low_[row] = kEscaped;
  escaped_[row] = value;
}

}  // namespace rpl
