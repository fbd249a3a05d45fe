// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "engine/device/execute/state/machine.h"

/// What executes each family of instructions. Each finder returns null for a name that it does not know.
namespace rpl::emu {

Handler find_scalar_handler(const std::string& name);
Handler find_mask_handler(const std::string& name);  ///< scalar ones on masks and through M0
Handler find_control_handler(const std::string& name);
Handler find_state_handler(const std::string& name);  ///< s_getreg, s_setreg, s_set_gpr_idx and kin
Handler find_fork_handler(
    const std::string& name);  ///< s_cbranch_g_fork, s_cbranch_i_fork, s_cbranch_join
Handler find_lane_handler(
    const std::string& name);  ///< vector instructions that look across lanes, and packed ones

/// The value of a scalar source: a register, a constant, or one of the special codes.
std::uint32_t scalar32(const Machine& machine, const Wave& wave, const Source& source);
std::uint64_t scalar64(const Machine& machine, const Wave& wave, const Source& source);

/// 64 lanes of a source, low dwords and then high ones; `room` (128 dwords) is used when they have to be made.
const std::uint32_t* lanes_of(const Machine& machine, Wave& wave, const Source& source,
                              std::uint32_t* room);

bool run_lanes(Machine& machine, Wave& wave, const Op& op);       ///< plain value
bool run_compare(Machine& machine, Wave& wave, const Op& op);     ///< plain comparison
bool run_dressed(Machine& machine, Wave& wave, const Op& op);     ///< carries, modifiers, SDWA, DPP
bool run_float_pair(Machine& machine, Wave& wave, const Op& op);  ///< v_pk_*_f32 without clamp
/// The same as run_dressed in a wave whose MODE is not the usual one; for operations with an entry.
bool run_in_mode(Machine& machine, Wave& wave, const Op& op);
/// Whether run_in_mode() is needed where nothing but the rounding is unusual.
UnderRounding under_rounding(const Op& op);
/// Vector instructions of a stateful program: calls Op::usual, or does what MODE and the register index say.
bool run_stateful(Machine& machine, Wave& wave, const Op& op);
/// " (softmax.hip:12:9 in normalise)" where the code object says; nothing where it does not, or says it wrongly.
std::string source_of(const Program& program, std::uint64_t address);
/// "wave 0 of workgroup 3 at 0x1904 (softmax.hip:12:9), s_cbranch_scc1 65533".
std::string place_of(const Program& program, const Wave& wave, const Op& op);
/// Goes on at a device address. Stops where there is no code.
bool jump_to(Machine& machine, Wave& wave, const Op& op, std::uint64_t address);
/// Vector instructions of a program that may skip them: calls Op::usual unless MODE says so.
bool run_unless_skipped(Machine& machine, Wave& wave, const Op& op);
bool run_unsupported(Machine& machine, Wave& wave, const Op& op);
/// Stops with a reason: what the instruction needs is not emulated, and is not going to be.
bool run_refused(Machine& machine, Wave& wave, const Op& op);

/// Memory instructions are distinguished once; null for those without semantics yet.
Handler find_memory_handler(const isa::Instruction& instruction);
Handler find_lds_handler(const isa::Instruction& instruction);
/// global_load_lds_*.
Handler find_load_to_lds_handler(const isa::Instruction& instruction);
/// scratch_*.
Handler find_scratch_handler(const isa::Instruction& instruction);
/// buffer_* and tbuffer_*, on any buffer.
Handler find_buffer_handler(const isa::Instruction& instruction);
Handler find_buffer_format_handler(const isa::Instruction& instruction);
/// s_load_*, s_store_*, s_atomic_*, and the same on buffers.
Handler find_scalar_memory_handler(const isa::Instruction& instruction);

/// Second dword of the private buffer's descriptor, by which its users are told from those of other buffers. gfx90a uses it for
/// scratch memory.
inline constexpr std::uint32_t kPrivateBufferMark = 0x80fe0001;
/// Whether the descriptor of a buffer instruction, at the SGPR Op::target, is that of the private buffer.
inline bool is_private_buffer(const Wave& wave, const Op& op) {
  return wave.sgprs[op.target + 1] == kPrivateBufferMark;
}
/// Does what a buffer instruction does on it.
bool run_on_private_buffer(Machine& machine, Wave& wave, const Op& op);

}  // namespace rpl::emu
