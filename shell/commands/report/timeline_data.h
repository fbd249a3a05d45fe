// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/document/json.h"
#include "engine/graph/critical_path.h"
#include "engine/plot/timeline.h"

/// The operations of a timeline for the script of a page, which draws any part of it closer.
namespace rpl {

struct TimelineData {
  std::int64_t from_ns = 0, to_ns = 0;  ///< as recorded
  std::size_t most =
      40000;  ///< blocks; operations that lie closest are put together until there are no more
  TimelineBy by = TimelineBy::stream;
  std::vector<std::string_view> colors = {};  ///< of kernels by their index: colors_by_time()
};

/// {"from", "to": ns from the beginning of the graph, "rows": [{"id", "busy": how much of the window of `timeline`, "ops"}], "kernels": [[id, name, colour]], "path": text, "together_ns"}. `ops` are for each
/// block of a row, in the order of their starts, numbers of base 64 (5 bits a digit, the lowest first, the sixth says that more follow): start minus the start
/// of the one before, duration, 4 * (kernel + 1) + 2 * several + path, and how many where they are several; kernel + 1 is 0 for copies. `path` has start, duration and kind of each
/// segment alike. Rows are those of `timeline`. `path` may be null. Fails with interrupted.
Result<JsonText> timeline_data(const Graph& graph, const CriticalPath* path,
                               const Timeline& timeline, const TimelineData& options);

}  // namespace rpl
