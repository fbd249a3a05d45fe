// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/hsa/types.h"

/// A stand-in for AMD's HSA runtime, as far as replay calls it: one CPU and one emulated GPU. It is written by this project: it proves the
/// order of calls, what is in packets and how failures are handled, and nothing about AMD's runtime.
namespace rpl::hsa_double {

/// Makes one call fail: the `number`-th of `function` from 1, or of all calls where that is "*".
struct Injection {
  enum class Kind : std::uint8_t { status, hang, crash } kind = Kind::status;
  std::string function;
  std::uint64_t number = 1;
  hsa::Status status = hsa::Status::error;
};

/// "NAME:N:STATUS[,…]", STATUS a number, "hang" or "crash". What does not parse is left out.
std::vector<Injection> parse_injections(const std::string& text);

struct Options {
  std::string log =
      {};  ///< RPL_HSA_DOUBLE_LOG: file that gets a line for each call and packet; empty for none
  std::vector<Injection> injections = {};   ///< RPL_HSA_DOUBLE_FAIL
  std::uint64_t frequency = 1'000'000'000;  ///< RPL_HSA_DOUBLE_FREQUENCY, of time stamps, Hz
  bool vmem = true;  ///< RPL_HSA_DOUBLE_VMEM=0: the virtual memory interface is not supported
  std::string arch = "gfx942";  ///< RPL_HSA_DOUBLE_ARCH
  std::uint64_t granule =
      4096;  ///< RPL_HSA_DOUBLE_GRANULE, of allocations, a power of two from 4096
  std::uint64_t relocate =
      0;  ///< RPL_HSA_DOUBLE_RELOCATE: the n-th reservation lands elsewhere; 0 for none
  bool lock_moves =
      false;  ///< RPL_HSA_DOUBLE_LOCK_MOVES=1: the GPU sees locked memory of the host at other addresses
  std::uint64_t clock_instruction =
      0;  ///< RPL_HSA_DOUBLE_CLOCK_INSTRUCTION: ticks that each wave-instruction adds to that; with clock_step
  std::uint64_t clock_step =
      0;  ///< RPL_HSA_DOUBLE_CLOCK_STEP: ticks that a dispatch takes; 0: as the host's clock says
};
Options options_of_environment();

/// RPL_HSA_DOUBLE_OCCUPY=ADDRESS: takes a page there when the library is loaded, unless addresses are not randomized, as a library that
/// landed there would.
void occupy_for_environment();

}  // namespace rpl::hsa_double
