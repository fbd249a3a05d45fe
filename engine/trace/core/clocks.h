// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/trace/core/reader.h"

namespace rpl {

/// The collectives of one rank, in the order of their starts; ends by the clock of its host.
struct RankEnds {
  std::vector<std::string_view> names;
  std::vector<std::int64_t> ends_ns;
};

/// By how much the clocks of hosts are apart.
struct ClockShifts {
  bool compare = false;  ///< times of all hosts can be compared, once each host's shift was added
  std::map<std::string, std::int64_t> by_host;  ///< in ns; empty where they cannot
  std::string note;                             ///< what was done, with its residual, or why not
};

/// Of two hosts or more the clock of the first one is taken, where collectives
/// justify it: a collective ends on all ranks at about the same moment, so that the ends of the n-th ones say how far the clocks of their hosts are
/// apart. It is justified where every rank has the same collectives in the same order, and what is left of the distances after the shift is
/// far less than what lies between two collectives.
ClockShifts find_clock_shifts(const std::map<std::string, std::vector<RankEnds>>& hosts);
/// Where some files name no host, or several: nothing can be said.
ClockShifts clocks_of_unnamed_hosts(std::size_t hosts);
/// The one host that all processes of a file name; nothing where they name none, or several.
std::optional<std::string> one_host(std::span<const Process> processes);

/// Shifts files whose dispatches are sorted by start and that come from several named hosts, as find_clock_shifts() says: sets
/// TraceFile::clock_shift_ns, moves the dispatches and the lives of the processes, and adds the note.
/// Returns whether the times of all hosts can be compared then. One host: true, without a note.
bool align_clocks(std::vector<RawTrace>& files, std::vector<std::string>& notes);

}  // namespace rpl
