// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "engine/trace/core/reader.h"

namespace rpl {

/// Files whose dispatches are sorted by start and that come from several named hosts get the clock of the first one, where collectives
/// justify it: a collective ends on all ranks at about the same moment, so that the ends of the n-th ones say how far the clocks of their hosts are
/// apart. It is justified where every rank has the same collectives in the same order, and what is left of the distances after the shift is
/// far less than what lies between two collectives. Sets TraceFile::clock_shift_ns, moves the dispatches and the lives of the processes, and says
/// in `notes` what was done, with its residual, or why not. Returns whether the times of all hosts can be compared then. One host: true, without a note.
bool align_clocks(std::vector<RawTrace>& files, std::vector<std::string>& notes);

}  // namespace rpl
