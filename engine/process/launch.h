// SPDX-License-Identifier: MIT
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <cstdint>
#include <functional>

#include "engine/base/files.h"
#include "engine/base/result.h"
#include "engine/process/run.h"

namespace rpl::process {

/// Descriptors for 0, 1 and 2 of a child; -1 leaves ours. Borrowed.
struct Stdio {
  int in = -1;
  int out = -1;
  int err = -1;
};

enum class Group { own, shared };

/// What a child may use up, each of its processes; 0: as we may.
struct Limits {
  std::uint64_t memory_bytes = 0, file_bytes = 0, cpu_seconds = 0;
};

/// Holds every child that this thread launches meanwhile to limits.
class LimitsForNow {
 public:
  explicit LimitsForNow(const Limits& limits);
  LimitsForNow(const LimitsForNow&) = delete;
  LimitsForNow& operator=(const LimitsForNow&) = delete;
  ~LimitsForNow();
};

/// Starts every child that this thread launches meanwhile in a thread that has called `restrict` first, and ends then: what holds the child does not hold who waits
/// for it, limits it, and ends it.
class RestrictionForNow {
 public:
  explicit RestrictionForNow(std::function<Status()> restrict);
  RestrictionForNow(const RestrictionForNow&) = delete;
  RestrictionForNow& operator=(const RestrictionForNow&) = delete;
  ~RestrictionForNow();
};

/// Starts a child with default signal handling and no descriptor above 2. Returns its process id, not yet waited for. The one place where programs are
/// started: fails with denied for one of the host in a session that may not run them.
Result<pid_t> launch(const Spawn& spawn, const Stdio& stdio, Group group);

/// A close-on-exec descriptor above 2, so that the child's dup2 calls cannot overwrite it.
Result<UniqueFd> above_stdio(UniqueFd fd);

struct Pipe {
  UniqueFd read;
  UniqueFd write;
};
Result<Pipe> make_pipe();

/// A descriptor from which a child reads `text`, complete before it starts: no writer has to keep up with it.
Result<UniqueFd> readable_text(const std::string& text);

/// Fills in how it ended from what wait4 said.
void set_end(Exit& exit, int status, const rusage& usage);

/// `fail` with the reason that errno gives: "cannot WHAT: REASON".
Failure os_failure(std::string_view what, int error);

}  // namespace rpl::process
