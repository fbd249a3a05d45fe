// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/trace/core/trace.h"

namespace rpl {

/// Ranges of markers of one process that bear one name, but for their numbers, and lie one after the other.
struct MarkerLoop {
  std::uint32_t process = 0;          ///< index into TraceEntities::processes
  std::string name;                   ///< "step #"
  std::vector<const Marker*> ranges;  ///< three or more, by start; of the table that was looked at
  std::int64_t covered_ns = 0;        ///< the sum of their lengths
  /// Whether a recording of that length is about this loop: its ranges cover half of it or more.
  [[nodiscard]] bool is_most_of(std::int64_t span_ns) const;
};

/// Those that cover most come first, of equal ones by name and process. Fails with `interrupted` only.
Result<std::vector<MarkerLoop>> marker_loops(const MarkerTable& markers);

/// The last number of a marker's text: 12 of "step 12"; nothing where there is none of at most 18 digits.
std::optional<std::int64_t> number_in(std::string_view text);

}  // namespace rpl
