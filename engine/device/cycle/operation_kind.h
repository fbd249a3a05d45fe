// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "engine/device/cycle/launch_time.h"

namespace rpl::cycle {

/// What a diagnosis must know of an operation beyond its unit: how its text reads.
struct OperationKind {
  bool load = false, store = false, atomic = false;  ///< of vector memory, scratch not among it
  bool scratch = false, lds = false, barrier = false, flat = false;
  bool division = false;  ///< part of the sequence that an integer division or modulo becomes
  bool transcendental = false, conversion = false, accumulator_move = false;
  bool function = false;    ///< of a long function around a transcendental instruction
  bool addressing = false;  ///< integer arithmetic, vector or scalar, of addresses; no division
  bool double_precision = false;
  bool beside_scratch = false;  ///< arithmetic of a line of the source that accesses scratch memory
  bool leaving = false;         ///< in a loop that lanes leave one after the other
  bool restores_lanes = false;  ///< switches lanes on again that had been off
  std::uint32_t bytes = 0;      ///< of memory: for a lane
};
/// By operation, of a launch.
std::vector<OperationKind> kinds_of(const LaunchRecord& record,
                                    std::span<const Operation> operations);

/// Part of a division and nothing else: its reciprocal and conversions are no causes of their own.
void of_division(OperationKind& kind);

/// Whether it accesses the private memory of work-items, which gfx90a reaches through the descriptor in s[0:3].
bool is_scratch(std::string_view text);

/// Whether it is of an integer division of 64 bits and of nothing else.
bool scales_reciprocal(std::string_view text);

/// Whether an instruction of this text can be part of an integer division.
bool may_divide(std::string_view text);

}  // namespace rpl::cycle
