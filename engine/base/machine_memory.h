// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace rpl {

/// Bytes of memory that this machine has; what is asked for beyond it ends in the kernel's out-of-memory killer, not in an error.
std::uint64_t physical_memory_bytes();

}  // namespace rpl
