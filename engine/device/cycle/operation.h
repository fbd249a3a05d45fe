// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "engine/device/cycle/parameters.h"
#include "engine/device/cycle/register_use.h"

namespace rpl::cycle {

/// What executes an instruction, and how the wave goes on.
enum class Unit : std::uint8_t {
  valu,
  transcendental,
  matrix,
  salu,
  smem,
  vmem,  ///< buffer, flat, global and scratch: one unit
  lds,
  branch,
  wait,     ///< s_waitcnt
  barrier,  ///< s_barrier
  pause,    ///< s_nop, s_sleep and the like
  message,  ///< s_sendmsg and what nothing else fits
  end,      ///< s_endpgm
};
inline constexpr std::size_t kUnits = 13;
std::string_view to_string(Unit unit);

/// What the model must know of one instruction, from its text. Counts of cycles as in Parameters.
struct Operation {
  static constexpr std::uint8_t kNoWait = 255;

  Unit unit = Unit::salu;
  std::uint16_t issue = 4;  ///< cycles that it keeps its wave and, where it has one, its pipe
  std::uint32_t busy =
      0;  ///< of a matrix instruction: cycles of the matrix unit; of a pause: all its cycles
  bool store = false, atomic = false;
  bool scalar_result = false;  ///< of a vector instruction: writes scalar registers
  bool flat = false;           ///< outstanding on both counters
  std::uint8_t bytes = 4;      ///< of vector memory and LDS: for a lane
  std::uint8_t wait_vm = kNoWait, wait_lgkm = kNoWait, wait_exp = kNoWait;  ///< of s_waitcnt
  std::uint8_t register_count = 0;
  /// Of the vector and accumulation registers; the first is what a vector instruction writes.
  std::array<RegisterRange, 4> registers{};
};

/// Reads one instruction as llvm-objdump and thread traces spell it. What is not known counts as a scalar, vector or memory instruction by the
/// beginning of its name.
Operation operation_of(std::string_view text, const Parameters& parameters);

}  // namespace rpl::cycle
