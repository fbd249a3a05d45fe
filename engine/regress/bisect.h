// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "engine/base/result.h"

namespace rpl::regress {

/// What time a kernel has when only the first so many passes run; nothing where that cannot be built or run, or may not be asked any more.
using TimeAt = std::function<Result<std::optional<double>>(std::int64_t passes)>;

/// The pass at which the kernel changed sides of a time for the last time.
struct Crossing {
  std::int64_t pass = 0;              ///< its number, from 1
  std::optional<double> before = {};  ///< ns, with the passes before it; none: that did not run
  double after = 0;                   ///< with it
};

/// Of `last` passes, the last one without which the kernel lies on the other side of `goal_ns` than with all of them. Looks at some numbers of passes from the last one down, then
/// halves the interval in which the side changes; what lies between two looks on the same side is not seen. None: the side changes nowhere that was looked at. Takes about 16 + log2(last / 16)
/// looks. Fails as `time_at` does.
Result<std::optional<Crossing>> last_crossing(std::int64_t last, double goal_ns,
                                              const TimeAt& time_at);

}  // namespace rpl::regress
