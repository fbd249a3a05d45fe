// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "engine/base/encoded.h"
#include "engine/base/monitor.h"
#include "engine/graph/critical_path.h"
#include "engine/plot/paint.h"

namespace rpl {

/// What a file for a viewer of traces has.
struct EventOptions {
  bool copies = true, api = true, markers = true, counters = true;
  bool launch_arrows = true;           ///< from the API call to what it launched
  const CriticalPath* path = nullptr;  ///< arrows along the path; none when null
};

struct EventSummary {
  std::uint64_t slices = 0, arrows = 0, counter_samples = 0;
};

/// Writes the trace in the Trace Event format (JSON object form) that Perfetto and chrome://tracing open: a process for each GPU with a
/// thread for each stream, a process for each host process with its threads; operations of one stream that overlap get threads
/// of their own. Times are microseconds from the first event; ids of 64 bits are strings. Streams: holds no
/// more than the tables that the trace loads anyway.
/// Format: "Trace Event Format" (Google, 2016). Fails with what reading the tables or `write` fails with, or `interrupted`.
Result<EventSummary> write_chrome_trace(const Graph& graph, const EventOptions& options,
                                        const Sink& write, const Monitor& monitor = {});

/// The same events as a sequence of Perfetto's packets (protobuf): times in nanoseconds as recorded, each name once, arrows as flows, of which the critical
/// path is one. Fails as write_chrome_trace() does.
Result<EventSummary> write_perfetto_trace(const Graph& graph, const EventOptions& options,
                                          const Sink& write, const Monitor& monitor = {});

}  // namespace rpl
