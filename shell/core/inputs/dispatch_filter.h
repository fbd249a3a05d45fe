// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/trace/core/query.h"
#include "shell/core/command/define.h"
#include "shell/core/inputs/loaded.h"

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

}  // namespace rpl
