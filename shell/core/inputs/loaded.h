// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/document/document.h"
#include "engine/graph/critical_path.h"
#include "engine/graph/graph.h"
#include "engine/graph/slack.h"
#include "engine/trace/core/stats.h"
#include "shell/core/session/inputs.h"
#include "shell/core/session/workspace.h"
#include "shell/core/terminal/terminal.h"

/// The current trace and what commands ask of it. What is computed once is kept with the open trace.
namespace rpl {

class Context;

struct Loaded {
  OpenTrace* open = nullptr;
  std::shared_ptr<const Trace> trace;
};

/// The current trace, read. Fails when none is open, with what reading fails with, or `interrupted`.
Result<Loaded> loaded(const Inputs& inputs);
/// The same for commands about times: fails when the recording has none.
Result<Loaded> loaded_with_times(const Inputs& inputs);

Result<std::shared_ptr<const TraceStats>> stats_of(const Loaded& loaded);
Result<std::shared_ptr<const Graph>> graph_of(const Inputs& inputs, const Loaded& loaded);
Result<std::shared_ptr<const Slack>> slack_of(const Inputs& inputs, const Loaded& loaded);
/// Without gain_if_2x, whose simulations take longer than the rest; path_with_gains_of() has them too.
Result<std::shared_ptr<const CriticalPath>> path_of(const Inputs& inputs, const Loaded& loaded);
Result<std::shared_ptr<const CriticalPath>> path_with_gains_of(const Inputs& inputs,
                                                               const Loaded& loaded);

/// `recorded`, or `modelled` for a recording of the emulated device.
Provenance provenance_of(const Trace& trace);

/// "a0", "q1", "s2"; null for kNone.
std::optional<std::string> entity_id(char letter, std::uint32_t index);
/// [x, y, z].
Value dim3_value(const Dim3& size);
/// "d12" for a dispatch; "copy3" for a copy.
std::string operation_id(const Graph& graph, NodeId operation);
/// The kernel's name or what the copy does, as people say it.
std::string short_name(const Graph& graph, NodeId operation);
/// A kernel's name as people say it, at most `width` columns.
std::string short_name(const Trace& trace, std::uint32_t kernel, std::size_t width = 40);

/// Which agent, queue or stream "s3", "3", a recorded name or a recorded handle means. `letter` is a, q or s. Fails with not_found.
Result<std::uint32_t> resolve_entity(const Trace& trace, char letter, std::string_view reference);

/// The beginning of the trace, from which commands count: the first start of a dispatch or copy, as the graph has it.
std::int64_t origin_of(const Trace& trace);

/// "12ms" from the beginning of the trace, or the text of a marker, as a recorded time. `end` takes the marker's end.
Result<std::int64_t> resolve_time(const Trace& trace, std::string_view text, bool end);

/// What commands say about a trace in which nothing ran; nullopt when something did.
std::optional<std::string> nothing_ran(const Trace& trace);

/// What they say about a trace of counters alone; nullopt when the recording says when things ran.
std::optional<std::string> no_times(const Trace& trace);
/// How far off modelled times of kernels may be, all together; nullopt for recorded ones, and where the recording tells no bands.
std::optional<std::string> model_band_note(const Trace& trace, const TraceStats& stats);
/// What helps.
inline constexpr const char* kRecordTimes =
    "record a kernel trace as well: rocprofv3 --kernel-trace";

/// A value made of times: null in a trace that has none.
Value timed(const Trace& trace, Value value);

/// A share that is 0 where the whole is 0, never NaN.
double share_of(std::int64_t part, std::int64_t whole);

/// What pictures are drawn on: as wide as the terminal, at least 40; in the characters of the setting `graphics`.
struct Screen : Canvas {
  Screen(const Context& context);
};

}  // namespace rpl
