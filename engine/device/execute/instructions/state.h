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

}  // namespace rpl::emu
