// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "engine/base/result.h"

namespace rpl::test {

/// A distributed training: ranks compute, wait for each other in collectives and go on. Times in ns.
struct RanksOptions {
  std::string folder;  ///< gets rank_0.db …; made where it is missing
  unsigned ranks = 8, ranks_of_host = 8;
  unsigned steps = 20, collectives = 4;  ///< of a step
  unsigned kernels = 12;                 ///< dispatches before each collective
  std::int64_t kernel_ns = 12000;        ///< mean duration
  std::int64_t collective_ns = 40000;    ///< from the arrival of the last rank on
  int straggler = -1;                    ///< the rank whose kernels take `slower` times as long
  double slower = 1.4;
  std::int64_t clock_ns =
      1'234'567'890'123;          ///< by which the clock of each host is ahead of the one before
  std::int64_t jitter_ns = 1500;  ///< by which ends of one collective differ at the most
  std::uint64_t seed = 1;
  bool api = false;  ///< a call for each launch
  bool markers =
      false;  ///< each rank has a range "step N" around each step, N from `first_step` on
  unsigned first_step = 0;
  unsigned longer_steps = 1;  ///< every fourth step has so many times the kernels of the others
};

/// Writes a database for each rank, on hosts of their own clocks.
Status generate_ranks(const RanksOptions& options);

}  // namespace rpl::test
