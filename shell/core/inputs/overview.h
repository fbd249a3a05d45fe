// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "engine/trace/core/stats.h"
#include "engine/trace/core/trace.h"

namespace rpl {

/// A trace in a few words and numbers.
struct Overview {
  std::string format;   ///< "rocpd 3"; several formats joined by ", "
  std::string devices;  ///< "gfx950 x1"; agents that ran something
  TraceTotals totals;
  bool timed = true;  ///< Trace::has_times()
};

/// One pass over one column, beside the statistics that are given.
Overview overview_of(const Trace& trace, const TraceStats& stats);

/// "43,915 dispatches, 80 kernels, 567 streams, gfx950 x1, 15.12 s (rocpd 3)".
std::string one_line(const Overview& overview);

/// "rocpd", "rpd", "csv", "json", "kineto".
std::string_view to_string(TraceFormat format);

}  // namespace rpl
