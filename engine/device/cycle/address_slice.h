// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "engine/device/cycle/launch_time.h"

namespace rpl::cycle {

/// By operation, the share of its executions in the kept waves whose result becomes an address of memory or LDS, or a part of one, found backwards from each access
/// through registers. 0 for accesses themselves, and for what was not kept. What passes through scc, exec or memory is not followed.
std::vector<double> address_shares(const LaunchRecord& record,
                                   std::span<const Operation> operations);

}  // namespace rpl::cycle
