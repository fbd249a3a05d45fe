// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/plot/timeline.h"
#include "engine/trace/core/query.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/loaded.h"

/// Which part of a trace a command looks at: dispatches, or a window of time.
namespace rpl {

/// Which dispatches a command looks at. Commands that filter derive their arguments from it.
struct DispatchFilterArgs {
  std::string kernel, stream, queue, agent, from, to, min;
};

/// The query that the arguments ask for; resolves names and times.
Result<DispatchQuery> query_of(const Workspace& workspace, const Trace& trace,
                               const DispatchFilterArgs& args);

/// Whether any filter was given.
bool filters(const DispatchFilterArgs& args);

/// The options --kernel, --stream, --queue, --agent, --from, --to and --min.
std::vector<Bound> filter_options();

/// The same in front of a command's own.
template <class Args>
std::vector<Bound> with_filters(std::vector<Bound> own) {
  return joined(inherited<Args, DispatchFilterArgs>(filter_options()), std::move(own));
}

/// A window as people name it: times or markers, or a dispatch to look around.
struct WindowText {
  std::string from, to, around;
};

/// Recorded times; nullopt where nothing was said.
Result<std::pair<std::optional<std::int64_t>, std::optional<std::int64_t>>> window_of_args(
    const Workspace& workspace, const Trace& trace, const WindowText& text);

/// "stream", "queue", "agent".
TimelineBy timeline_by(std::string_view name);

}  // namespace rpl
