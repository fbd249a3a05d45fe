// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "engine/process/run.h"

namespace rpl {

/// What a program may reach that works on what others wrote.
struct Confinement {
  std::vector<std::string>
      readable;  ///< files, and folders with all that is below; what is not there is left out
  std::vector<std::string> programs;  ///< the same, and run from there
  std::vector<std::string> writable;  ///< folders in which it makes, changes and removes files
  /// Of each of its processes; 0: none.
  std::uint64_t memory_bytes = std::uint64_t{8} << 30;
  std::uint64_t file_bytes = std::uint64_t{1} << 30;
  std::uint64_t cpu_seconds = 600;
};

/// What the kernel or the container lacks to confine programs, as a sentence: "the kernel has no Landlock (Linux 5.13 has it)". "" when nothing.
const std::string& confinement_gap();

/// As run(), but the program and its children read, write and start nothing else, open no socket, and signal nobody outside: by Landlock
/// (https://docs.kernel.org/userspace-api/landlock.html) and seccomp, which no process can undo. The program of `spawn` has to be among
/// `programs`. Without what confinement_gap() names it fails with missing_capability and starts nothing. Takes about a fifth of a millisecond.
Result<Exit> run_confined(const Spawn& spawn, const Confinement& confinement);

}  // namespace rpl
