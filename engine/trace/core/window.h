// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>

#include "engine/base/result.h"
#include "engine/trace/core/trace.h"

namespace rpl {

/// A part of `whole` as a trace of its own: the dispatches, copies, calls, marks and waits that touch [from, to), each with its
/// recorded times, not cut to the window. Rows count again; recorded ids stay. Kernels, agents, queues and streams keep their indices. Keeps `whole`
/// alive. Fails with `usage` when the window is empty, `not_found` when nothing ran in it, or `interrupted`.
Result<std::shared_ptr<const Trace>> window_of(std::shared_ptr<const Trace> whole,
                                               std::int64_t from_ns, std::int64_t to_ns);

}  // namespace rpl
