// SPDX-License-Identifier: MIT
#pragma once

#include "engine/device/execute/state/float_mode.h"
#include "engine/device/execute/state/machine.h"

/// What the modifiers of a vector instruction (SDWA, DPP, op_sel, negation, clamp ...) do to its sources and its result.
/// Lanes are arrays of 64 dwords, or of 128 for wide types.
namespace rpl::emu {

struct alignas(64) Room {
  std::array<std::uint32_t, 2 * kLanes> lane;
  [[nodiscard]] std::uint32_t* data() { return lane.data(); }
};

inline bool is_wide(Type type) {
  return type == Type::u64 || type == Type::f64 || type == Type::f32x2;
}
inline bool is_float(Type type) {
  return type == Type::f16 || type == Type::f32 || type == Type::f64 || type == Type::f16x2 ||
         type == Type::f32x2;
}
inline bool is_packed(Type type) {
  return type == Type::u16x2 || type == Type::f16x2 || type == Type::bf16x2 || type == Type::f32x2;
}
inline const SizeMode& mode_of(const FloatMode& mode, Type type) {
  return type == Type::f32 || type == Type::f32x2 ? mode.f32 : mode.f16_f64;
}

/// Whether all the vector registers that the operands of an instruction name are the wave's: those of many dwords may lead beyond them where an
/// index is added. Stops where not.
bool registers_reach(Machine& machine, const Wave& wave, const Op& op);
/// Whether a modifier changes source `index` of an operation with modifiers.
bool is_dressed(const Op& op, std::size_t index);
/// Moves the lanes of `from` as the DPP control says, and clears in `writes` those that must not be written.
void move_lanes(const isa::Dpp& dpp, std::uint64_t exec, const std::uint32_t* from,
                std::uint32_t* to, std::uint64_t& writes);
/// Applies all but DPP to the lanes of source `index`. Without a mode, it is the usual one.
void dress(std::uint32_t* lanes, const Op& op, std::size_t index, const FloatMode* mode);
/// Denormals, output modifier and clamping of a float result.
void modify_result(std::uint32_t* lanes, const Op& op, const FloatMode* mode);
/// A result of less than a dword gets what its register keeps of the value `before`.
void place_result(std::uint32_t* lanes, const std::uint32_t* before, const Op& op);

}  // namespace rpl::emu
