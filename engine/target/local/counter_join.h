// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/result.h"

namespace rpl::profile {

/// The databases of one pass over the counters, in the order of their processes.
struct CounterPassFiles {
  std::size_t pass = 0;  ///< from 1
  std::vector<std::string> databases;
};

struct JoinedCounters {
  std::vector<std::string> databases;  ///< one for each base, in their order
  std::uint64_t values = 0;            ///< rows of counters that found their dispatch
  std::vector<std::string> notes;      ///< what found none
};

/// Puts what several runs of a program counted to the dispatches of a run without counters, whose times stay: the n-th dispatch of a kernel on an agent
/// gets the counters of the n-th there in each pass, the n-th process with a command line those of the n-th. The bases stay as they are; copies of them with the
/// counters, marked so in their metadata (counters = joined), go to `folder`, under the name of the host's folder and the file. A counter of
/// several passes is taken from the first. Fails with io, corrupt, or unsupported for a database that is not of schema 3.
Result<JoinedCounters> join_counters(const std::vector<std::string>& bases,
                                     const std::vector<CounterPassFiles>& passes,
                                     const std::string& folder);

}  // namespace rpl::profile
