// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "engine/device/execute/state/float_mode.h"
#include "engine/isa/code/program_text.h"

/// State that changes what vector instructions do: MODE and the register index. Programs that never leave the usual state are
/// lowered without a look at it.
namespace rpl::emu {

/// MODE as a kernel starts.
std::uint32_t initial_mode(const isa::KernelDescriptor& descriptor);

/// Whether `text` may make a wave skip its vector instructions.
bool may_skip(std::span<const isa::Located> text);

/// Whether a wave may be in an unusual state while it executes `text`.
bool is_stateful(const isa::KernelDescriptor& descriptor, std::span<const isa::Located> text);

/// Whether another way of computing the same numbers may have the result otherwise in the last place. Not where results are meant to be integers or one of their
/// operands, and not of the two of LLVM's division of integers (v_rcp_iflag and the product with 2^32 - 512) whose error it counts on.
bool is_arithmetic(const isa::Instruction& in);

}  // namespace rpl::emu
