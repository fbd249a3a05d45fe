// SPDX-License-Identifier: MIT
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

namespace rpl::process {

/// A process: its number, and when it began, in ticks since the system did; both together are nobody else's.
struct Member {
  pid_t pid = -1;
  std::uint64_t began = 0;
};

/// A process, what it started, what those started and so on, as /proc tells (proc(5), stat). The process alone where that is not to be read.
std::vector<Member> family_of(pid_t pid);

/// Sends a signal to those that are still there.
void signal_all(const std::vector<Member>& members, int number);

}  // namespace rpl::process
