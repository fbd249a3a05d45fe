// SPDX-License-Identifier: MIT
#pragma once

#include "engine/device/execute/memory/atomic.h"

namespace rpl::emu {

/// apply_atomic() for memory that other threads run on as well.
std::uint64_t apply_shared_atomic(Atomic kind, unsigned dwords, std::byte* at, std::uint64_t data,
                                  std::uint64_t expected);

}  // namespace rpl::emu
