// SPDX-License-Identifier: MIT
#pragma once

#include "engine/base/result.h"
#include "engine/trace/core/columns.h"

namespace rpl {

/// Sorts the rows by start, rows of equal start staying in order. Near-linear and in place when rows are only locally out
/// of order (recorders write in order of completion); O(n log runs) with 32 bytes a row beside otherwise. Fails only
/// with interrupted.
Status sort_by_start(TraceColumns& columns);

}  // namespace rpl
