// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "engine/plot/timeline.h"
#include "shell/core/inputs/loaded.h"

namespace rpl {

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
