// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <mutex>
#include <optional>
#include <vector>

#include "engine/graph/graph_arrays.h"
#include "engine/graph/reschedule.h"

/// What rescheduling (reschedule.h) needs to know of how soon dispatches start.
namespace rpl {

inline constexpr std::int64_t kUnknownTime = std::numeric_limits<std::int64_t>::min();

/// How soon dispatches start after their launch, and after everything that their device had run before: what another stream held up is in no edge, as the null stream's
/// order is not.
struct DeviceLags {
  std::vector<std::int64_t>
      of;  ///< by dispatch that found the device idle; kUnknownTime for others, or where the launch call is not known
  std::optional<std::int64_t> usual_ns = {};  ///< the fast tenth of all
};
/// Fails with `interrupted` only.
Result<DeviceLags> device_lags(const GraphArrays& graph);

struct Graph::Kept {
  std::mutex mutex;
  std::optional<LaunchTimes> launch_times;
};

}  // namespace rpl
