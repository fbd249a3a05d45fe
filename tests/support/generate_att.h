// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace rpl::testing_support {

/// A thread trace as rocprofv3 decodes it, of a kernel that never ran: a tiled reduction with a loop of loads, a barrier, matrix instructions and a
/// store. Times follow from a simple model of memory (loads take 500 to 900 cycles), so that waits, states and sums are consistent with each other.
struct AttSpec {
  std::uint32_t engines = 1;
  std::uint32_t waves_per_simd = 1;
  std::uint32_t iterations = 4;  ///< of the loop, per wave
  bool prefetch = false;         ///< a build that loads one iteration ahead
  bool timelines = true, wait_lists = true, states = true;  ///< what newer recorders may leave out
  bool indented = false;  ///< blanks and line ends between all tokens, as the Python writer does it
  std::uint32_t seed = 1;
};

/// Writes the folder and the CSV file beside it; returns the bytes of wave files.
std::uint64_t write_att(const std::string& folder, const AttSpec& spec);

}  // namespace rpl::testing_support
