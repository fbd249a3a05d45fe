// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <random>

#include "tests/support/tiny_trace.h"

namespace rpl::testing {

struct RandomShape {
  std::size_t ops = 30;
  int streams = 3, queues = 2;
  std::uint32_t agents = 1, processes = 1;
  std::size_t copies = 0;
  bool host = false;   ///< launch calls, events and waits
  bool weird = false;  ///< negative durations, ties, operations on top of each other
  bool unknown_streams = false;
};

/// The same recording for the same seed. Not physically possible in general: properties must hold anyway.
TinyTrace random_trace(std::uint32_t seed, const RandomShape& shape);

}  // namespace rpl::testing
